/** `pay bookings import`: sends a bank's list from a file to the gateway, in parts. */

import { codes, type ExitCode } from "../terminal/ExitCode.ts"
import * as Files from "../terminal/Files.ts"
import { UsageError } from "../terminal/UsageError.ts"
import * as BookingList from "./BookingList.ts"
import type { OperatorWork } from "./OperatorWork.ts"

const bookingsPerCall = 500

export const run = async ({
  client,
  given,
  operands: [file = ""],
  operation,
  print,
  progress
}: OperatorWork): Promise<ExitCode> => {
  const absent = ["source", "from", "to"].filter((name) => !given.flags.has(name))
  if (absent.length > 0) throw new UsageError(`Give ${absent.map((name) => `--${name}`).join(", ")}`, "bookings")
  const [from = "", to = "", source] = [given.flags.get("from"), given.flags.get("to"), given.flags.get("source")]
  if (source !== "bank" && source !== "rail") throw new UsageError("--source is bank or rail", "bookings")
  const acquirer = given.flags.get("acquirer")
  const rows = BookingList.read(await Files.read("file", file))
  let missing = 0
  for (let at = 0; at === 0 || at < rows.length; at += bookingsPerCall) {
    const bookings = rows.slice(at, at + bookingsPerCall)
    const isLast = at + bookingsPerCall >= rows.length
    const input = {
      source,
      bookings,
      ...(acquirer === undefined ? {} : { acquirer }),
      ...(isLast ? { covers: { from, to } } : {})
    }
    missing += Number((await client.call(operation, input)).missing)
    progress(`${Math.min(at + bookingsPerCall, rows.length)} of ${rows.length} bookings`)
  }
  print(`Imported ${rows.length} bookings; ${missing} of them are not known here.`, {
    bookings: rows.length,
    missing
  })
  return codes.ok
}
