/** A gateway is ready if it could store a payment now. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import * as Readiness from "../../src/http/Readiness.ts"
import { Store, StoreUnavailable } from "../../src/kernel/Store.ts"
import * as StoreMemory from "../../src/kernel/StoreMemory.ts"

type Disk = "works" | "is full" | "does not answer"

/** A gateway that takes new orders, and whose store has not failed yet. */
const serving = { closed: Effect.undefined, storeFailures: () => 0 }

/** A store whose reads always work, and whose writes depend on the disk. */
const onDisk = (disk: { now: Disk; writes: number; readonly rows?: Set<unknown> }) =>
  Layer.effect(
    Store,
    Effect.map(Store, (store) =>
      Store.of({
        ...store,
        commit: (decision) =>
          Effect.suspend(() => {
            disk.writes += 1
            for (const write of decision.writes) if (write._tag === "Put") disk.rows?.add(write.row.version)
            if (disk.now === "does not answer") return Effect.never
            return disk.now === "works" ? store.commit(decision) : new StoreUnavailable({ outcomeUnknown: false })
          })
      })
    )
  ).pipe(Layer.provide(StoreMemory.layer))

const rows: ReadonlyArray<{ readonly disk: ReadonlyArray<Disk>; readonly ready: ReadonlyArray<boolean> }> = [
  { disk: ["works"], ready: [true] },
  { disk: ["is full"], ready: [false] },
  { disk: ["does not answer"], ready: [false] },
  { disk: ["works", "is full", "works"], ready: [true, false, true] },
  { disk: ["is full", "does not answer", "works"], ready: [false, false, true] }
]

describe("the readiness of a gateway", () => {
  it.effect.each(rows)("depends on whether a write succeeds: the disk $disk, ready is $ready", ({ disk, ready }) => {
    const state = { now: disk[0] ?? "works", writes: 0 }
    return Effect.gen(function* () {
      const check = yield* Readiness.make(serving)
      const answers: Array<boolean> = []
      for (const now of disk) {
        state.now = now
        const [answer] = yield* Effect.all([check, TestClock.adjust("2 seconds")], { concurrency: 2 })
        answers.push(answer === undefined)
        yield* TestClock.adjust("2 seconds")
      }
      assert.deepStrictEqual(answers, ready)
    }).pipe(Effect.provide(onDisk(state)))
  })

  it.effect("is judged again after the store failed to serve a request", () => {
    const state: { now: Disk; writes: number } = { now: "works", writes: 0 }
    let failures = 0
    return Effect.gen(function* () {
      const check = yield* Readiness.make({ ...serving, storeFailures: () => failures })
      assert.isUndefined(yield* check)
      state.now = "is full"
      failures = 1
      assert.strictEqual((yield* check)?.reason, "store")
    }).pipe(Effect.provide(onDisk(state)))
  })

  it.effect("costs one write in two seconds, for any number of checks", () => {
    const rows = new Set<unknown>()
    const state: { now: Disk; writes: number; readonly rows: Set<unknown> } = { now: "works", writes: 0, rows }
    return Effect.gen(function* () {
      const check = yield* Readiness.make(serving)
      const question = Effect.all(
        Array.from({ length: 100 }, () => check),
        { concurrency: "unbounded" }
      )
      yield* question
      yield* TestClock.adjust("1 second")
      yield* question
      assert.strictEqual(state.writes, 1)
      yield* TestClock.adjust("1 second")
      yield* question
      assert.strictEqual(state.writes, 2)
      assert.strictEqual(rows.size, 2, "each write writes something")
    }).pipe(Effect.provide(onDisk(state)))
  })
})
