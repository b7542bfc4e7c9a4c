/** The bookings that bank or rail lists against the gateway's requests, and the requests against the list. */
import { assert, describe, it } from "@effect/vitest"
import type { BankTotals } from "../../src/orders/bank/BankBooks.ts"
import * as Unexpected from "../../src/orders/decide/Unexpected.ts"
import type { BankTask } from "../../src/orders/record/BankTask.ts"
import type * as Booking from "../../src/orders/record/Booking.ts"
import type { Order } from "../../src/orders/record/Order.ts"
import type { OrderRequest } from "../../src/orders/record/OrderRequest.ts"
import * as BookingComparison from "../../src/reconciliation/decide/BookingComparison.ts"
import * as ExplainedDifferences from "../../src/reconciliation/decide/ExplainedDifferences.ts"
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
const todo = "the gateway still inquires; if it does not end, resolve it: pay orders resolve 1"
const done = request({ progress: "approved" })

describe("the comparison of a listed booking", () => {
  const cases: ReadonlyArray<
    readonly [
      what: string,
      booking: Partial<Booking.Booking>,
      order: Order | undefined,
      requests: ReadonlyArray<OrderRequest>,
      findings: ReadonlyArray<string>
    ]
  > = [
    ["finds no discrepancy to an approved request", {}, preauth(), [done], []],
    ["skips a declined booking", { result: "declined" }, undefined, [], []],
    ["reports a missing order", {}, undefined, [], [`an order: ${actual}`]],
    [
      "reports a missing order if the reference is not one of the gateway's",
      { reference: "x" },
      preauth(),
      [done],
      [`an order: ${actual}`]
    ],
    ["reports another currency", {}, preauth({ currency: "EUR" }), [done], [`EUR: ${actual}`]],
    ["reports a missing request", {}, preauth(), [request({ sequence: 2 })], [`a request of order 1: ${actual}`]],
    [
      "reports a request that is under way, and what to do",
      {},
      preauth(),
      [request()],
      [`processing: ${actual}: ${todo}`]
    ],
    [
      "reports a request with an unknown outcome",
      {},
      preauth(),
      [request({ progress: "unknown" })],
      [`unknown: ${actual}: ${todo}`]
    ],
    [
      "skips a verification that is under way",
      { reference: "1-verify-0", kind: "authorize", amountMinor: 0 },
      preauth(),
      [request({ action: "verify", sequence: 0, amountMinor: 0 })],
      []
    ],
    ["reports a request that was declined", {}, preauth(), [request({ progress: "declined" })], ["declined: approved"]],
    [
      "finds no discrepancy if one of two attempts was approved",
      {},
      preauth(),
      [request({ progress: "declined" }), done],
      []
    ],
    [
      "reports another amount",
      { amountMinor: 4_001 },
      preauth(),
      [done],
      ["40.00: capture of 40.01 USD, client_orderid INV-1"]
    ],
    [
      "reports another amount without the number that the bank does not store",
      { amountMinor: 4_001, clientOrderId: undefined },
      preauth(),
      [done],
      ["40.00: capture of 40.01 USD"]
    ],
    [
      "does not compare the amount of a release",
      { reference: "1-void-1", kind: "void", amountMinor: 1 },
      preauth({ state: "voided" }),
      [request({ action: "void", progress: "approved" })],
      []
    ],
    [
      "reports a release that the gateway recorded as not made",
      { reference: "1-void-1", kind: "void", amountMinor: 1 },
      preauth(),
      [request({ action: "void", progress: "approved" })],
      ["approved: approved"]
    ],
    [
      "skips a declined verification, which moves no money",
      { reference: "1-verify-0", kind: "authorize", amountMinor: 0 },
      preauth(),
      [request({ action: "verify", sequence: 0, amountMinor: 0, progress: "declined" })],
      []
    ],
    [
      "reports a declined attempt of an order that continues",
      {},
      preauth(),
      [request({ progress: "processing" }), request({ requestId: "9", progress: "declined" })],
      ["declined: approved"]
    ]
  ]
  it.each(cases)("%s", (_, changes, order, requests, findings) =>
    assert.deepStrictEqual(
      BookingComparison.ofBooking({ source: "bank", title: "bank" }, { ...booking, ...changes }, order, requests).map(
        ({ expected, actual }) => `${expected}: ${actual}`
      ),
      [...findings]
    )
  )
})

describe("a request that the lists of a period must contain", () => {
  const period = { fromMs: 1_000, toMs: 2_000 }
  it.each([
    ["is an approved one", "bank", {}, true],
    ["is no declined one", "bank", { progress: "declined" }, false],
    ["is none of amount zero", "bank", { amountMinor: 0 }, false],
    ["is a release, whatever its amount", "bank", { action: "void", amountMinor: 0 }, true],
    ["is no verification", "bank", { action: "verify" }, false],
    ["is no payout for the bank", "bank", { action: "pay" }, false],
    ["is a payout for the rail", "rail", { action: "pay" }, true],
    ["is no capture for the rail", "rail", {}, false],
    ["is one that was approved in its first millisecond", "bank", { acceptedAtMs: 1, finishedAtMs: 1_000 }, true],
    ["is one that was approved in its last millisecond", "bank", { finishedAtMs: 1_999 }, true],
    ["is none that was approved before it", "bank", { finishedAtMs: 999 }, false],
    ["is none that was approved after it", "bank", { acceptedAtMs: 1_999, finishedAtMs: 2_000 }, false]
  ] as const)("%s", (_, source, changes, isExpected) => {
    const requests = [{ ...done, ...changes }]
    assert.strictEqual(BookingComparison.toBeListed(source, requests, period).length === 1, isExpected)
  })
})

describe("the bank's totals of an order, without what its tasks explain", () => {
  const totals: BankTotals = {
    authorizedMinor: 50,
    capturedMinor: 50,
    transferredMinor: 50,
    refundedMinor: 50,
    voidedMinor: 50
  }
  const task = (kind: string, changes: Partial<BankTask> = {}): BankTask => {
    const output = { source: "bank", reference: `1-${kind}-0`, verdict: "approved", amountMinor: 10 } as const
    return { ...Unexpected.taskOf(preauth(), output, false, 1), state: "reversed", ...changes }
  }
  const cases: ReadonlyArray<
    readonly [what: string, tasks: ReadonlyArray<BankTask>, left: Partial<BankTotals> | "notCompared"]
  > = [
    ["stay the same without tasks", [], {}],
    [
      "leave out a sale that was refunded",
      [task("sale")],
      { authorizedMinor: 40, capturedMinor: 40, refundedMinor: 40 }
    ],
    ["leave out a capture that was refunded", [task("capture")], { capturedMinor: 40, refundedMinor: 40 }],
    ["leave out a hold that was released", [task("authorize")], { authorizedMinor: 40, voidedMinor: 40 }],
    [
      "leave out two captures that were refunded",
      [task("capture"), task("capture")],
      { capturedMinor: 30, refundedMinor: 30 }
    ],
    ["include a refund", [task("refund")], {}],
    ["include a booking whose reference is not one of the gateway's", [task("sale", { reference: "x" })], {}],
    [
      "are not compared if an operator closed one of the tasks",
      [task("sale"), task("sale", { state: "closed" })],
      "notCompared"
    ]
  ]
  it.each(cases)("%s", (_, tasks, left) =>
    assert.deepStrictEqual(
      ExplainedDifferences.without(totals, tasks),
      left === "notCompared" ? left : { ...totals, ...left }
    )
  )

  it.each([undefined, "notCompared"] as const)("stay the same if the bank gave none: %s", (none) =>
    assert.strictEqual(ExplainedDifferences.without(none, [task("sale")]), none)
  )

  it("leave out the bookings of the tasks and of their reversals", () =>
    assert.deepStrictEqual(
      [...ExplainedDifferences.references([task("sale", { reversalReference: "1-refund-9" }), task("capture")])],
      ["1-sale-0", "1-refund-9", "1-capture-0"]
    ))
})
