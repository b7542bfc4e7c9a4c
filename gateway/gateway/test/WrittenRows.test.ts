import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Layer } from "effect"
import { AuthClock } from "../src/kernel/AuthClock.ts"
import * as Decision from "../src/kernel/Decision.ts"
import { Ids } from "../src/kernel/Ids.ts"
import { Job } from "../src/kernel/Job.ts"
import * as Jobs from "../src/kernel/Jobs.ts"
import { Balance } from "../src/kernel/LedgerTable.ts"
import * as Rows from "../src/kernel/Rows.ts"
import { layer, Scheduler } from "../src/kernel/Scheduler.ts"
import { defaults, Settings } from "../src/kernel/Settings.ts"
import { Store } from "../src/kernel/Store.ts"
import * as StoreMemory from "../src/kernel/StoreMemory.ts"
import * as OpenGate from "./OpenGate.ts"

const row = { account: "a", minor: 2n }
const stored = { account: "a", minor: 1n }

/** The writes of a commit, and the row loaded afterwards: the stored one has 1, the written one 2. */
const cases: ReadonlyArray<readonly [what: string, writes: ReadonlyArray<Decision.Write>, minor: bigint]> = [
  ["the stored row if nothing was written", [], 1n],
  ["the written row", [Decision.put(Balance, row)], 2n],
  ["the appended row", [Decision.append(Balance, row)], 2n],
  ["the stored row if another key was written", [Decision.put(Balance, { ...row, account: "b" })], 1n],
  [
    "the stored row if another entity was written",
    [Decision.put(Job, Jobs.make({ kind: "bank", subject: "a", merchantId: "", nowMs: 0 }))],
    1n
  ],
  ["the stored row after a removal, which is not tracked", [Decision.remove(Balance, ["a"])], 1n],
  ["the stored row after a posting, which is not tracked", [Decision.post("a", 5)], 1n]
]

describe("a row that is read after a commit", () => {
  it.effect.each(cases)("is %s", ([, writes, minor]) =>
    Effect.gen(function* () {
      const store = yield* Store
      yield* store.commit({ guards: [], writes: [Decision.put(Balance, stored)] })
      assert.strictEqual((yield* Rows.writtenRows(store, writes).load(Balance, ["a"]))?.minor, minor)
    }).pipe(Effect.provide(StoreMemory.layer))
  )
})

describe("the scheduler", () => {
  it.live("gives a job that starts at once the rows of its commit, and a later job the stored rows", () =>
    Effect.gen(function* () {
      const minors: Array<bigint | undefined> = []
      const both = yield* Deferred.make<void>()
      const later = Deferred.makeUnsafe<Effect.Effect<void>>()
      const bank = Effect.fnUntraced(function* (_: Job, rows: Rows.Rows) {
        yield* yield* Deferred.await(later)
        minors.push((yield* Effect.orDie(rows.load(Balance, ["a"])))?.minor)
        if (minors.length === 2) yield* Deferred.succeed(both, undefined)
      })
      const never = () => Effect.never
      const others = { lapse: never, callback: never, threeds: never, session: never, rail: never, recurring: never }
      const scheduler = layer({
        leaseMs: 60_000,
        handlers: Effect.succeed({ bank, ...others, enumerate: never, reversal: never })
      }).pipe(
        Layer.provideMerge(StoreMemory.layer),
        Layer.provide(Layer.provide(Ids.layer, AuthClock.layer)),
        Layer.provide(OpenGate.layer),
        Layer.provide(Layer.succeed(Settings, { ...defaults, bankConcurrency: 1 }))
      )
      yield* Effect.gen(function* () {
        const store = yield* Store
        const { claim } = yield* Scheduler
        const put = (minor: bigint) => Decision.put(Balance, { ...stored, minor })
        yield* Deferred.succeed(later, Effect.orDie(store.commit({ guards: [], writes: [put(3n)] })))
        const nowMs = Date.now()
        const job = (subject: string) =>
          Decision.append(
            Job,
            Jobs.make({ kind: "bank", subject, merchantId: "m", nowMs, claim: claim(nowMs, "bank", "m") })
          )
        yield* store.commit({ guards: [], writes: [put(2n), job("1"), job("2")] })
        yield* Deferred.await(both)
        assert.deepStrictEqual(minors, [2n, 3n])
      }).pipe(Effect.provide(scheduler))
    })
  )
})
