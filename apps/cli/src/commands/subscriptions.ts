/** `pay subscriptions`: recurring payments, and one with its occurrences. */

import { codes } from "../ExitCode.ts"
import * as OperatorRoom from "../OperatorRoom.ts"
import { commands } from "../RecurringCommands.ts"
import * as Rows from "../Rows.ts"

const columns = ["created", "id", "merchant", "merchantOrder", "state", "amount", "currency", "schedule", "next"]
const occurrences = ["n", "day", "progress", "order", "attempts", "nextTry", "reason"]

export const run = OperatorRoom.running(
  "subscriptions",
  commands.subscriptions,
  { list: 0, show: 1 },
  async ({ gateway, given, operands: [id = ""], tell, verb }) => {
    if (verb === "show") {
      const shown = await gateway.json({ path: `/operator/subscriptions/${encodeURIComponent(id)}` })
      const rows = Rows.table(Rows.rowsOf(shown.occurrences), occurrences)
      tell(`${Rows.card(shown)}\n\noccurrences\n${rows}`, { subscription: shown })
      return codes.ok
    }
    const query = OperatorRoom.queryOf(given, ["merchant", "state", "limit", "after"])
    const found = await gateway.json({ path: "/operator/subscriptions", query })
    tell(OperatorRoom.listed(Rows.table(Rows.rowsOf(found.subscriptions), columns), found.next), found)
    return codes.ok
  }
)
