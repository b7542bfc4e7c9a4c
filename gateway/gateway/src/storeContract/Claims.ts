/** Test cases for claims: the process that claims a due job is the only one that has it until the lease ends. */
import assert from "node:assert/strict"
import { Effect } from "effect"
import { leaseIs, put, remove } from "../kernel/Decision.ts"
import { Job } from "../kernel/Job.ts"
import type { Store } from "../kernel/Store.ts"
import * as Case from "./Case.ts"
import * as Sample from "./Sample.ts"

const claim = (store: Store["Service"], nowMs: number, token: string, limit = 100) =>
  store.claimDue({ kind: "bank", nowMs, limit, leaseMs: 10, token })

const ids = (jobs: ReadonlyArray<Job>): string => jobs.map((job) => job.jobId).join(" ")

const add = (store: Store["Service"], ...jobs: ReadonlyArray<Job>) =>
  store.commit(Case.write(...jobs.map((job) => put(Job, job))))

export const cases: ReadonlyArray<Case.Case> = [
  Case.make("due jobs are claimed, oldest first and then by key, up to the limit", (store) =>
    Effect.gen(function* () {
      yield* add(
        store,
        Sample.job("d", { dueAtMs: 50 }),
        Sample.job("c", { dueAtMs: 20 }),
        Sample.job("b", { dueAtMs: 20 }),
        Sample.job("a", { dueAtMs: 30 }),
        Sample.job("later", { dueAtMs: 51 })
      )
      assert.strictEqual(ids(yield* claim(store, 50, "one", 3)), "b c a")
      assert.strictEqual(ids(yield* claim(store, 50, "two", 3)), "d")
      assert.strictEqual(ids(yield* claim(store, 50, "three", 0)), "")
    })
  ),

  Case.make("merchants take turns: the oldest job of each is claimed before the second one of any", (store) =>
    Effect.gen(function* () {
      const many = Array.from({ length: 30 }, (_, n) => Sample.job(`a${10 + n}`, { dueAtMs: n, merchantId: "a" }))
      yield* add(
        store,
        ...many,
        Sample.job("b1", { dueAtMs: 40, merchantId: "b" }),
        Sample.job("b2", { dueAtMs: 39, merchantId: "b" }),
        Sample.job("own", { dueAtMs: 41, merchantId: "" })
      )
      assert.strictEqual(ids(yield* claim(store, 50, "one", 4)), "a10 b2 own a11")
      assert.strictEqual(ids(yield* claim(store, 50, "two", 2)), "a12 b1")
      assert.strictEqual(ids(yield* claim(store, 50, "three", 2)), "a13 a14")
    })
  ),

  Case.make("a claim takes no more jobs of a merchant than its limit, and none of an excepted merchant", (store) =>
    Effect.gen(function* () {
      const of = (merchantId: string) => [1, 2, 3].map((n) => Sample.job(`${merchantId}${n}`, { merchantId }))
      yield* add(store, ...of("a"), ...of("b"), ...of("c"))
      const lease = { kind: "bank" as const, nowMs: 100, leaseMs: 10, limit: 100 }
      assert.strictEqual(ids(yield* store.claimDue({ ...lease, token: "one", each: 1, except: ["b"] })), "a1 c1")
      assert.strictEqual(ids(yield* store.claimDue({ ...lease, token: "two", each: 2 })), "a2 b1 c2 a3 b2 c3")
      assert.strictEqual(ids(yield* store.claimDue({ ...lease, token: "three", except: ["b"] })), "")
    })
  ),

  Case.make("a claim writes the rows that it returns: token, lease, attempt and start time", (store) =>
    Effect.gen(function* () {
      const job = Sample.job("1", { dueAtMs: 5, tries: 3, subject: "order" })
      yield* add(store, job)
      const expected = { ...job, token: "one", leaseUntilMs: 110, openAttempts: 1, startedAtMs: 100 }
      Case.assertRows(yield* claim(store, 100, "one"), [expected])
      Case.assertRow(yield* store.load(Job, ["1"]), expected)
    })
  ),

  Case.make("a lease is respected until it ends, and the next claim counts another attempt", (store) =>
    Effect.gen(function* () {
      yield* add(store, Sample.job("1"))
      yield* claim(store, 100, "one")
      assert.strictEqual(ids(yield* claim(store, 109, "two")), "")
      const [again] = yield* claim(store, 110, "three")
      assert.strictEqual(again?.openAttempts, 2)
      assert.strictEqual(again.startedAtMs, 100)
      assert.strictEqual(again.token, "three")
      assert.strictEqual(again.leaseUntilMs, 120)
      yield* Case.expectGuardFailed(store, { guards: [leaseIs("1", "one")], writes: [remove(Job, ["1"])] })
      yield* store.commit({ guards: [leaseIs("1", "three")], writes: [remove(Job, ["1"])] })
      assert.strictEqual(ids(yield* claim(store, 1000, "four")), "")
    })
  ),

  Case.make("jobs of another kind are not claimed and do not count for the limit", (store) =>
    Effect.gen(function* () {
      yield* add(store, Sample.job("1", { kind: "callback" }), Sample.job("2", { dueAtMs: 5 }))
      assert.strictEqual(ids(yield* claim(store, 100, "one", 1)), "2")
      assert.strictEqual((yield* store.load(Job, ["1"]))?.token, null)
    })
  ),

  Case.make("jobs under a lease do not count for the limit", (store) =>
    Effect.gen(function* () {
      yield* add(store, ...["1", "2", "3"].map((id) => Sample.job(id, { leaseUntilMs: 200 })), Sample.job("4"))
      assert.strictEqual(ids(yield* claim(store, 100, "one", 1)), "4")
    })
  ),

  Case.make("concurrent claims share the jobs, and no job is claimed twice", (store) =>
    Effect.gen(function* () {
      const all = Array.from({ length: 60 }, (_, n) => Sample.job(`${n}`.padStart(2, "0")))
      yield* add(store, ...all)
      const claims = yield* Effect.forEach(
        Array.from({ length: 10 }, (_, n) => `claimer ${n}`),
        (token) => claim(store, 100, token, 7),
        { concurrency: "unbounded" }
      )
      const claimed = claims.flat().map((job) => job.jobId)
      assert.deepStrictEqual([...claimed].sort(), ids(all).split(" "))
      for (const job of claims.flat()) {
        assert.strictEqual((yield* store.load(Job, [job.jobId]))?.token, job.token)
      }
    })
  )
]
