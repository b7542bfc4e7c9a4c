/** `pay audit`: who did what with an operator's or an approver's rights. */
import { commands } from "../Commands.ts"
import { codes } from "../ExitCode.ts"
import * as OperatorRoom from "../OperatorRoom.ts"
import * as Rows from "../Rows.ts"

const names = ["at", "actor", "action", "outcome", "subject", "detail"]

export const run = OperatorRoom.running("audit", commands.audit, { "": 0 }, async ({ gateway, given, tell }) => {
  const query = OperatorRoom.queryOf(given, ["subject", "from", "to", "after", "limit"])
  const page = await gateway.json({ path: "/operator/audit", query })
  tell(OperatorRoom.listed(Rows.table(Rows.rowsOf(page.entries), names), page.next), page)
  return codes.ok
})
