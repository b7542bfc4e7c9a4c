/** Compares the three books of an order: the bank's, the gateway's, and what the shop says. */
import * as Money from "@pay/schema/Money"
import type { Answer, AskedRefund, Booked, Charge, Observation, Order, ShopReport } from "../plan/Payment.ts"
import * as Charges from "./Charges.ts"
import type { Kind } from "./Finding.ts"

/** What everybody says of an order at the end. */
export interface Account {
  readonly order: Order
  readonly observation: Observation
  readonly booked: Booked
  /** What the customer saw. */
  readonly answer: Answer
  /** The refund that a clerk asked for, if he did. */
  readonly refund?: AskedRefund | undefined
  readonly report: ShopReport
}

/** A difference, in one sentence with amounts. */
export interface Difference {
  readonly kind: Kind
  readonly difference: string
}

const sum = (minors: ReadonlyArray<number>): number => minors.reduce((total, minor) => total + minor, 0)

const difference = (kind: Kind, text: string): Difference => ({ kind, difference: text })

const list = (charges: ReadonlyArray<Charge>, text: (minor: number) => string): string =>
  charges.map((charge) => `${text(Charges.paidMinor(charge))} as client_orderid ${charge.clientOrderId}`).join(", ")

/** Compares what the shop says of an order whose payment the bank has. */
const ofPaid = (account: Account, charge: Charge, text: (minor: number) => string): ReadonlyArray<Difference> => {
  const { answer, refund, report } = account
  const bank = `the bank has ${text(Charges.paidMinor(charge))}`
  const isRefunded = report.refunded === true && Charges.isGivenBack(charge)
  if (report.paid !== "yes" && !isRefunded)
    return report.paid === "no"
      ? [difference("chargedNotTold", `The shop says unpaid, and ${bank}.`)]
      : [difference("stuck", `The shop says neither paid nor unpaid, and ${bank}.`)]
  if (answer === "failed")
    return [difference("chargedNotTold", `The customer saw that the payment failed, and ${bank}.`)]
  if (refund !== undefined || report.shipped === undefined) return []
  if (!report.shipped) return [difference("notShipped", `The shop says paid and has not shipped, and ${bank}.`)]
  return charge.heldMinor === 0
    ? []
    : [difference("shippedUnpaid", `The shop has shipped, and the bank still holds ${text(charge.heldMinor)}.`)]
}

/** Compares what the shop says of an order whose payment the bank does not have. */
const ofUnpaid = ({ answer, observation, report }: Account): ReadonlyArray<Difference> => {
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

/** Compares a payment of a customer. */
const ofCharge = (account: Account, text: (minor: number) => string): ReadonlyArray<Difference> => {
  const { booked, order, refund } = account
  const charges = Charges.counted(booked, refund)
  const [charge] = charges
  if (charge === undefined) return ofUnpaid(account)
  const ownWords = ofPaid(account, charge, text)
  if (charges.length > 1)
    return [
      difference("chargedTwice", `The bank has ${charges.length} payments for one order: ${list(charges, text)}.`),
      ...ownWords
    ]
  return Charges.paidMinor(charge) === order.amountMinor
    ? ownWords
    : [
        difference("wrongAmount", `The order is ${text(order.amountMinor)}, the bank has ${list(charges, text)}.`),
        ...ownWords
      ]
}

/** Whether the shop says that the order is refunded. `undefined`: it says neither. */
const saysRefunded = ({ refund, report }: Account): boolean | undefined =>
  report.refunded ?? (refund === undefined || refund.answer === "open" ? undefined : refund.answer === "paid")

/** Compares the refund that a clerk asked for with those of the bank. */
const ofRefund = (account: Account, text: (minor: number) => string): ReadonlyArray<Difference> => {
  const { booked, refund } = account
  if (refund === undefined) return []
  const { amountMinor, answer } = refund
  const refunds = Charges.counted(booked, refund).flatMap(Charges.givenBackMinor)
  const [totalMinor, says] = [sum(refunds), saysRefunded(account)]
  if (totalMinor > amountMinor)
    return [
      refunds.length > 1
        ? difference("refundedTwice", `The bank has ${refunds.length} refunds: ${refunds.map(text).join(", ")}.`)
        : difference("wrongAmount", `The refund is ${text(amountMinor)}, the bank has refunded ${text(totalMinor)}.`)
    ]
  const lost = (words: string) => [difference("refundLost", words)]
  if (totalMinor === 0) {
    if (says === true) return lost("The shop says refunded, and the bank has no refund.")
    const isPromised = answer === "paid" && account.report.unrefunded === false
    return isPromised ? lost("The clerk was promised a refund, the bank has none, and the shop does not say why.") : []
  }
  const bank = `has refunded ${text(totalMinor)}`
  if (says === false) return lost(`The bank ${bank}, and the shop does not say so.`)
  if (answer === "failed") return lost(`The clerk saw that the refund failed, and the bank ${bank}.`)
  return says === true && totalMinor < amountMinor
    ? lost(`The shop says refunded, and the bank ${bank} of ${text(amountMinor)}.`)
    : []
}

/** Compares a payout. */
const ofPayout = (account: Account, text: (minor: number) => string): ReadonlyArray<Difference> => {
  const { answer, booked, order, report } = account
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
  const bank = `has paid out ${text(paid)}`
  if (paid !== order.amountMinor)
    return [difference("wrongAmount", `The payout is ${text(order.amountMinor)}, and the bank ${bank}.`)]
  if (!isTold) return [difference("payoutLost", `The bank ${bank}, and the shop does not say so.`)]
  return answer === "failed"
    ? [difference("payoutLost", `The clerk saw that the payout failed, and the bank ${bank}.`)]
    : []
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
