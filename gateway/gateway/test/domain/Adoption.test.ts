/** Bookings that the bank lists and a restored copy lacks, and how a repeated request adopts them. */
import { assert, describe, it } from "@effect/vitest"
import type * as Booking from "../../src/orders/record/Booking.ts"
import type { BankRequest } from "../../src/orders/record/OrderRequest.ts"
import * as OrderRequests from "../../src/orders/record/OrderRequest.ts"
import type { NewRequest } from "../../src/orders/requests/FormerOrders.ts"
import * as Adoption from "../../src/restore/Adoption.ts"
import type { BankBooking } from "../../src/restore/BankBooking.ts"
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
  ...Adoption.rowOf(Adoption.lists.bank, listed, "", 900),
  ...changes
})

describe("the request to which a booking belongs", () => {
  it.each([
    ["has its action and sequence number", "capture", "capture", 1, true],
    ["has no other sequence number", "capture", "capture", 2, false],
    ["has no other action", "capture", "refund", 1, false],
    ["a refund belongs to a return of the whole amount", "refundThenVoid", "refund", 1, true],
    ["a release belongs to a return of the whole amount", "refundThenVoid", "void", 1, true],
    ["a refund belongs to a return of the whole amount that has reached its release", "void", "refund", 1, true],
    ["no other booking belongs to a return of the whole amount", "refundThenVoid", "refundThenVoid", 1, false]
  ] as const)("%s", (_, action, kind, sequence, isOwn) => {
    const reference = { orderId: "1", kind, sequence }
    assert.strictEqual(OrderRequests.isOwn(reference, request({ action, sequence: 1 })), isOwn)
    const others = [request({ action: "sale", sequence: 0 }), request({ action, sequence: 1 })]
    assert.strictEqual(OrderRequests.isKnown(reference, others), isOwn)
  })
})

describe("a booking that the bank lists", () => {
  const { clientOrderId: _client, merchantId: _merchant, ...bare } = listed
  const nameless = { ...bare, clientOrderId: undefined, merchantId: undefined }
  it.each([
    ["is stored with the order, merchant and number that the bank gives", listed, "8", "shop", "INV-8"],
    ["is stored under the order's merchant if the bank gives none", nameless, "8", "other", null],
    [
      "is stored without an order if its reference is not one of the gateway's",
      { ...listed, reference: "x" },
      "",
      "shop",
      "INV-8"
    ]
  ] as const)("%s", (_, booking, orderId, merchantId, clientOrderId) => {
    const kept = Adoption.rowOf(Adoption.lists.bank, booking, "other", 900)
    assert.deepInclude(kept, { orderId, merchantId, clientOrderId, state: "open", createdAtMs: 900, bookedAtMs: 500 })
  })

  it("is reported with the values that the bank gave", () => {
    assert.deepStrictEqual(Adoption.bookingOf(row()), listed)
    assert.deepStrictEqual(Adoption.bookingOf(row({ clientOrderId: null, merchantId: null })), nameless)
  })
})

describe("the period whose data a restored copy may lack", () => {
  const hourMs = 3_600_000
  it.each([
    ["begins one processing time of the bank before the last commit", 5_000, 4_000],
    ["does not begin before 1970", 500, 0],
    ["begins in 1970 if nothing was committed", null, 0]
  ] as const)("%s", (_, lastCommitAtMs, fromMs) =>
    assert.deepStrictEqual(Adoption.periodOf({ lastCommitAtMs }, 9_000, 1_000), { fromMs, toMs: 10_000 })
  )

  it("is requested from the bank with one more hour at both ends", () => {
    const period = { fromMs: 2 * hourMs, toMs: 3 * hourMs }
    assert.deepStrictEqual(Adoption.listing(period), { fromMs: hourMs, toMs: 4 * hourMs })
    assert.deepStrictEqual(Adoption.listing({ fromMs: 1, toMs: 2 }), { fromMs: 0, toMs: hourMs + 2 })
  })
})

describe("a repeated creation after a restore", () => {
  const repeated = { action: "sale", amountsMinor: [2_000, 1_000], currency: "USD" } as const
  const payment = row({ reference: "8-pay-0", kind: "pay" })
  const cases: ReadonlyArray<readonly [what: string, ReadonlyArray<BankBooking>, NewRequest, expected: string]> = [
    ["adopts the booking of its order", [row()], repeated, "8 from 500 8-sale-0"],
    [
      "adopts the bookings of every attempt of its order",
      [row(), row({ reference: "8-sale-1" })],
      repeated,
      "8 from 500 8-sale-0 8-sale-1"
    ],
    [
      "adopts no booking of another order",
      [row(), row({ reference: "9-sale-0", orderId: "9" })],
      repeated,
      "8 from 500 8-sale-0"
    ],
    ["has a creation time no later than the restore", [row({ bookedAtMs: 1_500 })], repeated, "8 from 1000 8-sale-0"],
    [
      "has the time of its first attempt as its creation time",
      [row(), row({ reference: "8-sale-1", bookedAtMs: 400 })],
      repeated,
      "8 from 400 8-sale-0 8-sale-1"
    ],
    ["is unpaid if the bank declined it", [row({ result: "declined" })], repeated, "8 from 500 8-sale-0"],
    [
      "counts as paid if its outcome is unknown to the bank",
      [row({ result: "unknown" })],
      repeated,
      "8 from 500 8-sale-0"
    ],
    [
      "counts as paid if one attempt of two was approved",
      [row({ result: "declined" }), row({ reference: "8-sale-1" })],
      repeated,
      "8 from 500 8-sale-0 8-sale-1"
    ],
    ["finds no booking if the bank lists none", [], repeated, "none"],
    ["adopts no booking a second time", [row({ state: "adopted" })], repeated, "none"],
    ["adopts no booking whose reference is not one of the gateway's", [row({ reference: "x" })], repeated, "none"],
    ["adopts no booking of a follow-up", [row({ reference: "8-capture-1" })], repeated, "none"],
    ["differs from a booking of another amount", [row({ amountMinor: 3_000 })], repeated, "differs"],
    ["differs from a booking of another currency", [row({ currency: "EUR" })], repeated, "differs"],
    ["differs from a booking of another operation", [row({ reference: "8-authorize-0" })], repeated, "differs"],
    ["of a payout adopts the booking of its payment", [payment], { ...repeated, action: "pay" }, "8 from 500 8-pay-0"],
    [
      "of a payout in two steps adopts the booking of its payment",
      [payment],
      { ...repeated, action: "check" },
      "8 from 500 8-pay-0"
    ],
    ["of a sale differs from the booking of a payout", [payment], repeated, "differs"]
  ]
  it.each(cases)("%s", (_, rows, repeatedRequest, expected) => {
    const result = Adoption.adoption(rows, repeatedRequest, 1_000)
    const report =
      result === undefined || result === "differs"
        ? (result ?? "none")
        : `${result.orderId} from ${result.createdAtMs} ${result.rows.map(({ reference }) => reference).join(" ")}`
    assert.strictEqual(report, expected)
  })

  it("is accepted only if its bookings are not adopted yet, whatever the balance", () => {
    const guards = [
      { _tag: "LeaseIs", jobId: "bank:2", token: "mine" },
      { _tag: "BalanceAtLeast", account: "a", minor: 5 }
    ] as const
    const registered = { order: preauth(), decision: { guards, writes: [] } }
    const made = Adoption.adoption([row()], repeated, 1_000)
    assert(made !== undefined && made !== "differs")
    const { decision } = made.complete(registered, 7)
    assert.deepStrictEqual(guardsOf(decision), ["lease bank:2 mine", "bankBookings bank,8-sale-0 v1"])
    assert.deepInclude(rowsOf(decision, "bankBookings")[0], { state: "adopted", version: 2, closedAtMs: 7 })
  })

  it.each([
    ["a payment: yes", {}, true],
    ["an adopted payment: no", { state: "adopted" }, false],
    ["a follow-up: no", { reference: "8-refund-1" }, false],
    ["a reference that is not one of the gateway's: no", { reference: "x" }, false]
  ] as const)("may have made a booking without a merchant: %s", (_, changes, expected) =>
    assert.strictEqual(Adoption.mayBelongToAnyMerchant([row(changes)]), expected)
  )
})

describe("a request that the bank made before the restore is taken over", () => {
  const made = (changes: Partial<BankRequest>) => request({ fingerprint: "", operation: "RETURN", ...changes })
  const [capture, refund, release] = [
    made({ requestId: "3", operation: "CAPTURE" }),
    made({ requestId: "4", action: "refund" }),
    made({ requestId: "5", operation: "VOID", action: "void" })
  ]
  const all = [capture, refund, release]
  const equal = { amountMinor: 4_000, isWhole: false }
  const left = { amountMinor: undefined, isWhole: false }
  const nothingLeft = { amountMinor: undefined, isWhole: true }
  it.each([
    ["by an equal capture", all, { operation: "CAPTURE", ...equal }, "3"],
    ["by an equal return", all, { operation: "RETURN", ...equal }, "4"],
    ["by the return of a hold", [release], { operation: "RETURN", ...left }, "5"],
    ["by a void", all, { operation: "VOID", ...left }, "5"],
    ["by a request for everything, if nothing is left", all, { operation: "RETURN", ...nothingLeft }, "4"],
    ["not by a request for everything, if something is left", [refund], { operation: "RETURN", ...left }, undefined],
    ["not by another amount", all, { operation: "CAPTURE", ...equal, amountMinor: 3_999 }, undefined],
    ["not by another operation", [refund], { operation: "CAPTURE", ...equal }, undefined],
    ["not by a payout", all, { operation: "PAYOUT_V4_PAY", ...equal }, undefined],
    ["not twice", [{ ...capture, fingerprint: "v1.f" }], { operation: "CAPTURE", ...equal }, undefined],
    ["not from the expiry of a hold", [{ ...release, operation: "LAPSE" }], { operation: "VOID", ...left }, undefined]
  ] as const)("%s", (_, requests, requested, expected) =>
    assert.strictEqual(Adoption.unclaimed(requests, requested)?.requestId, expected)
  )
})
