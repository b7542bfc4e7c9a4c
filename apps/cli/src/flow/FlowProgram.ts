/** `pay flow`: starts a flow, or resumes one. */

import { commands } from "../Commands.ts"
import * as Flags from "../command/Flags.ts"
import * as OperationName from "../command/OperationName.ts"
import * as FieldInput from "../request/FieldInput.ts"
import type { ExitCode } from "../terminal/ExitCode.ts"
import * as QuestionTerminal from "../terminal/QuestionTerminal.ts"
import { UsageError } from "../terminal/UsageError.ts"
import * as FlowCommands from "./FlowCommands.ts"
import * as FlowRecord from "./FlowRecord.ts"
import * as FlowRun from "./FlowRun.ts"

export const run = (args: ReadonlyArray<string>): Promise<ExitCode> => at(QuestionTerminal.layer, args)

/** Runs the command. `terminal` is evaluated after a form was read, because standard input may be used up by then. */
export const at = async (
  terminal: () => FlowRun.Terminal | undefined,
  [word, ...rest]: ReadonlyArray<string>
): Promise<ExitCode> => {
  if (word === "resume") return resume(terminal, rest)
  const flow = FlowCommands.named(word)
  if (flow === undefined) throw new UsageError(`Say which: ${FlowCommands.names.join(", ")}, or resume`, "flow")
  const input = await read(flow, rest)
  return FlowRun.run(flow, input, undefined, terminal())
}

const read = (flow: FlowCommands.Name, args: ReadonlyArray<string>) =>
  FieldInput.of(OperationName.find(FlowCommands.flows[flow], "flow"), `flow ${flow}`, commands.flow, args)

const resume = async (terminal: () => FlowRun.Terminal | undefined, args: ReadonlyArray<string>): Promise<ExitCode> => {
  const flags: ReadonlyMap<string, Flags.Flag> = new Map(Object.entries(commands.flow.flags))
  const given = Flags.parse(args, { flags }, "flow")
  const [clientOrderId, ...others] = given.operands
  if (clientOrderId === undefined || others.length > 0) {
    throw new UsageError("Name one order by your client_orderid: pay flow resume CLIENT_ORDERID", "flow")
  }
  const record = FlowRecord.find(FlowRecord.folderOf(given), clientOrderId)
  if (record === undefined) {
    const why = "It has ended (pay status shows the order), or it was started with another --state-folder"
    throw new UsageError(`No flow of this name can be resumed. ${why}`, "flow")
  }
  const settings = new Map([...Object.entries(record.settings), ...given.flags])
  const again = [...settings].map(([name, value]) =>
    flags.get(name)?.value === undefined ? `--${name}` : `--${name}=${value}`
  )
  const input = await read(record.flow, again)
  return FlowRun.run(record.flow, input, record, terminal())
}
