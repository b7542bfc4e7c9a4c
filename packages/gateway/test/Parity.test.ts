import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Decision from "../src/domain/Decision.ts"
import { LedgerEntry } from "../src/domain/entities/Ledger.ts"
import { Order } from "../src/domain/entities/Order.ts"
import * as LedgerTable from "../src/domain/LedgerTable.ts"
import * as Parity from "../src/Parity.ts"
import { Store } from "../src/ports/Store.ts"
import * as StoreMemory from "../src/ports/StoreMemory.ts"
import { sale } from "./domain/Sample.ts"

const found = Effect.map(Parity.check, ({ findings }) => findings.map(({ where }) => where))

it.effect("parity finds a movement, balanced in itself and in the balances, of an order that does not exist", () =>
  Effect.gen(function* () {
    const store = yield* Store
    yield* store.commit({ guards: [], writes: [...LedgerTable.book(sale(), "404", "2", "sale", 10_000, 1)] })
    assert.deepStrictEqual(yield* found, ["movement 2:sale"])
  }).pipe(Effect.provide(StoreMemory.layer))
)

it.effect("parity reads an order again that was refunded while its entries were read", () =>
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
            const moved = { ...order, version: order.version + 1, returnedMinor: 4_000 }
            yield* Effect.orDie(
              store.commit({ guards: [], writes: [Decision.put(Order, moved), ...book("3", "refund", 4_000)] })
            )
          }
          return yield* store.find(entity, index, range)
        })
    })
    assert.deepStrictEqual(yield* Effect.provideService(found, Store, busy), [])
    assert.isTrue(refunded)
  }).pipe(Effect.provide(StoreMemory.layer))
)
