/** What a restored copy forgot, and what a request that is repeated makes of it. */
import { assert, describe, it } from "@effect/vitest"
import type * as Booking from "../../src/orders/Booking.ts"
import * as Adoption from "../../src/orders/restored/Adoption.ts"
import type { BankBooking } from "../../src/orders/restored/BankBooking.ts"
import { preauth, request } from "./Sample.ts"
import { guardsOf, rowsOf } from "./Written.ts"

const listed: Booking.Booking = {
  reference: "8-sale-0",
  clientOrderId: "INV-8",
  merchantId: "shop",
  kind: "sale",
  amountMinor: 1_000,
  currency: "USD",
  atMs: 500,
  result: "approved"
}
const row = (changes: Partial<BankBooking> = {}): BankBooking => ({
  ...Adoption.rowOf("bank", listed, "", 900),
  ...changes
})

describe("a request is a booking's own", () => {
  it.each([
    ["under its action and number", "capture", "capture", 1, true],
    ["not under another number", "capture", "capture", 2, false],
    ["not under another action", "capture", "refund", 1, false],
    ["of a whole return: the refund", "refundThenCancel", "refund", 1, true],
    ["of a whole return: the release", "refundThenCancel", "cancel", 1, true],
    ["of a whole return that is at its release: the refund", "cancel", "refund", 1, true],
    ["of a whole return: nothing else", "refundThenCancel", "refundThenCancel", 1, false]
  ] as const)("%s", (_, action, kind, sequence, isOwn) => {
    const reference = { orderId: "1", kind, sequence }
    assert.strictEqual(Adoption.isOwn(reference, request({ action, sequence: 1 })), isOwn)
    const others = [request({ action: "sale", sequence: 0 }), request({ action, sequence: 1 })]
    assert.strictEqual(Adoption.isKnown(reference, others), isOwn)
  })
})

describe("a booking is kept", () => {
  const { clientOrderId: _client, merchantId: _merchant, ...bare } = listed
  const nameless = { ...bare, clientOrderId: undefined, merchantId: undefined }
  it.each([
    ["as it was listed", listed, "8", "shop", "INV-8"],
    ["under the merchant who is known otherwise", nameless, "8", "other", null],
    ["without an order where the number is none of ours", { ...listed, reference: "x" }, "", "shop", "INV-8"]
  ] as const)("%s", (_, booking, orderId, merchantId, clientOrderId) => {
    const kept = Adoption.rowOf("bank", booking, "other", 900)
    assert.deepInclude(kept, { orderId, merchantId, clientOrderId, state: "open", foundAtMs: 900, bookedAtMs: 500 })
  })

  it("and told as it was listed", () => {
    assert.deepStrictEqual(Adoption.bookingOf(row()), listed)
    assert.deepStrictEqual(Adoption.bookingOf(row({ clientOrderId: null, merchantId: null })), nameless)
  })
})

describe("the period that may be forgotten", () => {
  const hourMs = 3_600_000
  it.each([
    ["begins before the last commit by the bank's processing time", 5_000, 4_000],
    ["does not begin before time", 500, 0],
    ["is everything where nothing was committed", null, 0]
  ] as const)("%s", (_, lastCommitAtMs, fromMs) =>
    assert.deepStrictEqual(Adoption.periodOf({ lastCommitAtMs }, 9_000, 1_000), { fromMs, toMs: 10_000 })
  )

  it("is asked for with an hour more on both sides", () => {
    const period = { fromMs: 2 * hourMs, toMs: 3 * hourMs }
    assert.deepStrictEqual(Adoption.listing(period), { fromMs: hourMs, toMs: 4 * hourMs })
    assert.deepStrictEqual(Adoption.listing({ fromMs: 1, toMs: 2 }), { fromMs: 0, toMs: hourMs + 2 })
  })
})

describe("a creation that is repeated", () => {
  const wanted = { action: "sale", amountsMinor: [2_000, 1_000], currency: "USD" } as const
  const payment = row({ reference: "8-pay-0", kind: "pay" })
  const cases: ReadonlyArray<
    readonly [what: string, ReadonlyArray<BankBooking>, Adoption.AdoptableRequest, expected: string]
  > = [
    ["takes over what was booked", [row()], wanted, "8 from 500 paid 8-sale-0"],
    [
      "takes over every try of that order",
      [row(), row({ reference: "8-sale-1" })],
      wanted,
      "8 from 500 paid 8-sale-0 8-sale-1"
    ],
    [
      "and none of another order",
      [row(), row({ reference: "9-sale-0", orderId: "9" })],
      wanted,
      "8 from 500 paid 8-sale-0"
    ],
    ["begins no later than the copy", [row({ bookedAtMs: 1_500 })], wanted, "8 from 1000 paid 8-sale-0"],
    [
      "begins with the first try",
      [row(), row({ reference: "8-sale-1", bookedAtMs: 400 })],
      wanted,
      "8 from 400 paid 8-sale-0 8-sale-1"
    ],
    ["is not paid where it was declined", [row({ result: "declined" })], wanted, "8 from 500 unpaid 8-sale-0"],
    ["may be paid where the bank cannot say", [row({ result: "unknown" })], wanted, "8 from 500 paid 8-sale-0"],
    [
      "is paid where one try of two was",
      [row({ result: "declined" }), row({ reference: "8-sale-1" })],
      wanted,
      "8 from 500 paid 8-sale-0 8-sale-1"
    ],
    ["finds nothing where nothing was booked", [], wanted, "none"],
    ["finds nothing that was taken over before", [row({ state: "adopted" })], wanted, "none"],
    ["finds nothing under a number that is none of ours", [row({ reference: "x" })], wanted, "none"],
    ["finds no follow-up", [row({ reference: "8-capture-1" })], wanted, "none"],
    ["of another amount differs", [row({ amountMinor: 3_000 })], wanted, "differs"],
    ["of another currency differs", [row({ currency: "EUR" })], wanted, "differs"],
    ["of another operation differs", [row({ reference: "8-authorize-0" })], wanted, "differs"],
    ["of a payout takes over its payment", [payment], { ...wanted, action: "pay" }, "8 from 500 paid 8-pay-0"],
    [
      "of a payout's check takes over its payment",
      [payment],
      { ...wanted, action: "check" },
      "8 from 500 paid 8-pay-0"
    ],
    ["of a sale takes over no payment", [payment], wanted, "differs"]
  ]
  it.each(cases)("%s", (_, rows, wish, expected) => {
    const result = Adoption.adoption(rows, wish, 1_000)
    const report =
      result === undefined || result === "differs"
        ? (result ?? "none")
        : `${result.orderId} from ${result.createdAtMs} ${result.isPaid ? "paid" : "unpaid"} ${result.rows.map(({ reference }) => reference).join(" ")}`
    assert.strictEqual(report, expected)
  })

  it("is accepted as long as nobody else takes the bookings over, whatever the balance", () => {
    const guards = [
      { _tag: "LeaseIs", itemId: "bank:2", token: "mine" },
      { _tag: "BalanceAtLeast", account: "a", minor: 5 }
    ] as const
    const registered = { order: preauth(), started: [], decision: { guards, writes: [] } }
    const adoption = { orderId: "8", createdAtMs: 1, rows: [row()], isPaid: true }
    const { decision } = Adoption.adopted(registered, adoption, 7)
    assert.deepStrictEqual(guardsOf(decision), ["lease bank:2 mine", "bankbookings bank,8-sale-0 v1"])
    assert.deepInclude(rowsOf(decision, "bankbookings")[0], { state: "adopted", version: 2, closedAtMs: 7 })
  })

  it.each([
    ["a payment of which nobody knows whose it is", {}, true],
    ["a payment that was taken over", { state: "adopted" }, false],
    ["a follow-up", { reference: "8-refund-1" }, false],
    ["a number that is none of ours", { reference: "x" }, false]
  ] as const)("may be anyone's: %s", (_, changes, expected) =>
    assert.strictEqual(Adoption.mayBeAnyones([row(changes)]), expected)
  )
})

describe("the number of a follow-up", () => {
  const capture = row({ reference: "8-capture-3", kind: "capture" })
  const refund = row({ reference: "8-refund-4", kind: "refund" })
  const release = row({ reference: "8-cancel-4", kind: "cancel", amountMinor: 500 })
  const wanted = { action: "capture", amountMinor: 1_000, sequence: 1 } as const
  const whole = { ...wanted, action: "refundThenCancel" } as const
  const cases: ReadonlyArray<
    readonly [what: string, ReadonlyArray<BankBooking>, Parameters<typeof Adoption.numbered>[1], string]
  > = [
    ["is its own where nothing was booked", [], wanted, "1"],
    ["is that of its booking", [capture], wanted, "3 8-capture-3"],
    ["is that of its two bookings, of a whole return", [capture, refund, release], whole, "4 8-refund-4 8-cancel-4"],
    ["without the one that was taken over", [refund, { ...release, state: "adopted" }], whole, "4 8-refund-4"],
    ["is past every other amount", [row({ ...capture, amountMinor: 999 })], wanted, "4"],
    ["is past every other action", [refund], wanted, "5"],
    ["is past what was taken over", [row({ ...capture, state: "adopted" })], wanted, "4"],
    ["is its own past lower ones", [capture], { ...wanted, action: "refund", sequence: 9 }, "9"],
    ["does not count what has no number of ours", [row({ reference: "x", kind: "capture" })], wanted, "1"]
  ]
  it.each(cases)("%s", (_, rows, wish, expected) => {
    const { guards, sequence, writes } = Adoption.numbered(rows, wish, 7)
    const taken = rowsOf({ guards, writes }, "bankbookings").map(({ reference }) => `${reference}`)
    assert.strictEqual([`${sequence}`, ...taken].join(" "), expected)
    assert.deepStrictEqual(
      guardsOf({ guards }),
      taken.map((reference) => `bankbookings bank,${reference} v1`)
    )
  })
})
