import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import * as BookingHandlers from "../src/http/operator/BookingHandlers.ts"
import { AuditEntry } from "../src/kernel/Audit.ts"
import { AuthClock } from "../src/kernel/AuthClock.ts"
import * as Decision from "../src/kernel/Decision.ts"
import { Ids } from "../src/kernel/Ids.ts"
import { OrderGate } from "../src/kernel/OrderGate.ts"
import { Store } from "../src/kernel/Store.ts"
import * as StoreMemory from "../src/kernel/StoreMemory.ts"
import { Acquirer } from "../src/orders/bank/Acquirer.ts"
import { Acquirers } from "../src/orders/bank/Acquirers.ts"
import type * as Booking from "../src/orders/record/Booking.ts"
import { Order } from "../src/orders/record/Order.ts"
import { OrderRequest } from "../src/orders/record/OrderRequest.ts"
import * as Reconciliation from "../src/reconciliation/Reconciliation.ts"
import * as Adoption from "../src/restore/Adoption.ts"
import { BankBooking } from "../src/restore/BankBooking.ts"
import * as Gate from "../src/restore/Gate.ts"
import * as ManageBookings from "../src/restore/ManageBookings.ts"
import * as MissingBookings from "../src/restore/MissingBookings.ts"
import { Restoration } from "../src/restore/Restoration.ts"
import { request, sale } from "./domain/Sample.ts"
import { rowsOf } from "./domain/Written.ts"
import { booking, restoration } from "./restore/Copy.ts"

const services = Layer.mergeAll(StoreMemory.layer, Ids.layer.pipe(Layer.provideMerge(AuthClock.layer)))

it.effect("after a restore, orders are accepted once the imported bookings of the bank cover the whole period", () =>
  Effect.gen(function* () {
    yield* TestClock.setTime(5_000)
    const store = yield* Store
    yield* store.commit({ guards: [], writes: [Decision.put(Restoration, restoration)] })
    const { closedForMs } = yield* Effect.provide(OrderGate, Gate.layer)
    const { list, take } = yield* ManageBookings.make
    const open = list("open", { limit: 10, after: undefined })
    const send = (bookings: ReadonlyArray<Booking.Booking>, covers?: Booking.Period) =>
      take("operator:alice", { source: "bank", bookings, covers })
    assert.isAbove((yield* closedForMs()) ?? 0, 0)

    const tooShort = yield* Effect.flip(send([booking], { fromMs: 1_001, toMs: 4_500 }))
    assert.include(tooShort.message, "the list must cover 1970-01-01T00:00:01.000Z to 1970-01-01T00:00:04.500Z")
    assert.deepStrictEqual(yield* send([booking]), { bookings: 1, missing: 1, complete: false })
    assert.isAbove((yield* closedForMs()) ?? 0, 0)
    assert.deepStrictEqual(yield* send([booking], { fromMs: 0, toMs: 4_600 }), {
      bookings: 1,
      missing: 1,
      complete: true
    })
    assert.isUndefined(yield* closedForMs())
    assert.deepStrictEqual(
      (yield* open).rows.map(({ reference, state }) => [reference, state]),
      [["7-sale-0", "open"]]
    )
    assert.deepStrictEqual((yield* Reconciliation.check).findings, [
      { where: "booking 7-sale-0 at the bank", expected: "an order", actual: "sale of 10.42 USD, client_orderid INV-1" }
    ])
    const late = yield* Effect.flip(send([booking]))
    assert.include(late.message, "the gateway takes orders")
    const audit = yield* store.find(AuditEntry, "at", { limit: 10 })
    assert.deepStrictEqual(
      audit.map(({ action, actor }) => [action, actor]),
      [
        ["bookings.add", "operator:alice"],
        ["bookings.add", "operator:alice"]
      ]
    )
  }).pipe(Effect.provide(services))
)

it.effect("a list of one of several acquirers names it", () => {
  const absent = (name: string) => [name, { acquirer: Acquirer.absent(name) }] as const
  return Effect.gen(function* () {
    yield* TestClock.setTime(5_000)
    const store = yield* Store
    yield* store.commit({ guards: [], writes: [Decision.put(Restoration, restoration)] })
    const { take } = yield* ManageBookings.make
    const messageOf = (acquirer?: string) =>
      Effect.match(take("operator:alice", { source: "bank", acquirer, bookings: [booking], covers: undefined }), {
        onSuccess: ({ missing }) => `${missing} missing`,
        onFailure: ({ message }) => message
      })
    assert.match(yield* messageOf(), /several acquirers: say whose list/)
    assert.match(yield* messageOf("third"), /no third/)
    assert.strictEqual(yield* messageOf("tea-bank"), "1 missing")
    assert.strictEqual((yield* store.find(BankBooking, "key", { limit: 1 }))[0]?.acquirer, "tea-bank")
  }).pipe(
    Effect.provide(Layer.merge(services, Layer.succeed(Acquirers, new Map([absent("acquirer"), absent("tea-bank")]))))
  )
})

it.effect("an imported booking with text that no store keeps is stored with escapes", () =>
  Effect.gen(function* () {
    yield* TestClock.setTime(5_000)
    const store = yield* Store
    yield* store.commit({ guards: [], writes: [Decision.put(Restoration, restoration)] })
    const { importBookings } = yield* BookingHandlers.make
    const listed = { kind: "sale", amount: "10.42", currency: "USD", at: 1_500, result: "approved" } as const
    const names = { reference: "a\0", clientOrderId: "b\ud800", merchant: "c\udc00" }
    yield* importBookings({ source: "bank", bookings: [{ ...listed, ...names }] }, "operator:alice", [])
    const [booking] = yield* store.find(BankBooking, "key", { limit: 1 })
    assert.deepInclude(booking, { reference: "a\\u0000", clientOrderId: "b\\ud800", merchantId: "c\\udc00" })
  }).pipe(Effect.provide(services))
)

it.effect.each([
  ["10.001", "the amount of booking 2 has more than 2 decimals"],
  ["90071992547409.92", "the amount of booking 2 is larger than 9007199254740991 of the smallest unit of its currency"]
] as const)("a list with a booking of %s USD is refused", ([amount, expected]) =>
  Effect.gen(function* () {
    const { importBookings } = yield* BookingHandlers.make
    const listed = { reference: "7-sale-0", kind: "sale", currency: "USD", at: 1_500, result: "approved" } as const
    const bookings = ["0.00", amount].map((each) => ({ ...listed, amount: each }))
    const { message } = yield* Effect.flip(importBookings({ source: "bank", bookings }, "operator:alice", []))
    assert.strictEqual(message, expected)
  }).pipe(Effect.provide(services))
)

it.effect("a listed booking of a request that is in flight here marks the request, and is not missing", () =>
  Effect.gen(function* () {
    const store = yield* Store
    const order = sale({ orderId: "7" })
    const inFlight = request({ requestId: "3", orderId: "7", action: "sale", sequence: 0 })
    const ended = request({ ...inFlight, progress: "approved", requestId: "4", sequence: 1, finishedAtMs: 1 })
    yield* store.commit({
      guards: [],
      writes: [Decision.put(Order, order), Decision.put(OrderRequest, inFlight), Decision.put(OrderRequest, ended)]
    })
    const { record } = yield* MissingBookings.make
    const { missing, writes } = yield* record(Adoption.lists.bank, [booking, { ...booking, reference: "7-sale-1" }])
    assert.strictEqual(missing, 0)
    const marks = rowsOf({ guards: [], writes }, "bankBookings").map(({ reference, state }) => `${reference} ${state}`)
    assert.deepStrictEqual(marks, ["7-sale-0 adopted"])
  }).pipe(Effect.provide(services))
)
