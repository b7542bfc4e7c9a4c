/** `pay help COMMAND` and `pay COMMAND --help`: prints help without network, settings and Effect. */

import { commands, named, withOperation } from "../Commands.ts"
import type { Command } from "../command/Command.ts"
import * as Flags from "../command/Flags.ts"
import * as FlowCommands from "../flow/FlowCommands.ts"
import { codes, type ExitCode } from "../terminal/ExitCode.ts"
import * as Output from "../terminal/Output.ts"
import { UsageError } from "../terminal/UsageError.ts"
import * as HelpPage from "./HelpPage.ts"

export const run = async (args: ReadonlyArray<string>): Promise<ExitCode> => {
  Output.printPage(await text(args))
  return codes.ok
}

const text = async (args: ReadonlyArray<string>): Promise<string> => {
  const [first, second] = Flags.ofCommand(args, commands.help, "help").operands
  if (first === undefined) return HelpPage.overview()
  const name = named(first)
  if (name === undefined) return operation(first, "help")
  if (name === "flow" && second !== undefined && second !== "resume") return flow(second)
  const takesOperation = withOperation.has(name)
  if (takesOperation && second !== undefined && second !== "callback") return operation(second, name)
  const command: Command = commands[name]
  if (!takesOperation) return HelpPage.command(command)
  const { all } = await import("../command/Contract.ts")
  return `${HelpPage.command(command)}\n\n${HelpPage.operations(all)}`
}

const flow = async (typed: string): Promise<string> => {
  const name = FlowCommands.named(typed)
  if (name === undefined) throw new UsageError(`The flows are ${FlowCommands.names.join(", ")}`, "flow")
  const { find } = await import("../command/OperationName.ts")
  return HelpPage.flow(name, find(FlowCommands.flows[name], "flow"))
}

const operation = async (typed: string, topic: string): Promise<string> => {
  const { find } = await import("../command/OperationName.ts")
  return HelpPage.operation(
    find(typed, topic),
    topic === "sign" || topic === "verify" || topic === "explain" ? topic : "call"
  )
}
