import { assert, describe, it } from "@effect/vitest"
import { Cause, Clock, Deferred, Effect, Layer, Logger } from "effect"
import { AuthClock } from "../src/kernel/AuthClock.ts"
import { ClockTrust } from "../src/kernel/ClockTrust.ts"
import * as Decision from "../src/kernel/Decision.ts"
import { Ids } from "../src/kernel/Ids.ts"
import { Job, kinds } from "../src/kernel/Job.ts"
import * as Jobs from "../src/kernel/Jobs.ts"
import { OrderGate } from "../src/kernel/OrderGate.ts"
import { layer, Scheduler } from "../src/kernel/Scheduler.ts"
import { defaults, Settings } from "../src/kernel/Settings.ts"
import { Store, StoreUnavailable } from "../src/kernel/Store.ts"
import * as StoreMemory from "../src/kernel/StoreMemory.ts"

const backlog = 4
const settings = { ...defaults, jobBacklog: backlog, bankConcurrency: 1, callbackConcurrency: 1, jobTickMs: 5 }

/** A scheduler on which jobs of one kind never end; `done` receives the first finished job of another kind. */
const hanging = (
  kind: Job["kind"] | undefined,
  done: Deferred.Deferred<string>,
  spoil: (store: Store["Service"]) => Store["Service"] = (same) => same,
  failing?: Job["kind"],
  closedForMs: OrderGate["Service"]["closedForMs"] = () => Effect.undefined
) => {
  const ends = (job: Job) => Effect.asVoid(Deferred.succeed(done, job.jobId))
  const fails = () => Effect.die(new Error("a defect"))
  const handlerOf = (own: Job["kind"]) => (own === failing ? fails : own === kind ? () => Effect.never : ends)
  return layer({
    leaseMs: 60_000,
    handlers: Effect.succeed({
      bank: handlerOf("bank"),
      lapse: handlerOf("lapse"),
      callback: handlerOf("callback"),
      threeds: handlerOf("threeds"),
      session: handlerOf("session"),
      rail: handlerOf("rail"),
      recurring: handlerOf("recurring"),
      enumerate: handlerOf("enumerate"),
      reversal: handlerOf("reversal")
    })
  }).pipe(
    Layer.provideMerge(Layer.provide(Layer.effect(Store, Effect.map(Store, spoil)), StoreMemory.layer)),
    Layer.provide(Layer.provide(Ids.layer, AuthClock.layer)),
    Layer.provide(Layer.succeed(OrderGate, { closedForMs, mayBeOfAnother: () => false })),
    Layer.provide(Layer.succeed(Settings, settings))
  )
}

const add = (kind: Job["kind"], subject: string, dueAtMs: number) =>
  Effect.flatMap(Store, (store) =>
    store.commit({
      guards: [],
      writes: [Decision.put(Job, Jobs.make({ kind, subject, merchantId: "", nowMs: 0, dueAtMs }))]
    })
  )

describe("the scheduler", () => {
  for (const [slow, urgent] of [
    ["callback", "bank"],
    ["bank", "callback"]
  ] as const) {
    it.live(`starts ${urgent} jobs although ${slow} jobs never end`, () =>
      Effect.gen(function* () {
        const done = yield* Deferred.make<string>()
        yield* Effect.gen(function* () {
          const scheduler = yield* Scheduler
          for (let n = 0; n < 3 * backlog; n += 1) yield* add(slow, `${n}`, n)
          yield* scheduler.wake
          while (scheduler.load() < backlog) yield* Effect.yieldNow
          assert.isUndefined(scheduler.claim(1, slow, ""), "the queue of slow jobs is full")
          assert.isDefined(scheduler.claim(1, urgent, ""))
          yield* add(urgent, "late", 1_000)
          yield* scheduler.wake
          assert.strictEqual(yield* Deferred.await(done), `${urgent}:late`)
          assert.isAtMost(scheduler.load(), backlog + 1, "no more slow jobs are claimed than the queue holds")
        }).pipe(Effect.provide(hanging(slow, done)))
      })
    )
  }

  it.live("starts a job at the commit that creates it under a claim, and nothing after a commit that failed", () =>
    Effect.gen(function* () {
      const done = yield* Deferred.make<string>()
      yield* Effect.gen(function* () {
        const scheduler = yield* Scheduler
        const store = yield* Store
        const claimed = (subject: string) =>
          Decision.append(
            Job,
            Jobs.make({
              kind: "bank",
              subject,
              merchantId: "",
              nowMs,
              dueAtMs,
              claim: scheduler.claim(nowMs, "bank", "")
            })
          )
        const nowMs = yield* Clock.currentTimeMillis
        // Only a claim starts it, because it is not due yet.
        const dueAtMs = nowMs + 3_600_000
        const guards = [Decision.leaseIs("bank:none", "none")]
        yield* Effect.flip(store.commit({ guards, writes: [claimed("refused")] }))
        assert.strictEqual(scheduler.load(), 0)
        yield* store.commit({ guards: [], writes: [claimed("new")] })
        assert.strictEqual(scheduler.load(), 1)
        assert.strictEqual(yield* Deferred.await(done), "bank:new")
      }).pipe(Effect.provide(hanging(undefined, done)))
    })
  )

  it.live.each(kinds.map((kind) => [kind, !["callback", "enumerate"].includes(kind)] as const))(
    "starts a %s job while no order may be moved, unless it may move one",
    ([kind, waits]) =>
      Effect.gen(function* () {
        const done = yield* Deferred.make<string>()
        let closedForMs: number | undefined = 60_000
        yield* Effect.gen(function* () {
          const scheduler = yield* Scheduler
          yield* add(kind, "1", 1)
          yield* scheduler.settled
          assert.strictEqual(yield* Deferred.isDone(done), !waits)
          if (waits) assert.isUndefined(yield* scheduler.nextDueMs)
          closedForMs = undefined
          if (waits) assert.strictEqual(yield* scheduler.nextDueMs, 1)
          yield* scheduler.wake
          assert.strictEqual(yield* Deferred.await(done), `${kind}:1`)
        }).pipe(Effect.provide(hanging(undefined, done, undefined, undefined, () => Effect.sync(() => closedForMs))))
      })
  )

  it.live("begins no charges while the store has no room for new orders, and everything else", () =>
    Effect.gen(function* () {
      const done = yield* Deferred.make<string>()
      let short = true
      const onFullDisk = (store: Store["Service"]) => Store.of({ ...store, isShort: () => short })
      yield* Effect.gen(function* () {
        const scheduler = yield* Scheduler
        const due = Effect.flatMap(Store, (store) => store.find(Job, "key", { limit: 10 }))
        yield* add("recurring", "s", 0)
        yield* add("lapse", "o", 0)
        assert.strictEqual(yield* Deferred.await(done), "lapse:o")
        yield* scheduler.settled
        const begun = Effect.map(due, (jobs) => jobs.filter(({ token }) => token !== null).map(({ kind }) => kind))
        assert.deepStrictEqual(yield* begun, ["lapse"])
        short = false
        yield* scheduler.settled
        assert.sameMembers([...(yield* begun)], ["lapse", "recurring"])
      }).pipe(Effect.provide(hanging(undefined, done, onFullDisk)))
    })
  )

  it.live("runs a job that failed with a defect again later each time, as an attempt that was begun", () =>
    Effect.gen(function* () {
      const done = yield* Deferred.make<string>()
      yield* Effect.gen(function* () {
        const scheduler = yield* Scheduler
        const store = yield* Store
        yield* add("bank", "dies", 0)
        const dueMs: Array<number> = []
        for (const attempts of [1, 2, 3, 4, 5]) {
          yield* scheduler.settled
          const job = yield* store.load(Job, ["bank:dies"])
          assert(job !== undefined && job.startedAtMs !== null)
          assert.deepInclude(job, { openAttempts: attempts, tries: 0, token: null, leaseUntilMs: 0 })
          dueMs.push(Math.round((job.dueAtMs - (yield* Clock.currentTimeMillis)) / 60_000))
          yield* store.commit({ guards: [], writes: [Decision.put(Job, { ...job, dueAtMs: 0 })] })
        }
        assert.deepStrictEqual(dueMs, [2, 5, 15, 60, 60])
      }).pipe(Effect.provide(Layer.provide(hanging(undefined, done, undefined, "bank"), Logger.layer([]))))
    })
  )

  it.live("begins no job that a date alone causes while the time is uncertain, and every other job", () =>
    Effect.gen(function* () {
      let trusted = false
      const clockTrust = { acceptedBy: undefined, isTrusted: () => trusted, observe: () => {}, start: () => {} }
      const done = yield* Deferred.make<string>()
      yield* Effect.gen(function* () {
        const scheduler = yield* Scheduler
        for (const kind of kinds) yield* add(kind, "due", 0)
        const begun = Effect.flatMap(Store, (store) =>
          Effect.map(store.find(Job, "key", { limit: kinds.length }), (jobs) =>
            jobs.filter(({ token }) => token !== null).map(({ kind }) => kind)
          )
        )
        yield* scheduler.settled
        assert.sameMembers(
          [...(yield* begun)],
          ["bank", "callback", "threeds", "rail", "enumerate", "reversal"],
          "inquiries, callbacks and reversals never stop"
        )
        trusted = true
        yield* scheduler.settled
        assert.sameMembers([...(yield* begun)], [...kinds])
      }).pipe(Effect.provide(Layer.provide(hanging(undefined, done), Layer.succeed(ClockTrust, clockTrust))))
    })
  )

  it.live("continues to claim jobs after a claim that failed with a defect", () =>
    Effect.gen(function* () {
      const done = yield* Deferred.make<string>()
      let claims = 0
      const dyingOnce = (store: Store["Service"]): Store["Service"] => ({
        ...store,
        claimDue: (claim) => {
          claims += 1
          return claims <= 3 ? Effect.die("a defect") : store.claimDue(claim)
        }
      })
      yield* Effect.gen(function* () {
        yield* add("bank", "waiting", 0)
        assert.strictEqual(yield* Deferred.await(done), "bank:waiting")
      }).pipe(Effect.provide(Layer.provide(hanging(undefined, done, dyingOnce), Logger.layer([]))))
    })
  )

  it.live("does not start on a store that cannot release the jobs of an earlier process", () =>
    Effect.gen(function* () {
      const done = yield* Deferred.make<string>()
      const store = yield* Store
      const context = {
        ...Jobs.make({ kind: "bank", subject: "held", merchantId: "", nowMs: 0 }),
        token: "gone",
        leaseUntilMs: 5
      }
      yield* store.commit({ guards: [], writes: [Decision.put(Job, context)] })
      const full = { ...store, commit: () => Effect.fail(new StoreUnavailable({ outcomeUnknown: false })) }
      const exit = yield* Effect.void.pipe(
        Effect.provide(hanging(undefined, done, () => full)),
        Effect.timeout("2 seconds"),
        Effect.exit
      )
      assert.isTrue(exit._tag === "Failure" && Cause.hasDies(exit.cause))
    }).pipe(Effect.provide(StoreMemory.layer))
  )
})
