/**
 * Sends a reversal to the bank under a reference that is stored before, and ends a lost answer as the acquirer declares. It is sent again
 * only when the bank definitely does not have it, or answers the identical request as the first one.
 */

import { Clock, Effect } from "effect"
import * as Change from "../../kernel/Change.ts"
import * as Decision from "../../kernel/Decision.ts"
import { Evidence } from "../../kernel/Evidence.ts"
import { Ids } from "../../kernel/Ids.ts"
import type { Job } from "../../kernel/Job.ts"
import { Scheduler } from "../../kernel/Scheduler.ts"
import { Store } from "../../kernel/Store.ts"
import type { Original } from "../bank/Acquirer.ts"
import * as Acquirers from "../bank/Acquirers.ts"
import type * as Inquiry from "../decide/Inquiry.ts"
import { BankTask, idOfUnanswered } from "../record/BankTask.ts"
import * as Booking from "../record/Booking.ts"
import { Order } from "../record/Order.ts"
import * as BankQuestion from "./BankQuestion.ts"
import * as Counterparty from "./Counterparty.ts"
import * as EndUnknown from "./EndUnknown.ts"
import * as LateAnswer from "./LateAnswer.ts"
import * as MadeReversal from "./MadeReversal.ts"
import * as NoticedOutcome from "./NoticedOutcome.ts"
import * as SentTimes from "./SentTimes.ts"

type ReversalKind = "void" | "refund"

const noWayLeft: Inquiry.Answer = { _tag: "NoWayLeft" }

/** A reversal of a task. `isNew`: it got its reference now and was never sent. */
export interface Reversal {
  readonly task: BankTask
  readonly order: Order
  readonly kind: ReversalKind
  /** The reference of the reversal at the bank. */
  readonly reference: Booking.AttemptReference
  readonly isNew: boolean
}

/** Returns the evidence of what the bank answered to the reversal of the task. */
export const evidenceOf = (
  evidenceId: string,
  { orderId, reversalReference }: BankTask,
  answer: Inquiry.Answer,
  atMs: number
) =>
  Decision.append(Evidence, {
    evidenceId,
    reference: reversalReference ?? "",
    orderId,
    answer: JSON.stringify(answer),
    atMs
  })

export const make = Effect.gen(function* () {
  const store = yield* Store
  const ids = yield* Ids
  const scheduler = yield* Scheduler
  const acquirerOf = yield* Acquirers.lookup
  const endUnknown = yield* EndUnknown.make
  const callWithDeadline = yield* LateAnswer.make
  const sentTimes = yield* SentTimes.make
  const recordReversal = yield* MadeReversal.make

  /**
   * Stores the reference of the reversal before the bank is called, so that after a crash the same reference is inquired
   * about.
   */
  const withReference = Effect.fnUntraced(function* (task: BankTask, kind: ReversalKind, order: Order) {
    if (task.reversalReference !== null)
      return { task, order, kind, reference: task.reversalReference, isNew: false } satisfies Reversal
    const sequence = order.sequence + 1
    const reference = Booking.referenceOf({ kind, orderId: order.orderId, sequence })
    const patch = { reversalReference: reference }
    yield* store.commit(Change.all(Change.update(Order, order, { sequence }), Change.update(BankTask, task, patch)))
    return { task: Change.next(task, patch), order, kind, reference, isNew: true } satisfies Reversal
  })

  /** Records an approval that arrives after the deadline, although the task may have another state by then. */
  const onLateAnswer =
    ({ order, reference, task: sent }: Reversal): Counterparty.LateAnswerHandler =>
    (answer) =>
      answer._tag === "Approved"
        ? Effect.flatMap(Clock.currentTimeMillis, (nowMs) =>
            recordReversal({ order, reference, amountMinor: sent.amountMinor, taskId: sent.taskId }, [
              evidenceOf(ids.next(), sent, answer, nowMs)
            ])
          )
        : Effect.void

  /** Returns the payment that the bank cancels or refunds, or to which the captured amount belongs. */
  const originalOf = Effect.fnUntraced(function* (task: BankTask, order: Order) {
    const payment = yield* BankQuestion.originalOf(store, order)
    const { amountMinor, createdAtMs, processorTxId, taskId } = task
    const reversed = Booking.parse(task.reference)
    const kind = Booking.bankKindOf(task.reference)
    if (reversed === undefined || kind === undefined)
      return yield* Effect.die(new Error(`task ${taskId} names no request`))
    if (payment !== undefined && kind === "capture") return payment
    return {
      reference: Booking.referenceOf(reversed),
      kind,
      amountMinor,
      processorTxId: processorTxId ?? undefined,
      requestedAtMs: payment?.requestedAtMs ?? createdAtMs
    } satisfies Original
  })

  /** Returns what the reversal and inquiries about it name. */
  const namedOf = ({ order, reference, task }: Reversal) => ({
    ...BankQuestion.placed(order, task.reversingAtMs ?? task.createdAtMs),
    reference,
    amountMinor: task.amountMinor
  })

  /** Sends the reversal; undefined if nothing was sent, because another process may have the lease of the job. */
  const send = Effect.fnUntraced(function* (job: Job, reversal: Reversal) {
    const { kind, order, reference, task } = reversal
    const original = yield* originalOf(task, order)
    if (!(yield* scheduler.holds(job))) return undefined
    sentTimes.mark(reference)
    const acquirer = acquirerOf(order)
    const call = acquirer.followUp(kind, { ...namedOf(reversal), original })
    return yield* callWithDeadline(call, acquirer.capabilities, onLateAnswer(reversal))
  })

  /** Ends the lost answer to a reversal. The bank gets nothing more about one whose outcome people are asked to state. */
  const learn = Effect.fnUntraced(function* (job: Job, reversal: Reversal, nowMs: number) {
    const { kind, order, reference, task } = reversal
    const noticed = yield* NoticedOutcome.of(store, reference)
    if (noticed !== undefined) return noticed
    if ((yield* store.load(BankTask, [idOfUnanswered(reference)])) !== undefined) return noWayLeft
    const acquirer = acquirerOf(order)
    const unknownOutcome = endUnknown(acquirer)
    const sent = { action: kind, acceptedAtMs: task.reversingAtMs ?? task.createdAtMs, processorTxId: null }
    const way = yield* unknownOutcome.wayOf(order, sent, { isComplete: true, ageMs: sentTimes.ageMs(reference) })
    if (way === "resend") return yield* send(job, reversal)
    const inquiry = { ...namedOf(reversal), kind, original: yield* originalOf(task, order), processorTxId: undefined }
    const holdsLease = Effect.flatMap(scheduler.holds(job), (holds) =>
      holds ? Effect.void : Effect.fail(new Counterparty.LeaseLost())
    )
    const answer = yield* unknownOutcome.learn(way, sent, inquiry, holdsLease)
    const underWayMs = Math.min(nowMs - (task.reversingAtMs ?? nowMs), sentTimes.elapsedMs(reference))
    const isDefinite = underWayMs >= acquirer.capabilities.longestProcessingMs
    return answer._tag === "NotFound" && isDefinite ? yield* send(job, reversal) : answer
  })

  /** Sends a new reversal, and learns what became of one that was sent before; undefined if nothing was sent. */
  const ask = (job: Job, reversal: Reversal, nowMs: number) =>
    reversal.isNew
      ? send(job, reversal)
      : Effect.catchTag(learn(job, reversal, nowMs), "LeaseLost", () => Effect.undefined)

  return { withReference, ask, forget: sentTimes.forget }
})
