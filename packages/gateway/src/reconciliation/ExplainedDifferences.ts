/** What settled tasks explain of the bank's books: answers that no order could follow, and what was given back. Pure. */

import * as Booking from "../orders/Booking.ts"
import { type BankTask, isClosed } from "../orders/outcomes/BankTask.ts"
import type { BankTotals } from "../restore/BankBooks.ts"

const effects: Readonly<Record<string, ReadonlyArray<keyof BankTotals>>> = {
  sale: ["authorizedMinor", "capturedMinor", "refundedMinor"],
  capture: ["capturedMinor", "refundedMinor"],
  authorize: ["authorizedMinor", "releasedMinor"]
}

/** The totals without what was taken and given back. What a person settled by other ways may stand anyhow: it is not asked. */
export const without = (
  totals: BankTotals | undefined | "unasked",
  tasks: ReadonlyArray<BankTask>
): BankTotals | undefined | "unasked" => {
  if (totals === "unasked" || totals === undefined) return totals
  if (tasks.some(isClosed)) return "unasked"
  const left = { ...totals }
  for (const { amountMinor, reference } of tasks)
    for (const name of effects[Booking.parse(reference)?.kind ?? ""] ?? []) left[name] -= amountMinor
  return left
}

/** References that need no order any more. */
export const references = (tasks: ReadonlyArray<BankTask>): ReadonlySet<string> =>
  new Set(
    tasks.flatMap(({ reference, reversalReference }) => [
      reference,
      ...(reversalReference === null ? [] : [reversalReference])
    ])
  )
