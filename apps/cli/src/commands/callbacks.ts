/** `pay callbacks`: what merchants were told, and telling them again. */
import { commands } from "../Commands.ts"
import { codes } from "../ExitCode.ts"
import * as OperatorRoom from "../OperatorRoom.ts"
import * as Rows from "../Rows.ts"

const columns = ["created", "id", "merchant", "state", "tries", "result", "address"]

export const run = OperatorRoom.running(
  "callbacks",
  commands.callbacks,
  { list: 0, resend: 1 },
  async ({ gateway, given, operands: [id = ""], tell, verb }) => {
    if (verb === "resend") {
      const sent = await gateway.json({ method: "POST", path: `/operator/callbacks/${encodeURIComponent(id)}/resend` })
      tell(`${id} is on its way again, after ${sent.tries} tries.`, { callback: sent })
      return codes.ok
    }
    const query = OperatorRoom.queryOf(given, ["order", "state", "limit"])
    const found = await gateway.json({ path: "/operator/callbacks", query })
    tell(Rows.table(Rows.rowsOf(found.callbacks), columns), found)
    return codes.ok
  }
)
