import { describe, it } from "@effect/vitest"
import { charge, check, type Row, refunded } from "./Accounts.ts"

const once = [charge(1042)]

const rows: ReadonlyArray<Row> = [
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
    says: "a refund that the clerk was promised, and that was never sent",
    action: "refund",
    charges: once,
    refundAnswer: "paid",
    report: { paid: "yes", refunded: false, unrefunded: false },
    kinds: ["refundLost"]
  },
  {
    says: "a refund that the clerk was promised, and that was refused",
    action: "refund",
    charges: once,
    refundAnswer: "paid",
    report: { paid: "yes", refunded: false, unrefunded: true },
    kinds: []
  },
  {
    says: "a refund that was refused, as the clerk saw",
    action: "refund",
    charges: once,
    refundAnswer: "failed",
    report: { paid: "yes", refunded: false, unrefunded: false },
    kinds: []
  },
  {
    says: "two refunds",
    action: "refund",
    charges: [charge(2084, { refundsMinor: [1042, 1042] })],
    refundAnswer: "paid",
    report: { paid: "yes", refunded: true },
    kinds: ["wrongAmount", "refundedTwice"]
  },
  {
    says: "a duplicate that the shop gave back before the refund",
    action: "refund",
    charges: [refunded("1", 1042), refunded("2", 1042)],
    refundAnswer: "paid",
    givenBackBefore: ["1"],
    report: { paid: "yes", refunded: true },
    kinds: []
  },
  {
    says: "a duplicate that the shop gave back after the refund",
    action: "refund",
    charges: [refunded("1", 1042), refunded("2", 1042)],
    refundAnswer: "paid",
    report: { paid: "yes", refunded: true },
    kinds: []
  },
  {
    says: "a duplicate that the shop gave back, and a refund that the bank declined",
    action: "refund",
    charges: [refunded("1", 1042), refunded("2")],
    refundAnswer: "failed",
    givenBackBefore: ["1"],
    report: { paid: "yes", refunded: false },
    kinds: []
  },
  {
    says: "a duplicate, and the refund of one of the two",
    action: "refund",
    charges: [refunded("1", 1042), refunded("2")],
    refundAnswer: "paid",
    report: { paid: "yes", refunded: true },
    kinds: ["chargedTwice"]
  },
  {
    says: "a refund in two halves",
    action: "refund",
    charges: [refunded("1", 521, 521)],
    refundAnswer: "paid",
    report: { paid: "yes", refunded: true },
    kinds: []
  },
  {
    says: "half a refund, and the shop says refunded",
    action: "refund",
    charges: [refunded("1", 521)],
    refundAnswer: "paid",
    report: { paid: "yes", refunded: true },
    kinds: ["refundLost"]
  },
  {
    says: "the refund of a part",
    action: "refund",
    charges: [refunded("1", 500)],
    refundAnswer: "paid",
    refundMinor: 500,
    report: { paid: "yes", refunded: true },
    kinds: []
  },
  {
    says: "the refund of a part, twice, and together less than the order",
    action: "refund",
    charges: [refunded("1", 500, 500)],
    refundAnswer: "paid",
    refundMinor: 500,
    report: { paid: "yes", refunded: true },
    kinds: ["refundedTwice"]
  },
  {
    says: "the refund of the whole in place of a part",
    action: "refund",
    charges: [refunded("1", 1042)],
    refundAnswer: "paid",
    refundMinor: 500,
    report: { paid: "yes", refunded: true },
    kinds: ["wrongAmount"]
  },
  {
    says: "the refund of a part, and a duplicate that is given back later",
    action: "refund",
    charges: [refunded("1", 1042), refunded("2", 500)],
    refundAnswer: "paid",
    refundMinor: 500,
    report: { paid: "yes", refunded: true },
    kinds: []
  },
  {
    says: "a refund, and an order that is called refunded instead of paid",
    action: "refund",
    charges: [refunded("1", 1042)],
    refundAnswer: "paid",
    report: { paid: "no", refunded: true },
    kinds: []
  },
  {
    says: "a hold that is released as the refund",
    action: "refund",
    charges: [charge(0, { releasedMinor: 1042 })],
    refundAnswer: "paid",
    report: { paid: "yes", refunded: true },
    kinds: []
  },
  {
    says: "a refund that the clerk saw fail",
    action: "refund",
    charges: [refunded("1", 1042)],
    refundAnswer: "failed",
    report: { paid: "yes", refunded: true },
    kinds: ["refundLost"]
  },
  { says: "no refund, because it was never paid", action: "refund", report: { paid: "no" }, kinds: [] }
]

describe("the comparison of refunds", () => {
  it.each(rows)("$says: $kinds", check)
})
