import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import * as Decision from "../src/kernel/Decision.ts"
import * as LedgerTable from "../src/kernel/LedgerTable.ts"
import { Balance, LedgerEntry } from "../src/kernel/LedgerTable.ts"
import { type Range, Store } from "../src/kernel/Store.ts"
import * as StoreMemory from "../src/kernel/StoreMemory.ts"
import { BankBooks } from "../src/orders/bank/BankBooks.ts"
import { Order } from "../src/orders/record/Order.ts"
import { OrderRequest } from "../src/orders/record/OrderRequest.ts"
import * as Reconciliation from "../src/reconciliation/Reconciliation.ts"
import { request, sale } from "./domain/Sample.ts"

const lookup = Effect.map(Reconciliation.check, ({ findings }) => findings.map(({ where }) => where))

it.effect("reconciliation reports a balanced movement of an order that does not exist", () =>
  Effect.gen(function* () {
    const store = yield* Store
    yield* store.commit({ guards: [], writes: [...LedgerTable.book(sale(), "404", "2", "sale", 10_000, 1)] })
    assert.deepStrictEqual(yield* lookup, ["movement 2:sale"])
  }).pipe(Effect.provide(StoreMemory.layer))
)

it.effect("reconciliation reads an order again if it is refunded while its entries are read", () =>
  Effect.gen(function* () {
    const store = yield* Store
    const order = sale()
    const book = (requestId: string, cause: "sale" | "refund", minor: number) =>
      LedgerTable.book(order, order.orderId, requestId, cause, minor, 1)
    yield* store.commit({ guards: [], writes: [Decision.append(Order, order), ...book("2", "sale", 10_000)] })
    let refunded = false
    const busy = Store.of({
      ...store,
      find: (entity, index, range) =>
        Effect.gen(function* () {
          if (entity.name === LedgerEntry.name && index === "order" && !refunded) {
            refunded = true
            const moved = { ...order, version: order.version + 1, refundedMinor: 4_000 }
            yield* Effect.orDie(
              store.commit({ guards: [], writes: [Decision.put(Order, moved), ...book("3", "refund", 4_000)] })
            )
          }
          return yield* store.find(entity, index, range)
        })
    })
    assert.deepStrictEqual(yield* Effect.provideService(lookup, Store, busy), [])
    assert.isTrue(refunded)
  }).pipe(Effect.provide(StoreMemory.layer))
)

/** A store in which others write after a read that `isIt`, as often as there is something to write. */
const busyStore = (
  isIt: (entity: string, index: string, range: Range) => boolean,
  later: Array<ReadonlyArray<Decision.Write>>
) =>
  Effect.map(Store, (memory) =>
    Store.of({
      ...memory,
      find: (entity, index, range) =>
        Effect.gen(function* () {
          const rows = yield* memory.find(entity, index, range)
          const writes = isIt(entity.name, index, range) ? later.shift() : undefined
          if (writes !== undefined) yield* Effect.orDie(memory.commit({ guards: [], writes }))
          return rows
        })
    })
  )

/** A sale by itself, with its entries. */
const sold = (n: number, atMs: number): ReadonlyArray<Decision.Write> => {
  const order = sale({ orderId: `9${n}`, clientOrderId: `INV-9${n}` })
  return [Decision.append(Order, order), ...LedgerTable.book(order, order.orderId, `r${n}`, "sale", 10_000, atMs)]
}

const pages = Array.from({ length: 600 }, (_, n) => sold(n, 1)).flat()
const nowMs = 1_000_000
const isScan = (entity: string, index: string) => entity === LedgerEntry.name && index === "key"
it.effect.each([
  ["after its entries are read", []],
  ["while its balance is read", [sold(1_001, nowMs), sold(1_002, nowMs)]]
] as const)("reconciliation reads an account again if it moves %s", ([, writes]) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(nowMs)
    const memory = yield* Store
    yield* memory.commit({ guards: [], writes: pages })
    const busy = yield* busyStore(isScan, [sold(1_000, nowMs)])
    const later = [...writes]
    let looks = 0
    const store = Store.of({
      ...busy,
      load: (entity, values, unique) =>
        Effect.gen(function* () {
          if (entity.name === Balance.name) looks += 1
          const next = entity.name === Balance.name && looks % 2 === 0 ? later.shift() : undefined
          if (next !== undefined) yield* Effect.orDie(memory.commit({ guards: [], writes: next }))
          return yield* memory.load(entity, values, unique)
        })
    })
    assert.deepStrictEqual(yield* Effect.provideService(lookup, Store, store), [])
  }).pipe(Effect.provide(StoreMemory.layer))
)

it.effect("reconciliation compares a booking again if its order changes while it is read", () =>
  Effect.gen(function* () {
    const memory = yield* Store
    const order = sale()
    const creation = request({ action: "sale", sequence: 0, amountMinor: 10_000, progress: "approved" })
    const writes = [Decision.append(Order, order), ...LedgerTable.book(order, "1", "2", "sale", 10_000, 1)]
    yield* memory.commit({ guards: [], writes })
    const accepted = [
      Decision.put(Order, { ...order, version: order.version + 1 }),
      Decision.append(OrderRequest, creation)
    ]
    const store = yield* busyStore((entity) => entity === OrderRequest.name, [accepted])
    const bookings = [
      {
        reference: "1-sale-0",
        clientOrderId: undefined,
        merchantId: undefined,
        kind: "sale",
        amountMinor: 10_000,
        currency: "USD",
        atMs: 1,
        result: "approved"
      } as const
    ]
    const books = BankBooks.checked({ bookings: () => Effect.succeed({ bookings, next: undefined }) })
    const run = Effect.provideService(Effect.provideService(lookup, BankBooks, books), Store, store)
    assert.deepStrictEqual(yield* run, [])
  }).pipe(Effect.provide(StoreMemory.layer))
)
