/**
 * Returns money that the bank took for an order which ended without it. The reversal has a sequence number of the order. A
 * missing answer is inquired about. The reversal is sent again only when the bank definitely does not have it; a refused
 * reversal waits for an operator.
 */

import { Clock, Effect } from "effect"
import * as Change from "../../kernel/Change.ts"
import * as Decision from "../../kernel/Decision.ts"
import { Evidence } from "../../kernel/Evidence.ts"
import { Ids } from "../../kernel/Ids.ts"
import { Job } from "../../kernel/Job.ts"
import * as Jobs from "../../kernel/Jobs.ts"
import { Scheduler } from "../../kernel/Scheduler.ts"
import { Store } from "../../kernel/Store.ts"
import { Acquirer } from "../bank/Acquirer.ts"
import * as Inquiry from "../decide/Inquiry.ts"
import { inquiryDelaysMs } from "../decide/Inquiry.ts"
import * as Unexpected from "../decide/Unexpected.ts"
import { BankTask, isReversing } from "../record/BankTask.ts"
import * as Booking from "../record/Booking.ts"
import { Order } from "../record/Order.ts"
import { OrderRequest, referenceOf } from "../record/OrderRequest.ts"
import * as BankJob from "./BankJob.ts"
import type * as Counterparty from "./Counterparty.ts"
import * as LateAnswer from "./LateAnswer.ts"
import * as MadeReversal from "./MadeReversal.ts"
import * as SentTimes from "./SentTimes.ts"
import * as Uncommitted from "./Uncommitted.ts"

/** A reversal of a task. `isNew`: it got its reference now and was never sent. */
interface Reversal {
  readonly task: BankTask
  /** The reference of the reversal at the bank. */
  readonly reference: Booking.AttemptReference
  readonly isNew: boolean
}

export const make = Effect.gen(function* () {
  const store = yield* Store
  const ids = yield* Ids
  const scheduler = yield* Scheduler
  const acquirer = yield* Acquirer
  const { deadlineMs, longestProcessingMs } = acquirer.capabilities
  const callWithDeadline = yield* LateAnswer.make({ deadlineMs, longestProcessingMs })
  const sentTimes = yield* SentTimes.make
  const recordReversal = yield* MadeReversal.make

  /**
   * Stores the reference of the reversal before the bank is called, so that after a crash the same reference is inquired
   * about.
   */
  const withReference = Effect.fnUntraced(function* (task: BankTask, kind: "void" | "refund", order: Order) {
    if (task.reversalReference !== null) return { task, reference: task.reversalReference, isNew: false }
    const sequence = order.sequence + 1
    const reference = Booking.referenceOf({ kind, orderId: order.orderId, sequence })
    const patch = { reversalReference: reference }
    yield* store.commit(Change.all(Change.update(Order, order, { sequence }), Change.update(BankTask, task, patch)))
    return { task: Change.next(task, patch), reference, isNew: true }
  })

  const evidenceOf = ({ orderId, reversalReference }: BankTask, answer: Inquiry.Answer, atMs: number) =>
    Decision.append(Evidence, {
      evidenceId: ids.next(),
      reference: reversalReference ?? "",
      orderId,
      answer: JSON.stringify(answer),
      atMs
    })

  /** Records an approval that arrives after the deadline, although the task may have another state by then. */
  const onLateAnswer =
    ({ reference, task: sent }: Reversal, order: Order): Counterparty.LateAnswerHandler =>
    (answer) =>
      answer._tag === "Approved"
        ? Effect.flatMap(Clock.currentTimeMillis, (nowMs) =>
            recordReversal({ order, reference, amountMinor: sent.amountMinor, taskId: sent.taskId }, [
              evidenceOf(sent, answer, nowMs)
            ])
          )
        : Effect.void

  /** Returns the reference of the authorisation that the bank cancels or refunds, or to which the captured amount belongs. */
  const originalOf = Effect.fnUntraced(function* ({ reference }: BankTask, { requestId }: Order) {
    if (Booking.parse(reference)?.kind !== "capture") return reference
    const creation = yield* store.load(OrderRequest, [requestId])
    return creation === undefined ? reference : referenceOf(creation)
  })

  /** Sends the reversal; undefined if nothing was sent, because another process may have the lease of the job. */
  const send = Effect.fnUntraced(function* (job: Job, reversal: Reversal, kind: "void" | "refund", order: Order) {
    const { reference, task } = reversal
    const original = yield* originalOf(task, order)
    if (!(yield* scheduler.holds(job))) return undefined
    sentTimes.mark(reference)
    return yield* callWithDeadline(
      acquirer[kind]({
        reference,
        orderId: task.orderId,
        clientOrderId: task.clientOrderId,
        merchantId: task.merchantId,
        original,
        amountMinor: task.amountMinor,
        currency: task.currency
      }),
      onLateAnswer(reversal, order)
    )
  })

  const ask = Effect.fnUntraced(function* (
    job: Job,
    reversal: Reversal,
    kind: "void" | "refund",
    order: Order,
    nowMs: number
  ) {
    const { isNew, reference, task } = reversal
    if (isNew) return yield* send(job, reversal, kind, order)
    const answer = BankJob.inquired(yield* BankJob.answerOf(acquirer.inquire(reference), deadlineMs))
    const underWayMs = Math.min(nowMs - (task.reversingAtMs ?? nowMs), sentTimes.elapsedMs(reference))
    const isDefinite = underWayMs >= longestProcessingMs
    return answer._tag === "NotFound" && isDefinite ? yield* send(job, reversal, kind, order) : answer
  })

  const settle = Effect.fnUntraced(function* (
    job: Job,
    { reference, task }: Reversal,
    answer: Inquiry.Answer,
    nowMs: number
  ) {
    const lease = Decision.leaseOf(job)
    const verdict = Unexpected.verdictOf(answer)
    if (verdict === undefined) {
      const dueAtMs = nowMs + Jobs.step(inquiryDelaysMs, job.tries)
      const waiting = { ...job, tries: job.tries + 1, token: null, leaseUntilMs: 0, openAttempts: 0, dueAtMs }
      const evidence = Inquiry.isUnreadable(answer) ? [evidenceOf(task, answer, nowMs)] : []
      return yield* store.commit({ guards: [lease], writes: [Decision.put(Job, waiting), ...evidence] })
    }
    sentTimes.forget(reference)
    const [patch, report]: readonly [Partial<BankTask>, Effect.Effect<void>] =
      verdict === "approved"
        ? [
            MadeReversal.reversed(nowMs),
            Effect.logWarning("Money that the bank took for an order that had ended was returned")
          ]
        : [
            { state: "open", note: `The bank refused to give it back: ${JSON.stringify(answer)}` },
            Effect.logError(
              "The bank refused to return money that it took for an order that had ended: an operator must act"
            )
          ]
    yield* store.commit(
      Change.all(
        { guards: [lease], writes: [] },
        Change.update(BankTask, task, patch),
        Change.writing(evidenceOf(task, answer, nowMs), Decision.remove(Job, [job.jobId]))
      )
    )
    yield* Effect.annotateLogs(report, {
      orderId: task.orderId,
      reference: task.reference,
      reversal: task.reversalReference
    })
  })

  const reverse = Effect.fnUntraced(function* (job: Job) {
    const task = yield* store.load(BankTask, [job.subject])
    const order = task === undefined ? undefined : yield* store.load(Order, [task.orderId])
    const kind = task === undefined ? undefined : Unexpected.reversalOf(task)
    if (task === undefined || !isReversing(task) || order === undefined || kind === undefined) {
      const lease = Decision.leaseOf(job)
      return yield* store.commit({ guards: [lease], writes: [Decision.remove(Job, [job.jobId])] })
    }
    const reversal = yield* withReference(task, kind, order)
    const nowMs = yield* Clock.currentTimeMillis
    const answer = yield* ask(job, reversal, kind, order, nowMs)
    if (answer === undefined) return
    yield* Uncommitted.onDefect(settle(job, reversal, answer, nowMs), (reason) =>
      keepUncommitted(job, reversal, answer, reason)
    )
  })

  /** Gives the task back to an operator, with an answer that cannot be committed as evidence. */
  const keepUncommitted = (job: Job, { reference, task }: Reversal, answer: Inquiry.Answer, reason: string) =>
    Effect.flatMap(Clock.currentTimeMillis, (nowMs) =>
      store.commit(
        Change.all(
          { guards: [Decision.leaseOf(job)], writes: [] },
          Change.update(BankTask, task, {
            state: "open",
            note: `The bank answered ${answer._tag} to the reversal ${reference}, which cannot be committed: ${reason}`
          }),
          Change.writing(evidenceOf(task, answer, nowMs), Decision.remove(Job, [job.jobId]))
        )
      )
    )

  /** If an error occurs, the job stays leased. It runs again when the lease expires, and the task is loaded again. */
  return (job: Job): Effect.Effect<void> =>
    Effect.catch(reverse(job), (error) =>
      Effect.logWarning("A reversal has to wait", error).pipe(Effect.annotateLogs({ taskId: job.subject }))
    )
})
