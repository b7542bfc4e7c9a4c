/** Differences to the bank's books that resolved tasks explain: unexpected approvals, and their reversals. Pure. */

import type { BankTotals } from "../../orders/bank/BankBooks.ts"
import { type BankTask, isClosed } from "../../orders/record/BankTask.ts"
import * as Booking from "../../orders/record/Booking.ts"

const effects: Readonly<Record<string, ReadonlyArray<Exclude<keyof BankTotals, "chargedBackMinor">>>> = {
  sale: ["authorizedMinor", "capturedMinor", "refundedMinor"],
  capture: ["capturedMinor", "refundedMinor"],
  authorize: ["authorizedMinor", "voidedMinor"]
}

/**
 * Returns the bank's totals of an order without the amounts of its reversed tasks. If an operator closed one of the tasks, the
 * result is `notCompared`, because the amounts at the bank may differ.
 */
export const without = (
  totals: BankTotals | undefined | "notCompared",
  tasks: ReadonlyArray<BankTask>
): BankTotals | undefined | "notCompared" => {
  if (totals === "notCompared" || totals === undefined) return totals
  if (tasks.some(isClosed)) return "notCompared"
  const left = { ...totals }
  for (const { amountMinor, reference } of tasks)
    for (const name of effects[Booking.parse(reference)?.kind ?? ""] ?? []) left[name] -= amountMinor
  return left
}

/** Returns the references of bookings that tasks explain, so that they need no order. */
export const references = (tasks: ReadonlyArray<BankTask>): ReadonlySet<string> =>
  new Set(
    tasks.flatMap(({ reference, reversalReference }) => [
      reference,
      ...(reversalReference === null ? [] : [reversalReference])
    ])
  )
