/**
 * Compares a job of a restored copy with bank and rail, before it runs for the first time. The former gateway may have gone on with its
 * order after the copy was taken, under references that the copy lacks but whose numbers are known. What bank and rail say about them
 * decides what the order's request becomes. Nothing of the former gateway is sent or reversed again.
 */
import { Clock, Effect } from "effect"
import * as Change from "../kernel/Change.ts"
import * as Decision from "../kernel/Decision.ts"
import { Job, type Kind } from "../kernel/Job.ts"
import * as Jobs from "../kernel/Jobs.ts"
import type { Rows } from "../kernel/Rows.ts"
import type { Handlers } from "../kernel/Scheduler.ts"
import { type GuardFailed, Store, type StoreUnavailable } from "../kernel/Store.ts"
import * as BankJob from "../orders/outcomes/BankJob.ts"
import * as Uncommitted from "../orders/outcomes/Uncommitted.ts"
import { BankTask } from "../orders/record/BankTask.ts"
import { isCardKind, Order } from "../orders/record/Order.ts"
import * as Authentications from "./Authentications.ts"
import * as Charges from "./Charges.ts"
import type { Comparison } from "./Comparison.ts"
import * as FollowUps from "./FollowUps.ts"
import { HeldJob } from "./HeldJob.ts"
import * as Pages from "./Pages.ts"
import * as Payouts from "./Payouts.ts"
import * as Requests from "./Requests.ts"
import * as Reversals from "./Reversals.ts"
import * as Start from "./Start.ts"
import * as Unclear from "./Unclear.ts"

export interface Services {
  readonly handlers: Handlers
  readonly bank: BankJob.RequestJob
  readonly rail: BankJob.RequestJob
}

/** Returns the row that holds a recurring payment for which the copy had no job. */
const heldNow = ({ dueAtMs, jobId, kind, subject }: Job): HeldJob => ({ jobId, kind, subject, dueAtMs, taskId: null })

/** How each kind of job of a copy is compared that was started then. */
const linesOf = Effect.fnUntraced(function* (startedAtMs: number) {
  const store = yield* Store
  const requests = yield* Requests.make(startedAtMs)
  const pages = yield* Pages.make(startedAtMs)
  const payouts = yield* Payouts.make(startedAtMs)
  const authentications = yield* Authentications.make(startedAtMs)
  const charges = yield* Charges.make(startedAtMs)
  const same = () => Effect.succeed<Comparison>({ _tag: "Same" })
  const byInstrument = (job: Job) =>
    Effect.flatMap(store.load(Order, [job.subject]), (order) =>
      order === undefined ? same() : isCardKind(order.kind) ? pages(job, order) : payouts(order)
    )
  /** An expiry waits until all that the bank has booked for its order is registered: a hold that was captured is not released. */
  const expiry = Effect.fnUntraced(function* (job: Job) {
    if ((yield* store.load(Job, [Jobs.id("enumerate", job.subject)])) === undefined) return yield* byInstrument(job)
    const waits = FollowUps.later(job, yield* Clock.currentTimeMillis)
    const decision = Change.writing(Decision.put(Job, waits))
    return { _tag: "Becomes", decision, staysHeld: true } satisfies Comparison
  })

  const lines: Readonly<Record<Kind, (job: Job) => Effect.Effect<Comparison, GuardFailed | StoreUnavailable>>> = {
    bank: requests.compare,
    rail: (job) => requests.compareOfRail(job, payouts),
    lapse: expiry,
    session: byInstrument,
    threeds: authentications,
    recurring: charges.compare,
    reversal: Reversals.compare(store),
    callback: same,
    enumerate: same
  }
  return { charges, lines, requests }
})

/** Makes the handlers of a gateway. On a restored copy they compare each held job first. */
export const around = Effect.fnUntraced(function* ({ bank, handlers, rail }: Services) {
  const store = yield* Store
  const startedAtMs = yield* Start.make
  if (startedAtMs === undefined) return handlers
  const { charges, lines, requests } = yield* linesOf(startedAtMs)
  const requestOf = ({ kind }: Job) => (kind === "rail" ? rail : bank)

  const released = (heldJob: HeldJob | undefined, nowMs: number) =>
    heldJob === undefined
      ? Effect.succeed(Change.none)
      : Effect.map(heldJob.taskId === null ? Effect.undefined : store.load(BankTask, [heldJob.taskId]), (task) =>
          Change.all(Uncommitted.closing(task, nowMs), Change.writing(Decision.remove(HeldJob, [heldJob.jobId])))
        )

  /** `heldJob`: undefined if the copy had no such job to hold. */
  const compare = Effect.fnUntraced(function* (job: Job, heldJob: HeldJob | undefined, rows: Rows) {
    const comparison = yield* lines[job.kind](job)
    const nowMs = yield* Clock.currentTimeMillis
    const lease: Change.Change = { guards: [Decision.leaseOf(job)], writes: [] }
    switch (comparison._tag) {
      case "Same": {
        if (heldJob === undefined) return yield* handlers[job.kind](job, rows)
        const dueAtMs = Math.max(heldJob.dueAtMs, nowMs)
        const waits = Decision.put(Job, { ...job, token: null, leaseUntilMs: 0, dueAtMs })
        return yield* store.commit(Change.all(lease, yield* released(heldJob, nowMs), Change.writing(waits)))
      }
      case "Done":
        return
      case "Runs":
        return yield* handlers[job.kind](job, rows)
      case "Becomes":
        return yield* store.commit(
          Change.all(
            lease,
            comparison.decision,
            comparison.staysHeld === true ? Change.none : yield* released(heldJob, nowMs)
          )
        )
      case "Answered": {
        const { writes } = yield* released(heldJob, nowMs)
        return yield* requestOf(job).apply(job, comparison.answer, writes)
      }
      case "Unclear": {
        const task = yield* Unclear.opening(store, heldJob ?? heldNow(job), comparison, nowMs)
        // A request keeps an unknown outcome, so that operators can resolve it.
        if (job.kind === "bank" || job.kind === "rail")
          return yield* requestOf(job).apply(job, BankJob.cannotSay, task.writes)
        const waits = Decision.put(Job, Jobs.later(job, nowMs))
        return yield* store.commit(Change.all(lease, task, Change.writing(waits)))
      }
    }
  })

  const run = Effect.fnUntraced(function* (kind: Kind, job: Job, rows: Rows) {
    const heldJob = yield* store.load(HeldJob, [job.jobId])
    if (heldJob !== undefined) return yield* compare(job, heldJob, rows)
    if (kind === "recurring" && (yield* charges.mayBeFormer(job))) return yield* compare(job, undefined, rows)
    if (kind !== "bank" && kind !== "rail") return yield* handlers[kind](job, rows)
    const answer = yield* requests.answered(job, rows)
    return yield* answer === undefined ? handlers[kind](job, rows) : requestOf(job).apply(job, answer, [])
  })

  /** If an error occurs, the job stays leased. It is compared again when the lease expires. */
  const handlerOf =
    (kind: Kind) =>
    (job: Job, rows: Rows): Effect.Effect<void> =>
      Effect.catch(run(kind, job, rows), (error) => Effect.logDebug("A comparison has to wait", error))
  const made: Handlers = {
    ...handlers,
    bank: handlerOf("bank"),
    rail: handlerOf("rail"),
    lapse: handlerOf("lapse"),
    session: handlerOf("session"),
    threeds: handlerOf("threeds"),
    recurring: handlerOf("recurring"),
    reversal: handlerOf("reversal")
  }
  return made
})
