import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, type Scope } from "effect"
import { temporaryFolder } from "../../sqlite/test/TemporaryFolder.ts"
import { type CallbackStore, makeMemory } from "../src/callbacks/CallbackStore.ts"
import * as WebFile from "../src/durable/WebFile.ts"

const bounds = { deliveries: 3, earlyCallbacks: 3, ended: 3 }

const inFile = Effect.gen(function* () {
  const folder = yield* temporaryFolder
  return (yield* WebFile.open({ path: join(folder, "web.db"), bounds })).callbacks
})

const stores: Readonly<Record<string, Effect.Effect<CallbackStore, unknown, Scope.Scope>>> = {
  "in memory": Effect.sync(() => makeMemory(bounds)),
  "in a file": inFile
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => `${index}`)
const order = (clientOrderId: string) => ({ clientOrderId })
const parked = (clientOrderId: string) => ({ clientOrderId, orderId: `at-${clientOrderId}`, webhookId: clientOrderId })
const again = (nextStatusAtMs: number, statusRequests = 0) => ({ statusRequests, nextStatusAtMs })

for (const [name, made] of Object.entries(stores)) {
  const promise = <E>(says: string, keeps: (store: CallbackStore) => Effect.Effect<void, E>) =>
    it.effect(says, () => Effect.flatMap(made, keeps))

  describe(`the callback store ${name}`, () => {
    promise("lists due orders page by page, the most overdue first", (store) =>
      Effect.gen(function* () {
        yield* store.expect(order("late"), 0, 30)
        yield* store.expect(order("first"), 0, 10)
        yield* store.expect(order("second"), 0, 20)
        const due = (nowMs: number, limit: number) =>
          Effect.map(store.due(nowMs, limit), (matches) => matches.map(({ clientOrderId }) => clientOrderId))
        assert.deepStrictEqual(yield* due(9, 10), [])
        assert.deepStrictEqual(yield* due(20, 10), ["first", "second"])
        assert.deepStrictEqual(yield* due(30, 1), ["first"])
        yield* store.postpone("first", again(40, 1))
        yield* store.recordNext("second", "ended")
        yield* store.recordNext("unknown", again(0))
        yield* store.postpone("unknown", again(0))
        assert.deepStrictEqual(yield* due(30, 10), ["late"])
        assert.strictEqual((yield* store.find("first"))?.statusRequests, 1)
      })
    )

    promise("keeps the schedule of an order that is expected again, and restarts it if the order had ended", (store) =>
      Effect.gen(function* () {
        yield* store.expect({ clientOrderId: "1", endpointId: "7" }, 0, 10)
        yield* store.recordNext("1", again(20, 2))
        const kept = yield* store.expect(order("1"), 5, 100)
        assert.deepStrictEqual([kept.endpointId, kept.nextStatusAtMs, kept.statusRequests], ["7", 20, 2])
        yield* store.recordNext("1", "ended")
        assert.strictEqual((yield* store.find("1"))?.clientOrderId, "1")
        const anew = yield* store.expect(order("1"), 5, 100)
        assert.deepStrictEqual([anew.nextStatusAtMs, anew.statusRequests], [100, 0])
        assert.deepStrictEqual(yield* store.due(99, 10), [])
      })
    )

    promise("makes an order due at once if its callback came first, and marks that callback as processed", (store) =>
      Effect.gen(function* () {
        yield* store.addEarly(parked("1"))
        assert.isFalse(yield* store.isHandled("1"))
        const early = yield* store.expect(order("1"), 5, 100)
        assert.strictEqual(early.nextStatusAtMs, 5)
        assert.isTrue(yield* store.isHandled("1"))
        assert.deepStrictEqual(yield* store.earlyCallbacks, [])
        yield* store.addEarly(parked("1"))
        assert.strictEqual((yield* store.expect(order("1"), 6, 100)).nextStatusAtMs, 6)
      })
    )

    promise("marks the delivery that ended an order and an early one as processed", (store) =>
      Effect.gen(function* () {
        yield* store.addEarly(parked("1"))
        yield* store.recordNext("1", "ended", "another")
        assert.deepStrictEqual([yield* store.isHandled("1"), yield* store.isHandled("another")], [true, true])
        assert.deepStrictEqual(yield* store.earlyCallbacks, [])
      })
    )

    promise("drops the oldest entries above its limits, and never an expected order", (store) =>
      Effect.gen(function* () {
        for (const id of numbers(10)) {
          yield* store.expect(order(`open-${id}`), 0, 10)
          yield* store.expect(order(`ended-${id}`), 0, 10)
          yield* store.recordNext(`ended-${id}`, "ended", `delivery-${id}`)
          yield* store.addEarly(parked(`early-${id}`))
        }
        yield* store.addEarly(parked("early-8"))
        const left = (ids: ReadonlyArray<string>, has: (id: string) => Effect.Effect<boolean, unknown>) => {
          const kept = Effect.filter(ids, has)
          return Effect.map(kept, (matches) => matches.join(" "))
        }
        assert.strictEqual(yield* left(numbers(10), (id) => store.isHandled(`delivery-${id}`)), "7 8 9")
        const isFound = (id: string) => Effect.map(store.find(id), (candidate) => candidate !== undefined)
        assert.strictEqual(yield* left(numbers(10), (id) => isFound(`ended-${id}`)), "7 8 9")
        assert.strictEqual(yield* left(numbers(10), (id) => isFound(`open-${id}`)), numbers(10).join(" "))
        assert.strictEqual((yield* store.due(10, 100)).length, 10)
        const early = (yield* store.earlyCallbacks).map(({ clientOrderId }) => clientOrderId)
        assert.deepStrictEqual(early, ["early-7", "early-9", "early-8"])
      })
    )
  })
}
