import { describe, expect, it } from "@effect/vitest"
import { type Account, compare } from "../src/Compare.ts"
import type { Action, Booked, Charge, ShopReport } from "../src/Payment.ts"

const charge = (capturedMinor: number, rest: Partial<Charge> = {}): Charge => ({
  ...{ orderId: "1", clientOrderId: "a-1", capturedMinor, heldMinor: 0, refundsMinor: [] },
  ...rest
})

interface Row {
  readonly says: string
  readonly action?: Action
  readonly charges?: ReadonlyArray<Charge>
  readonly payoutsMinor?: ReadonlyArray<number>
  readonly answer?: Account["answer"]
  readonly refundAnswer?: Account["answer"]
  readonly report: ShopReport
  readonly isForged?: boolean
  readonly kinds: ReadonlyArray<string>
}

const [once, twice] = [[charge(1042)], [charge(1042), charge(1042, { clientOrderId: "a-2" })]]

const rows: ReadonlyArray<Row> = [
  { says: "paid once, told once", charges: once, answer: "paid", report: { paid: "yes" }, kinds: [] },
  { says: "declined, and told", answer: "failed", report: { paid: "no" }, kinds: [] },
  { says: "an error page, and paid in the end", charges: once, report: { paid: "yes" }, kinds: [] },
  { says: "an error page, and unpaid in the end", report: { paid: "no" }, kinds: [] },
  { says: "held, and shipped later", charges: [charge(0, { heldMinor: 1042 })], report: { paid: "yes" }, kinds: [] },
  { says: "two payments", charges: twice, report: { paid: "yes" }, kinds: ["chargedTwice"] },
  {
    says: "two payments, one given back",
    charges: [charge(1042), charge(1042, { refundsMinor: [1042] })],
    report: { paid: "yes" },
    kinds: []
  },
  {
    says: "two payments, both unknown to the shop",
    charges: twice,
    report: { paid: "no" },
    kinds: ["chargedTwice", "chargedNotTold"]
  },
  { says: "another amount", charges: [charge(1000)], report: { paid: "yes" }, kinds: ["wrongAmount"] },
  { says: "paid, and the shop says unpaid", charges: once, report: { paid: "no" }, kinds: ["chargedNotTold"] },
  {
    says: "paid, and the customer saw a failure",
    charges: once,
    answer: "failed",
    report: { paid: "yes" },
    kinds: ["chargedNotTold"]
  },
  { says: "paid, and the shop does not know", charges: once, report: { paid: "open" }, kinds: ["stuck"] },
  { says: "unpaid, and the shop does not know", report: { paid: "open" }, kinds: ["stuck"] },
  { says: "unpaid, and the shop says paid", report: { paid: "yes" }, kinds: ["toldNotCharged"] },
  { says: "unpaid, and the customer saw success", answer: "paid", report: { paid: "no" }, kinds: ["toldNotCharged"] },
  {
    says: "unpaid, and a forged callback said paid",
    isForged: true,
    report: { paid: "yes" },
    kinds: ["forgedBelieved"]
  },
  { says: "unpaid, and shipped", report: { paid: "no", shipped: true }, kinds: ["shippedUnpaid"] },
  { says: "paid, and not shipped", charges: once, report: { paid: "yes", shipped: false }, kinds: ["notShipped"] },
  {
    says: "refunded once, told",
    action: "refund",
    charges: [charge(1042, { refundsMinor: [1042] })],
    refundAnswer: "paid",
    report: { paid: "yes", refunded: true },
    kinds: []
  },
  {
    says: "refunded, and the clerk saw an error",
    action: "refund",
    charges: [charge(1042, { refundsMinor: [1042] })],
    refundAnswer: "open",
    report: { paid: "yes" },
    kinds: []
  },
  {
    says: "a refund that the shop does not know",
    action: "refund",
    charges: [charge(1042, { refundsMinor: [1042] })],
    refundAnswer: "open",
    report: { paid: "yes", refunded: false },
    kinds: ["refundLost"]
  },
  {
    says: "a refund that the bank does not know",
    action: "refund",
    charges: once,
    refundAnswer: "paid",
    report: { paid: "yes", refunded: true },
    kinds: ["refundLost"]
  },
  {
    says: "two refunds",
    action: "refund",
    charges: [charge(2084, { refundsMinor: [1042, 1042] })],
    refundAnswer: "paid",
    report: { paid: "yes", refunded: true },
    kinds: ["wrongAmount", "refundedTwice"]
  },
  { says: "no refund, because it was never paid", action: "refund", report: { paid: "no" }, kinds: [] },
  { says: "paid out once", action: "payout", payoutsMinor: [1042], report: { paid: "open", paidOut: true }, kinds: [] },
  {
    says: "paid out twice",
    action: "payout",
    payoutsMinor: [1042, 1042],
    report: { paid: "open", paidOut: true },
    kinds: ["paidOutTwice"]
  },
  {
    says: "paid out, and the shop does not know",
    action: "payout",
    payoutsMinor: [1042],
    report: { paid: "open", paidOut: false },
    kinds: ["payoutLost"]
  },
  {
    says: "not paid out, and the shop says so",
    action: "payout",
    answer: "failed",
    report: { paid: "open" },
    kinds: []
  },
  {
    says: "not paid out, and the shop says it was",
    action: "payout",
    answer: "paid",
    report: { paid: "open" },
    kinds: ["payoutLost"]
  }
]

const account = ({
  action = "buy",
  answer = "open",
  charges = [],
  isForged,
  payoutsMinor = [],
  refundAnswer,
  report
}: Row): Account => {
  const booked: Booked = { charges, payoutsMinor }
  const met = isForged === true ? [{ fault: "forgedCallback", moment: { of: "callback", index: 1 } } as const] : []
  return {
    order: { case: { number: 1, action, faults: [] }, name: "a", amountMinor: 1042, currency: "USD" },
    observation: { requests: [], callbacks: 0, met, timeline: [] },
    ...{ booked, answer, refundAnswer, report }
  }
}

describe("the comparison of three books", () => {
  it.each(rows)("$says: $kinds", (row) => {
    const differences = compare(account(row))
    expect(differences.map(({ kind }) => kind)).toEqual(row.kinds)
    for (const { difference } of differences) expect(difference).toMatch(/^[A-Z].*\.$/)
  })
})
