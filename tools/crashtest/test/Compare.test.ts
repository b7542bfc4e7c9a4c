import { describe, it } from "@effect/vitest"
import { charge, check, later, type Row } from "./Accounts.ts"

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
    says: "a hold that was released",
    charges: [charge(0, { releasedMinor: 1042 })],
    report: { paid: "no" },
    kinds: []
  },
  {
    says: "two holds, one released",
    charges: [charge(1042), charge(0, { releasedMinor: 1042 })],
    report: { paid: "yes", shipped: true },
    kinds: []
  },
  {
    says: "shipped, and never captured",
    charges: [charge(0, { heldMinor: 1042 })],
    report: { paid: "yes", shipped: true },
    kinds: ["shippedUnpaid"]
  },
  {
    says: "a subscription with two later charges",
    action: "subscribe",
    charges: [charge(1042), later("9"), later("9")],
    report: { paid: "yes" },
    kinds: []
  },
  {
    says: "a subscription that begins later, twice",
    action: "subscribe",
    charges: [later("8"), later("9"), later("8")],
    report: { paid: "yes" },
    kinds: ["chargedTwice"]
  },
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
    says: "paid out, and the clerk saw a failure",
    action: "payout",
    answer: "failed",
    payoutsMinor: [1042],
    report: { paid: "open", paidOut: true },
    kinds: ["payoutLost"]
  },
  {
    says: "another amount paid out",
    action: "payout",
    payoutsMinor: [1000],
    report: { paid: "open", paidOut: true },
    kinds: ["wrongAmount"]
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

describe("the comparison of three books", () => {
  it.each(rows)("$says: $kinds", check)
})
