import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { AuthClock } from "../src/kernel/AuthClock.ts"
import * as Decision from "../src/kernel/Decision.ts"
import { Ids } from "../src/kernel/Ids.ts"
import { defaults, Settings } from "../src/kernel/Settings.ts"
import { Store } from "../src/kernel/Store.ts"
import * as StoreMemory from "../src/kernel/StoreMemory.ts"
import { Directory } from "../src/merchants/Directory.ts"
import {
  alarmFrom,
  blockSize,
  largest,
  NumberSequence,
  OrderNumbers,
  reserve,
  skippedAfter
} from "../src/orders/requests/OrderNumbers.ts"
import * as AdoptBooking from "../src/restore/AdoptBooking.ts"
import { Restoration } from "../src/restore/Restoration.ts"
import * as ScriptedServices from "./usecases/ScriptedServices.ts"

const directory = Layer.succeed(Directory, {
  route: () => undefined,
  merchant: (login) => ({ ...ScriptedServices.merchant, login, hasShortNumbers: login === "short" }),
  endpoint: () => undefined,
  merchants: () => []
})

/** The order numbers of one process on the store of the context. */
const numbers = (settings = defaults) =>
  Effect.provide(
    Effect.service(OrderNumbers),
    OrderNumbers.layer.pipe(
      Layer.provide(AdoptBooking.layer),
      Layer.provide(Layer.mergeAll(directory, Layer.succeed(Settings, settings))),
      Layer.provide(Layer.provide(Ids.layer, AuthClock.layer))
    ),
    { local: true }
  )

const sequence = (next: number, copiedAtMs: number | null = null): NumberSequence => ({
  name: "orders",
  version: 7,
  next,
  copiedAtMs
})

const restoration = (restoredAtMs: number, lastCommitAtMs: number | null = null): Restoration => ({
  name: "latest",
  version: 1,
  restoredAtMs,
  startedAtMs: null,
  lastCommitAtMs,
  enumeratedAtMs: null
})

const put = (write: Decision.Write) =>
  Effect.flatMap(Effect.service(Store), (store) => store.commit({ guards: [], writes: [write] }))

describe("short order numbers", () => {
  it.effect("rise from one to the next, and no two processes give the same", () =>
    Effect.gen(function* () {
      const [one, other] = [yield* numbers(), yield* numbers()]
      const issued = [yield* one.next("short"), yield* one.next("short"), yield* other.next("short")]
      assert.deepStrictEqual(issued, ["1", "2", String(1 + blockSize)])
      for (let count = 2; count < blockSize; count += 1) yield* one.next("short")
      assert.strictEqual(yield* one.next("short"), String(1 + 2 * blockSize))
    }).pipe(Effect.provide(StoreMemory.layer))
  )

  it.effect("are reserved together without a gap, and only for a merchant that has them", () =>
    Effect.gen(function* () {
      const { next, reserve: reserveTogether } = yield* numbers()
      assert.strictEqual(yield* reserveTogether("short", 60), 1)
      assert.strictEqual(yield* next("short"), "61")
      for (let count = 61; count < blockSize - 10; count += 1) yield* next("short")
      assert.strictEqual(yield* reserveTogether("short", 60), 1 + blockSize)
      assert.strictEqual(yield* next("short"), String(61 + blockSize))
      assert.isUndefined(yield* reserveTogether("long", 60))
    }).pipe(Effect.provide(StoreMemory.layer))
  )

  it.effect("differ for concurrent requests, and come from one block", () =>
    Effect.gen(function* () {
      const { next } = yield* numbers()
      const issued = yield* Effect.all(
        Array.from({ length: 50 }, () => next("short")),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(
        issued.map(Number).sort((a, b) => a - b),
        Array.from({ length: 50 }, (_, at) => at + 1)
      )
    }).pipe(Effect.provide(StoreMemory.layer))
  )

  it.effect("are reserved although other processes commit first 49 times", () =>
    Effect.gen(function* () {
      const store = yield* Store
      let lost = 0
      const crowded: Store["Service"] = {
        ...store,
        commit: (decision) =>
          Effect.andThen(
            lost++ < 49
              ? store.commit({
                  guards: [],
                  writes: [Decision.put(NumberSequence, { ...sequence(lost * 1_000), version: lost })]
                })
              : Effect.void,
            store.commit(decision)
          )
      }
      const other = yield* Effect.provideService(numbers(), Store, crowded)
      assert.strictEqual(yield* other.next("short"), "49000")
    }).pipe(Effect.provide(StoreMemory.layer))
  )

  it.effect("continue with a new block after a restart", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* (yield* numbers()).next("short"), "1")
      assert.strictEqual(yield* (yield* numbers()).next("short"), String(1 + blockSize))
    }).pipe(Effect.provide(StoreMemory.layer))
  )

  it.effect("are given only to merchants who request them", () =>
    Effect.gen(function* () {
      const { next } = yield* numbers()
      assert.match(yield* next("long"), /^\d{17,19}$/)
    }).pipe(Effect.provide(StoreMemory.layer))
  )

  it.effect("begin at the operator's setting, and never go back", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* (yield* numbers({ ...defaults, firstShortNumber: 5000 })).next("short"), "5000")
      assert.strictEqual(yield* (yield* numbers()).next("short"), String(5000 + blockSize))
    }).pipe(Effect.provide(StoreMemory.layer))
  )

  it.effect("skip once after a restore the numbers that the lost commits may have given", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* (yield* numbers()).next("short"), "1")
      yield* put(Decision.put(Restoration, restoration(1000)))
      const first = 1 + blockSize + skippedAfter()
      assert.strictEqual(yield* (yield* numbers()).next("short"), String(first))
      assert.strictEqual(yield* (yield* numbers()).next("short"), String(first + blockSize))
      yield* put(Decision.put(Restoration, restoration(2000)))
      assert.strictEqual(yield* (yield* numbers()).next("short"), String(first + 2 * blockSize + skippedAfter()))
    }).pipe(Effect.provide(StoreMemory.layer))
  )

  it.effect("of two copies of one backup differ, if they are restored one after another", () =>
    Effect.gen(function* () {
      const issuedBy = (restoredAtMs: number) =>
        Effect.gen(function* () {
          yield* put(Decision.put(NumberSequence, sequence(1)))
          yield* put(Decision.put(Restoration, restoration(restoredAtMs, 1000)))
          const { next } = yield* numbers()
          return Number(yield* next("short"))
        }).pipe(Effect.provide(StoreMemory.layer, { local: true }))
      const [first, second] = [yield* issuedBy(61_000), yield* issuedBy(121_000)]
      assert.isAtLeast(first, 1 + 60 * 194)
      assert.isAtLeast(second, first + 60 * 194)
    })
  )

  it("are skipped for a month at most", () => {
    const dayMs = 86_400_000
    assert.strictEqual(skippedAfter(), skippedAfter(dayMs))
    assert.isAbove(skippedAfter(30 * dayMs), skippedAfter(29 * dayMs))
    assert.strictEqual(skippedAfter(40 * dayMs), skippedAfter(30 * dayMs))
    assert.isBelow(skippedAfter(40 * dayMs), largest / 4)
  })

  it.effect("end at 31 bits, after which none is given", () =>
    Effect.gen(function* () {
      yield* put(Decision.put(NumberSequence, sequence(largest)))
      const { next } = yield* numbers()
      assert.strictEqual(yield* next("short"), String(largest))
      const error = yield* Effect.flip(next("short"))
      assert.deepStrictEqual([error._tag, error.outcomeUnknown], ["StoreUnavailable", false])
    }).pipe(Effect.provide(StoreMemory.layer))
  )

  it("raise the alarm while half a billion are left", () => {
    assert.isAbove(largest - alarmFrom, 500_000_000)
    assert.strictEqual(reserve(sequence(largest + 1), 1, undefined), undefined)
    assert.deepStrictEqual(reserve(sequence(largest - 1), 1, undefined)?.block, { from: largest - 1, end: largest + 1 })
  })
})
