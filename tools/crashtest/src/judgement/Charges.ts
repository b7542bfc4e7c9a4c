/** What the payments of one order amount to: which of them the customer has still paid, and what was given back. */
import type { AskedRefund, Booked, Charge } from "../plan/Payment.ts"

const sum = (minors: ReadonlyArray<number>): number => minors.reduce((total, minor) => total + minor, 0)

/** A hold that was released whole is a payment that was given back. What a capture leaves of a hold was never paid. */
const releaseOf = ({ capturedMinor, heldMinor, releasedMinor }: Charge): ReadonlyArray<number> =>
  capturedMinor + heldMinor === 0 && releasedMinor > 0 ? [releasedMinor] : []

/** What the customer paid, in minor units, also if it was given back. */
export const paidMinor = (charge: Charge): number => charge.capturedMinor + charge.heldMinor + sum(releaseOf(charge))

/** What was given back, in minor units, one for each time. */
export const givenBackMinor = (charge: Charge): ReadonlyArray<number> => [...charge.refundsMinor, ...releaseOf(charge)]

/** Whether all of it was given back. */
export const isGivenBack = (charge: Charge): boolean => sum(givenBackMinor(charge)) >= paidMinor(charge)

/** The payments without the later ones of a subscription, which are due. Of a subscription that begins later, its first. */
const withoutLater = (charges: ReadonlyArray<Charge>): ReadonlyArray<Charge> => {
  const firsts = charges.filter(({ recurring }) => recurring === undefined)
  if (firsts.length > 0) return firsts
  return [...new Map(charges.toReversed().map((charge) => [charge.recurring, charge])).values()]
}

/** The payment that a clerk had refunded. `undefined`: none was. */
const refunded = (charges: ReadonlyArray<Charge>, { amountMinor }: AskedRefund): Charge | undefined =>
  charges.find((charge) => sum(givenBackMinor(charge)) === amountMinor) ??
  (charges.every(isGivenBack) ? charges[0] : undefined)

/**
 * The payments that count: those that the customer has still paid, and the one that a clerk had refunded. A payment that the shop
 * gave back by itself does not count, because many careful shops return a duplicate.
 */
export const counted = ({ charges }: Booked, refund: AskedRefund | undefined): ReadonlyArray<Charge> => {
  const due = withoutLater(charges)
  if (refund === undefined) return due.filter((charge) => !isGivenBack(charge))
  const later = due.filter(({ orderId }) => !refund.givenBackBefore.includes(orderId))
  const own = refunded(later, refund)
  return later.filter((charge) => charge === own || !isGivenBack(charge))
}
