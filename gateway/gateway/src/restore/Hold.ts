/** Holds every job of a restored copy that may move or end an order, before a gateway on the copy does anything else. */
import { Effect } from "effect"
import * as Change from "../kernel/Change.ts"
import * as Decision from "../kernel/Decision.ts"
import { facts, Job } from "../kernel/Job.ts"
import * as Jobs from "../kernel/Jobs.ts"
import type { Store } from "../kernel/Store.ts"
import { BankTask } from "../orders/record/BankTask.ts"
import { Order } from "../orders/record/Order.ts"
import { OrderRequest } from "../orders/record/OrderRequest.ts"
import { HeldJob } from "./HeldJob.ts"

const pageSize = 500

/** Returns the number of the order or recurring payment that a job moves. */
const subjectOf = Effect.fnUntraced(function* (store: Store["Service"], { kind, subject }: Job) {
  if (kind === "bank" || kind === "rail") return (yield* store.load(OrderRequest, [subject]))?.orderId ?? subject
  if (kind === "reversal") return (yield* store.load(BankTask, [subject]))?.orderId ?? subject
  return subject
})

/** Returns the writes that hold a job. An unfinished charge holds its recurring payment, too: its end makes the next job. */
const holding = Effect.fnUntraced(function* (store: Store["Service"], job: Job, nowMs: number) {
  const subject = yield* subjectOf(store, job)
  const order = job.kind === "recurring" ? undefined : yield* store.load(Order, [subject])
  const recurring = order?.subscriptionId ?? undefined
  const rowOf = (jobId: string, kind: Job["kind"], about: string): HeldJob => ({
    ...{ jobId, kind, subject: about, dueAtMs: job.dueAtMs, taskId: null }
  })
  const rows = [
    rowOf(job.jobId, job.kind, subject),
    ...(recurring === undefined ? [] : [rowOf(Jobs.id("recurring", recurring), "recurring", recurring)])
  ]
  const isKnown = yield* Effect.forEach(rows, ({ jobId }) => store.load(HeldJob, [jobId]))
  return [
    ...rows.filter((_, index) => isKnown[index] === undefined).map((row) => Decision.put(HeldJob, row)),
    Decision.put(Job, { ...job, dueAtMs: nowMs, token: null, leaseUntilMs: 0 })
  ]
})

/** Holds all jobs of the copy. The guard fails if another process has started on the copy meanwhile. */
export const all = Effect.fnUntraced(function* (store: Store["Service"], mark: Change.Change, nowMs: number) {
  for (let after: string | undefined; ; ) {
    const page: ReadonlyArray<Job> = yield* store.find(Job, "key", {
      ...(after === undefined ? {} : { from: after }),
      limit: pageSize
    })
    const jobs = page.filter(({ jobId, kind }) => jobId !== after && facts[kind].movesOrders)
    const writes = yield* Effect.forEach(jobs, (job) => holding(store, job, nowMs))
    if (writes.length > 0) yield* store.commit(Change.all(mark, Change.writing(...writes.flat())))
    const last = page.at(-1)
    if (last === undefined || page.length < pageSize) return
    after = last.jobId
  }
})
