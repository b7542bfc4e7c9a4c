/** Compares the three books of an order: the bank's, the gateway's, and what the shop says. */
import * as Money from "@pay/schema/Money"
import type { Kind } from "./Finding.ts"
import type { Answer, Booked, Charge, Observation, Order, ShopReport } from "./Payment.ts"

/** What everybody says of an order at the end. */
export interface Account {
  readonly order: Order
  readonly observation: Observation
  readonly booked: Booked
  /** What the customer saw. */
  readonly answer: Answer
  /** What the shop answered to the clerk who refunds, if it was asked to. */
  readonly refundAnswer?: Answer | undefined
  readonly report: ShopReport
}

/** A difference, in one sentence with amounts. */
export interface Difference {
  readonly kind: Kind
  readonly difference: string
}

/** What the bank has of a charge after refunds, with what it still holds. */
const netMinor = ({ capturedMinor, heldMinor, refundsMinor }: Charge): number =>
  capturedMinor + heldMinor - refundsMinor.reduce((sum, minor) => sum + minor, 0)

const sum = (minors: ReadonlyArray<number>): number => minors.reduce((total, minor) => total + minor, 0)

const difference = (kind: Kind, text: string): Difference => ({ kind, difference: text })

/** The charges that the customer has paid and that nobody gave back. A refund that was asked for gives none back. */
const keptCharges = ({ booked: { charges }, order }: Account): ReadonlyArray<Charge> =>
  order.case.action === "refund"
    ? charges.filter(({ capturedMinor, heldMinor }) => capturedMinor + heldMinor > 0)
    : charges.filter((charge) => netMinor(charge) > 0)

const list = (charges: ReadonlyArray<Charge>, text: (minor: number) => string): string =>
  charges
    .map((charge) => `${text(charge.capturedMinor + charge.heldMinor)} as client_orderid ${charge.clientOrderId}`)
    .join(", ")

/** Compares a payment of a customer. */
const ofCharge = (account: Account, text: (minor: number) => string): ReadonlyArray<Difference> => {
  const { answer, observation, order, report } = account
  const kept = keptCharges(account)
  const [charge] = kept
  if (charge === undefined) {
    const isForged = observation.met.some(({ fault }) => fault === "forgedCallback")
    const believed = isForged ? "forgedBelieved" : "toldNotCharged"
    if (report.shipped === true)
      return [difference("shippedUnpaid", "The shop has shipped, and the bank has no payment.")]
    if (report.paid === "yes") return [difference(believed, "The shop says paid, and the bank has no payment.")]
    if (answer === "paid")
      return [difference(believed, "The customer saw that he has paid, and the bank has no payment.")]
    return report.paid === "open"
      ? [difference("stuck", "The bank has no payment, and the shop says neither paid nor unpaid.")]
      : []
  }
  const differences: Array<Difference> = []
  if (kept.length > 1)
    differences.push(
      difference("chargedTwice", `The bank has ${kept.length} payments for one order: ${list(kept, text)}.`)
    )
  else if (charge.capturedMinor + charge.heldMinor !== order.amountMinor)
    differences.push(
      difference("wrongAmount", `The order is ${text(order.amountMinor)}, the bank has ${list(kept, text)}.`)
    )
  const bank = `the bank has ${text(charge.capturedMinor + charge.heldMinor)}`
  if (report.paid === "no") differences.push(difference("chargedNotTold", `The shop says unpaid, and ${bank}.`))
  else if (report.paid === "open")
    differences.push(difference("stuck", `The shop says neither paid nor unpaid, and ${bank}.`))
  else if (answer === "failed")
    differences.push(difference("chargedNotTold", `The customer saw that the payment failed, and ${bank}.`))
  else if (report.shipped === false && order.case.action !== "refund")
    differences.push(difference("notShipped", `The shop says paid and has not shipped, and ${bank}.`))
  return differences
}

/** Compares the refund of an order, if its payment was charged once. */
const ofRefund = (account: Account, text: (minor: number) => string): ReadonlyArray<Difference> => {
  const { booked, refundAnswer, report } = account
  const refunds = booked.charges.flatMap(({ refundsMinor }) => refundsMinor)
  const [refund] = refunds
  if (refundAnswer === undefined) return []
  if (refunds.length > 1 && sum(refunds) > account.order.amountMinor)
    return [difference("refundedTwice", `The bank has ${refunds.length} refunds: ${refunds.map(text).join(", ")}.`)]
  if (refund === undefined)
    return report.refunded === true || (report.refunded === undefined && refundAnswer === "paid")
      ? [difference("refundLost", "The shop says refunded, and the bank has no refund.")]
      : []
  const isUnknownToShop = report.refunded === false || (report.refunded === undefined && refundAnswer === "failed")
  return isUnknownToShop
    ? [difference("refundLost", `The bank has refunded ${text(refund)}, and the shop does not say so.`)]
    : []
}

/** Compares a payout. */
const ofPayout = (account: Account, text: (minor: number) => string): ReadonlyArray<Difference> => {
  const { answer, booked, report } = account
  const [paid, ...more] = booked.payoutsMinor
  const isTold = report.paidOut ?? answer === "paid"
  if (more.length > 0)
    return [
      difference(
        "paidOutTwice",
        `The bank has ${more.length + 1} payouts for one: ${booked.payoutsMinor.map(text).join(", ")}.`
      )
    ]
  if (paid === undefined)
    return isTold ? [difference("payoutLost", "The shop says paid out, and the bank has no payout.")] : []
  return isTold ? [] : [difference("payoutLost", `The bank has paid out ${text(paid)}, and the shop does not say so.`)]
}

/** Returns in what the books differ. Empty if they agree. */
export const compare = (account: Account): ReadonlyArray<Difference> => {
  const { case: own, currency } = account.order
  const text = (minor: number) => `${Money.fromMinor(minor, currency)} ${currency}`
  switch (own.action) {
    case "buy":
    case "subscribe":
      return ofCharge(account, text)
    case "refund":
      return [...ofCharge(account, text), ...ofRefund(account, text)]
    case "payout":
      return ofPayout(account, text)
  }
}
