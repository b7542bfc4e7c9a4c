/** What bank or rail lists, against what is known here, and the other way round. */
import { assert, describe, it } from "@effect/vitest"
import type * as Booking from "../../src/orders/Booking.ts"
import type { Order } from "../../src/orders/Order.ts"
import type { OrderRequest } from "../../src/orders/OrderRequest.ts"
import type { BankTask } from "../../src/orders/outcomes/BankTask.ts"
import * as Unexpected from "../../src/orders/outcomes/Unexpected.ts"
import * as BookingComparison from "../../src/reconciliation/BookingComparison.ts"
import * as ExplainedDifferences from "../../src/reconciliation/ExplainedDifferences.ts"
import type { BankTotals } from "../../src/restore/BankBooks.ts"
import { preauth, request } from "./Sample.ts"

const booking: Booking.Booking = {
  reference: "1-capture-1",
  clientOrderId: "INV-1",
  merchantId: "shop",
  kind: "capture",
  amountMinor: 4_000,
  currency: "USD",
  atMs: 1_000,
  result: "approved"
}
const actual = "capture of 40.00 USD, client_orderid INV-1"
const done = request({ progress: "approved" })

describe("a booking of the bank finds here", () => {
  const cases: ReadonlyArray<
    readonly [
      what: string,
      booking: Partial<Booking.Booking>,
      order: Order | undefined,
      requests: ReadonlyArray<OrderRequest>,
      findings: ReadonlyArray<string>
    ]
  > = [
    ["its request", {}, preauth(), [done], []],
    ["nothing to compare where it was declined", { result: "declined" }, undefined, [], []],
    ["no order", {}, undefined, [], [`an order: ${actual}`]],
    ["no order under a number that is none of ours", { reference: "x" }, preauth(), [done], [`an order: ${actual}`]],
    ["another currency", {}, preauth({ currency: "EUR" }), [done], [`EUR: ${actual}`]],
    ["no request of its number", {}, preauth(), [request({ sequence: 2 })], [`a request of order 1: ${actual}`]],
    ["a request that is under way", {}, preauth(), [request()], []],
    ["a request whose outcome is unknown", {}, preauth(), [request({ progress: "unknown" })], []],
    ["a request that was declined", {}, preauth(), [request({ progress: "declined" })], ["declined: approved"]],
    ["two records, one of them approved", {}, preauth(), [request({ progress: "declined" }), done], []],
    [
      "another amount",
      { amountMinor: 4_001 },
      preauth(),
      [done],
      ["40.00: capture of 40.01 USD, client_orderid INV-1"]
    ],
    [
      "another amount, of whom the bank keeps no number",
      { amountMinor: 4_001, clientOrderId: undefined },
      preauth(),
      [done],
      ["40.00: capture of 40.01 USD"]
    ],
    [
      "its release, whatever was left",
      { reference: "1-cancel-1", kind: "cancel", amountMinor: 1 },
      preauth({ released: 1 }),
      [request({ action: "cancel", progress: "approved" })],
      []
    ],
    [
      "a whole return that ended without the release",
      { reference: "1-cancel-1", kind: "cancel", amountMinor: 1 },
      preauth(),
      [request({ action: "cancel", progress: "approved" })],
      ["approved: approved"]
    ],
    [
      "a verification that was declined, which moves no money",
      { reference: "1-verify-0", kind: "authorize", amountMinor: 0 },
      preauth(),
      [request({ action: "verify", sequence: 0, amountMinor: 0, progress: "declined" })],
      []
    ],
    [
      "an attempt that was declined, of an order that goes on",
      {},
      preauth(),
      [request({ progress: "moving" }), request({ requestId: "9", progress: "declined" })],
      ["declined: approved"]
    ]
  ]
  it.each(cases)("%s", (_, changes, order, requests, findings) =>
    assert.deepStrictEqual(
      BookingComparison.ofBooking("bank", { ...booking, ...changes }, order, requests).map(
        ({ expected, actual }) => `${expected}: ${actual}`
      ),
      [...findings]
    )
  )
})

describe("a list lacks", () => {
  const period = { fromMs: 1_000, toMs: 2_000 }
  it.each([
    ["what it does not name", "bank", {}, [], true],
    ["nothing that it names", "bank", {}, ["1-capture-1"], false],
    ["nothing that was declined", "bank", { progress: "declined" }, [], false],
    ["nothing that moves no money", "bank", { amountMinor: 0 }, [], false],
    ["a release, whatever was left", "bank", { action: "cancel", amountMinor: 0 }, [], true],
    ["nothing that is not booked: a verification", "bank", { action: "verify" }, [], false],
    ["nothing that the other side booked: a payout", "bank", { action: "pay" }, [], false],
    ["a payout, of the rail", "rail", { action: "pay" }, [], true],
    ["nothing that the other side booked: a capture", "rail", {}, [], false],
    ["what was accepted last in its period", "bank", { acceptedAtMs: 1_999 }, [], true],
    ["nothing from before its period", "bank", { acceptedAtMs: 999 }, [], false],
    ["nothing from after its period", "bank", { acceptedAtMs: 2_000 }, [], false]
  ] as const)("%s", (_, source, changes, approved, isLacking) => {
    const requests = [{ ...done, ...changes }]
    assert.strictEqual(BookingComparison.notListed(source, requests, period, new Set(approved)).length === 1, isLacking)
  })
})

describe("tasks explain of the bank's totals", () => {
  const totals: BankTotals = {
    authorizedMinor: 50,
    capturedMinor: 50,
    transferredMinor: 50,
    refundedMinor: 50,
    releasedMinor: 50
  }
  const task = (kind: string, changes: Partial<BankTask> = {}): BankTask => {
    const output = { source: "bank", reference: `1-${kind}-0`, verdict: "approved", amountMinor: 10 } as const
    return { ...Unexpected.taskOf(preauth(), output, false, 1), state: "reversed", ...changes }
  }
  const cases: ReadonlyArray<
    readonly [what: string, tasks: ReadonlyArray<BankTask>, left: Partial<BankTotals> | "unasked"]
  > = [
    ["nothing, where there are none", [], {}],
    ["a sale that was refunded", [task("sale")], { authorizedMinor: 40, capturedMinor: 40, refundedMinor: 40 }],
    ["a capture that was refunded", [task("capture")], { capturedMinor: 40, refundedMinor: 40 }],
    ["a hold that was released", [task("authorize")], { authorizedMinor: 40, releasedMinor: 40 }],
    ["two of them", [task("capture"), task("capture")], { capturedMinor: 30, refundedMinor: 30 }],
    ["nothing of a refund", [task("refund")], {}],
    ["nothing of a number that is none of ours", [task("sale", { reference: "x" })], {}],
    ["everything, where a person settled one", [task("sale"), task("sale", { state: "closed" })], "unasked"]
  ]
  it.each(cases)("%s", (_, tasks, left) =>
    assert.deepStrictEqual(
      ExplainedDifferences.without(totals, tasks),
      left === "unasked" ? left : { ...totals, ...left }
    )
  )

  it.each([undefined, "unasked"] as const)("nothing of what the bank did not say: %s", (none) =>
    assert.strictEqual(ExplainedDifferences.without(none, [task("sale")]), none)
  )

  it("which bookings need no order: what was taken, and what was given back", () =>
    assert.deepStrictEqual(
      [...ExplainedDifferences.references([task("sale", { reversalReference: "1-refund-9" }), task("capture")])],
      ["1-sale-0", "1-refund-9", "1-capture-0"]
    ))
})
