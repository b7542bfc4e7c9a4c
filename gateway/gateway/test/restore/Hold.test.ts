/** The first start on a restored copy holds every job that may move or end an order, and the recurring payment of an unfinished charge. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Change from "../../src/kernel/Change.ts"
import * as Decision from "../../src/kernel/Decision.ts"
import { Job, type Kind } from "../../src/kernel/Job.ts"
import { Store } from "../../src/kernel/Store.ts"
import * as StoreMemory from "../../src/kernel/StoreMemory.ts"
import { Order } from "../../src/orders/record/Order.ts"
import { OrderRequest } from "../../src/orders/record/OrderRequest.ts"
import { HeldJob } from "../../src/restore/HeldJob.ts"
import * as Hold from "../../src/restore/Hold.ts"
import { job, request, sale } from "../domain/Sample.ts"

const nowMs = 5_000

const work = (kind: Kind, subject: string): Job =>
  job({ jobId: `${kind}:${subject}`, kind, subject, dueAtMs: 9_000, token: "former", leaseUntilMs: 9_000 })

/** Each job of a copy, the order's recurring payment, and the held jobs with their subjects. */
const rows: ReadonlyArray<readonly [Job, subscriptionId: string | null, heldJobs: ReadonlyArray<string>]> = [
  [work("bank", "2"), null, ["bank:2 of 1"]],
  [work("bank", "2"), "7", ["bank:2 of 1", "recurring:7 of 7"]],
  [work("threeds", "1"), null, ["threeds:1 of 1"]],
  [work("threeds", "1"), "7", ["recurring:7 of 7", "threeds:1 of 1"]],
  [work("session", "1"), "7", ["recurring:7 of 7", "session:1 of 1"]],
  [work("lapse", "1"), null, ["lapse:1 of 1"]],
  [work("recurring", "7"), null, ["recurring:7 of 7"]],
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
})
