/** `pay bookings`: what a restored gateway does not know of bank and rail. */
import * as BookingList from "../BookingList.ts"
import { codes } from "../ExitCode.ts"
import * as Files from "../Files.ts"
import { commands } from "../OperatorCommands.ts"
import * as OperatorRoom from "../OperatorRoom.ts"
import * as Rows from "../Rows.ts"
import { UsageError } from "../UsageError.ts"

const columns = ["booked", "source", "reference", "merchant", "clientOrderId", "kind", "amount", "currency", "result"]
const path = "/operator/bookings"
const bookingsAtOnce = 500

export const run = OperatorRoom.running(
  "bookings",
  commands.bookings,
  { status: 0, list: 0, import: 1, close: 1 },
  async ({ gateway, given, operands, progress, tell, verb }) => {
    const [operand = ""] = operands
    const required = (...names: ReadonlyArray<string>): ReadonlyArray<string> => {
      const missing = names.filter((name) => !given.flags.has(name))
      if (missing.length > 0) throw new UsageError(`Give ${missing.map((name) => `--${name}`).join(", ")}`, "bookings")
      return names.map((name) => given.flags.get(name) ?? "")
    }
    switch (verb) {
      case "status": {
        const found = await gateway.json({ path: "/operator/restoration" })
        const { sources, ...head } = found
        tell(
          `${Rows.card(head)}\n\n${Rows.table(Rows.rowsOf(sources), ["source", "from", "to", "bookings", "forgotten", "done", "doneBy"])}`,
          found
        )
        return codes.ok
      }
      case "list": {
        const found = await gateway.json({ path, query: OperatorRoom.queryOf(given, ["state", "limit", "after"]) })
        tell(OperatorRoom.listed(Rows.table(Rows.rowsOf(found.bookings), columns), found.next), found)
        return codes.ok
      }
      case "close": {
        const [source = "", note] = required("source", "note")
        const closed = await gateway.json({
          method: "POST",
          path: `${path}/${source}/${operand}/close`,
          body: { note }
        })
        tell(`Closed\n${Rows.card(closed)}`, closed)
        return codes.ok
      }
      default: {
        const [source, from, to] = required("source", "from", "to")
        const rows = BookingList.read(await Files.read("file", operand))
        let forgotten = 0
        for (let at = 0; at === 0 || at < rows.length; at += bookingsAtOnce) {
          const bookings = rows.slice(at, at + bookingsAtOnce)
          const isLast = at + bookingsAtOnce >= rows.length
          const body = { source, bookings, ...(isLast ? { covers: { from, to } } : {}) }
          const done = await gateway.json({ method: "POST", path: `${path}/import`, body })
          forgotten += Number(done.forgotten)
          progress(`${Math.min(at + bookingsAtOnce, rows.length)} of ${rows.length} bookings`)
        }
        tell(`Imported ${rows.length} bookings; ${forgotten} of them are not known here.`, {
          bookings: rows.length,
          forgotten
        })
        return codes.ok
      }
    }
  }
)
