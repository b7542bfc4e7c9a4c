/** The first start on a restored copy holds every job that may move or end an order, and the recurring payment of an unfinished charge. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Change from "../../src/kernel/Change.ts"
import * as Decision from "../../src/kernel/Decision.ts"
import { Job, type Kind } from "../../src/kernel/Job.ts"
import { Store } from "../../src/kernel/Store.ts"
import * as StoreMemory from "../../src/kernel/StoreMemory.ts"
import * as Unexpected from "../../src/orders/decide/Unexpected.ts"
import { BankTask } from "../../src/orders/record/BankTask.ts"
import { Order } from "../../src/orders/record/Order.ts"
import { OrderRequest } from "../../src/orders/record/OrderRequest.ts"
import { HeldJob } from "../../src/restore/HeldJob.ts"
import * as Hold from "../../src/restore/Hold.ts"
import { job, request, sale } from "../domain/Sample.ts"

const nowMs = 5_000

/** An approval that the order of the task does not expect. */
const statement = { source: "bank", reference: "1-sale-0", verdict: "approved", amountMinor: 10_000 } as const

const work = (kind: Kind, subject: string): Job =>
  job({ jobId: `${kind}:${subject}`, kind, subject, dueAtMs: 9_000, token: "former", leaseUntilMs: 9_000 })

/** Each job of a copy, the order's recurring payment, and the held jobs with their subjects. */
const rows: ReadonlyArray<readonly [Job, subscriptionId: string | null, heldJobs: ReadonlyArray<string>]> = [
  [work("bank", "2"), null, ["bank:2 of 1"]],
  [work("bank", "2"), "7", ["bank:2 of 1", "recurring:7 of 7"]],
  [work("rail", "2"), null, ["rail:2 of 1"]],
  [work("reversal", "1-sale-0.approved"), null, ["reversal:1-sale-0.approved of 1"]],
  [work("threeds", "1"), null, ["threeds:1 of 1"]],
  [work("threeds", "1"), "7", ["recurring:7 of 7", "threeds:1 of 1"]],
  [work("session", "1"), "7", ["recurring:7 of 7", "session:1 of 1"]],
  [work("lapse", "1"), null, ["lapse:1 of 1"]],
  [work("recurring", "7"), null, ["recurring:7 of 7"]],
  [work("recurring", "1"), "7", ["recurring:1 of 1"]],
  [work("callback", "1-1"), "7", []]
]

describe("the first start on a restored copy", () => {
  it.effect.each(rows)(
    "holds of the job $jobId, whose order has the recurring payment %s: %s",
    ([own, subscriptionId, heldJobs]) =>
      Effect.gen(function* () {
        const store = yield* Store
        const written = [
          Decision.put(Order, sale({ subscriptionId })),
          Decision.put(OrderRequest, request({})),
          Decision.put(BankTask, Unexpected.taskOf(sale(), statement, false, 1)),
          Decision.put(Job, own)
        ]
        yield* store.commit({ guards: [], writes: written })
        yield* Hold.all(store, Change.none, nowMs)
        const result = yield* store.find(HeldJob, "key", { limit: 10 })
        assert.deepStrictEqual(
          result.map(({ jobId, subject }) => `${jobId} of ${subject}`),
          [...heldJobs]
        )
        const after = yield* store.load(Job, [own.jobId])
        const isHeld = heldJobs.length > 0
        assert.deepStrictEqual([after?.dueAtMs, after?.token], isHeld ? [nowMs, null] : [own.dueAtMs, own.token])
      }).pipe(Effect.provide(StoreMemory.layer))
  )

  it.effect("holds jobs of many pages, and keeps what an earlier start has written", () =>
    Effect.gen(function* () {
      const store = yield* Store
      const jobs = Array.from({ length: 1001 }, (_, n) => work("threeds", `${10_000 + n}`))
      const earlier = { jobId: "threeds:10500", kind: "threeds", subject: "10500", dueAtMs: 1, taskId: "task" } as const
      yield* store.commit({
        guards: [],
        writes: [Decision.put(HeldJob, earlier), ...jobs.map((each) => Decision.put(Job, each))]
      })
      yield* Hold.all(store, Change.none, nowMs)
      const heldJobs = yield* store.find(HeldJob, "key", { limit: 2000 })
      assert.deepStrictEqual(
        heldJobs.map(({ subject }) => subject),
        jobs.map(({ subject }) => subject)
      )
      assert.deepStrictEqual(yield* store.load(HeldJob, ["threeds:10500"]), earlier)
    }).pipe(Effect.provide(StoreMemory.layer))
  )

  it.effect("holds nothing if another process has started on the copy meanwhile", () =>
    Effect.gen(function* () {
      const store = yield* Store
      yield* store.commit({ guards: [], writes: [Decision.put(Job, work("threeds", "1"))] })
      const mark = { guards: [Decision.versionIs(Order, ["1"], 9)], writes: [] }
      const error = yield* Effect.flip(Hold.all(store, mark, nowMs))
      assert.strictEqual(error._tag, "GuardFailed")
      assert.deepStrictEqual(yield* store.find(HeldJob, "key", { limit: 10 }), [])
    }).pipe(Effect.provide(StoreMemory.layer))
  )
})
