/**
 * Returns money that the bank took for an order which ended without it. The reversal has a sequence number of the order. A
 * missing answer ends as the acquirer declares: where only a person can learn it, the reversal has a task of its own, and no other one
 * may follow before two people state that it was not made. A refused reversal waits for an operator.
 */

import { Clock, Effect } from "effect"
import * as Change from "../../kernel/Change.ts"
import * as Decision from "../../kernel/Decision.ts"
import { Ids } from "../../kernel/Ids.ts"
import { Job } from "../../kernel/Job.ts"
import * as Jobs from "../../kernel/Jobs.ts"
import { Store } from "../../kernel/Store.ts"
import * as Inquiry from "../decide/Inquiry.ts"
import { inquiryDelaysMs } from "../decide/Inquiry.ts"
import * as Unexpected from "../decide/Unexpected.ts"
import { BankTask, idOfUnanswered, isReversing } from "../record/BankTask.ts"
import { Order } from "../record/Order.ts"
import * as MadeReversal from "./MadeReversal.ts"
import * as SendReversal from "./SendReversal.ts"
import { evidenceOf, type Reversal } from "./SendReversal.ts"
import * as Uncommitted from "./Uncommitted.ts"
import * as UnexpectedAnswers from "./UnexpectedAnswers.ts"

/** Returns what the bank's answer changes of the task, and what the log says. */
const outcomeOf = (
  verdict: Unexpected.AnswerVerdict,
  answer: Inquiry.Answer,
  nowMs: number
): readonly [Partial<BankTask>, Effect.Effect<void>] =>
  verdict === "approved"
    ? [
        MadeReversal.reversed(nowMs),
        Effect.logWarning("Money that the bank took for an order that had ended was returned")
      ]
    : [
        { state: "open", note: `The bank did not give it back: ${JSON.stringify(answer)}` },
        Effect.logError("The bank did not return money that it took for an order that had ended: an operator must act")
      ]

/** Returns the task about a reversal whose outcome only a person can learn. */
const unansweredOf = ({ order, reference, task }: Reversal, nowMs: number): BankTask => {
  const statement = { source: "bank", reference, verdict: "unknown", amountMinor: task.amountMinor } as const
  const opened = Unexpected.taskOf(order, statement, false, nowMs)
  return {
    ...opened,
    note: `No way is left to learn whether the bank made this reversal. Ask it, then two people state the answer: pay tasks answer ${opened.taskId}`
  }
}

export const make = Effect.gen(function* () {
  const store = yield* Store
  const ids = yield* Ids
  const { alarm } = yield* UnexpectedAnswers.make
  const { ask, forget, withReference } = yield* SendReversal.make

  const settle = Effect.fnUntraced(function* (job: Job, reversal: Reversal, answer: Inquiry.Answer, nowMs: number) {
    const { reference, task } = reversal
    const lease = Decision.leaseOf(job)
    const unanswered = yield* store.load(BankTask, [idOfUnanswered(reference)])
    const verdict = Unexpected.verdictOf(answer)
    if (verdict === undefined) {
      const dueAtMs = nowMs + Jobs.step(inquiryDelaysMs, job.tries)
      const waiting = { ...job, tries: job.tries + 1, token: null, leaseUntilMs: 0, openAttempts: 0, dueAtMs }
      const evidence = Inquiry.isUnreadable(answer) ? [evidenceOf(ids.next(), task, answer, nowMs)] : []
      const opened = answer._tag === "NoWayLeft" && unanswered === undefined ? unansweredOf(reversal, nowMs) : undefined
      const tasks = opened === undefined ? [] : [Decision.put(BankTask, opened)]
      yield* store.commit({ guards: [lease], writes: [Decision.put(Job, waiting), ...evidence, ...tasks] })
      return yield* alarm(opened)
    }
    forget(reference)
    const [patch, report] = outcomeOf(verdict, answer, nowMs)
    yield* store.commit(
      Change.all(
        { guards: [lease], writes: [] },
        Change.update(BankTask, task, patch),
        Uncommitted.closing(unanswered, nowMs),
        Change.writing(evidenceOf(ids.next(), task, answer, nowMs), Decision.remove(Job, [job.jobId]))
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
      return yield* store.commit(Jobs.ended(job))
    }
    const reversal = yield* withReference(task, kind, order)
    const nowMs = yield* Clock.currentTimeMillis
    const answer = yield* ask(job, reversal, nowMs)
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
          Change.writing(evidenceOf(ids.next(), task, answer, nowMs), Decision.remove(Job, [job.jobId]))
        )
      )
    )

  /** If an error occurs, the job stays leased. It runs again when the lease expires, and the task is loaded again. */
  return (job: Job): Effect.Effect<void> =>
    Effect.catch(reverse(job), (error) =>
      Effect.logWarning("A reversal has to wait", error).pipe(Effect.annotateLogs({ taskId: job.subject }))
    )
})
