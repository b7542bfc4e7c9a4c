/** `pay audit`: who did what with an operator's or an approver's rights. */
import { commands } from "./Commands.ts"
import { codes, type ExitCode } from "./ExitCode.ts"
import * as Flags from "./Flags.ts"
import * as OperatorGateway from "./OperatorGateway.ts"
import * as Output from "./Output.ts"
import * as Rows from "./Rows.ts"
import { UsageError } from "./UsageError.ts"

export const run = async (args: ReadonlyArray<string>): Promise<ExitCode> => {
  const given = Flags.parse(args, { flags: new Map(Object.entries(commands.audit.flags)) }, "audit")
  if (given.operands.length > 0) throw new UsageError("pay audit takes flags only", "audit")
  const asJson = given.flags.has("json")
  return OperatorGateway.ending(asJson, async () => {
    const gateway = await OperatorGateway.make(given)
    const { entries, next } = await gateway.json({
      path: "/operator/audit",
      query: Object.fromEntries(
        ["subject", "from", "to", "after", "limit"].map((name) => [name, given.flags.get(name)])
      )
    })
    const rows = Rows.table(Rows.rowsOf(entries), ["at", "actor", "action", "outcome", "subject", "detail"])
    const text = typeof next === "string" ? `${rows}\n\nMore: --after ${next}` : rows
    Output.print({ text, json: { outcome: "answered", entries, ...(next !== undefined && { next }) } }, asJson)
    return codes.ok
  })
}
