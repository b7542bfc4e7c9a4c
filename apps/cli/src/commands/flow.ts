/** `pay flow`: starts a flow, or resumes one. */

import { commands } from "../Commands.ts"
import type { ExitCode } from "../ExitCode.ts"
import * as FieldInput from "../FieldInput.ts"
import * as Flags from "../Flags.ts"
import * as FlowCommands from "../FlowCommands.ts"
import * as FlowNote from "../FlowNote.ts"
import * as FlowRun from "../FlowRun.ts"
import * as OperationName from "../OperationName.ts"
import * as QuestionTerminal from "../QuestionTerminal.ts"
import { UsageError } from "../UsageError.ts"

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
  return FlowRun.carry(flow, input, undefined, terminal())
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
  const note = FlowNote.find(FlowNote.folderOf(given), clientOrderId)
  if (note === undefined) {
    const why = "it has ended, and pay status tells how the order stands; or the state folder is another one"
    throw new UsageError(`No flow of this name is noted here: ${why}`, "flow")
  }
  const settings = new Map([...Object.entries(note.settings), ...given.flags])
  const again = [...settings].map(([name, value]) =>
    flags.get(name)?.value === undefined ? `--${name}` : `--${name}=${value}`
  )
  const input = await read(note.flow, again)
  return FlowRun.carry(note.flow, input, note, terminal())
}
