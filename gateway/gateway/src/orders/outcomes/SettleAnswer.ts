/**
 * Applies the answer of a bank or payout rail to the order of its request. Answers about one order are applied one after another.
 * One that cannot be applied becomes evidence.
 */

import { Clock, Effect } from "effect"
import * as Change from "../../kernel/Change.ts"
import { ClockTrust } from "../../kernel/ClockTrust.ts"
import type * as Decision from "../../kernel/Decision.ts"
import type { Job } from "../../kernel/Job.ts"
import * as Jobs from "../../kernel/Jobs.ts"
import { KeyedLock } from "../../kernel/KeyedLock.ts"
import { Scheduler } from "../../kernel/Scheduler.ts"
import { Settings } from "../../kernel/Settings.ts"
import { Store } from "../../kernel/Store.ts"
import * as Transact from "../../kernel/Transact.ts"
import * as Inquiry from "../decide/Inquiry.ts"
import * as Unexpected from "../decide/Unexpected.ts"
import * as AnswerEvidence from "./AnswerEvidence.ts"
import * as AnswerLog from "./AnswerLog.ts"
import { type Commit, type Counterparty, type LateAnswerHandler, load, type Subject } from "./Counterparty.ts"
import type * as SentTimes from "./SentTimes.ts"
import * as Uncommitted from "./Uncommitted.ts"
import * as UnexpectedAnswers from "./UnexpectedAnswers.ts"

/** A job whose answer is applied, and the writes of the same commit. */
interface AnsweredJob {
  readonly job: Job
  readonly furtherWrites: ReadonlyArray<Decision.Write>
}

/** Whether the answer shows that the request is no longer in flight. */
const isAnswered = (answer: Inquiry.Answer): boolean => answer._tag !== "NotFound" && !Inquiry.isMissing(answer)

const cannotSay: Inquiry.Answer = { _tag: "CannotSay" }

export const make = Effect.fnUntraced(function* <S extends Subject>(
  counterparty: Counterparty<S>,
  sentTimes: Effect.Success<typeof SentTimes.make>
) {
  const store = yield* Store
  const scheduler = yield* Scheduler
  const settings = yield* Settings
  const clockTrust = yield* ClockTrust
  const locks = yield* KeyedLock
  const unexpected = yield* UnexpectedAnswers.make
  const evidence = yield* AnswerEvidence.make

  const termsNow = Effect.fnUntraced(function* ({ merchantId }: Job, subject: S) {
    const nowMs = yield* Clock.currentTimeMillis
    return {
      nowMs,
      claim: scheduler.claim(nowMs, "callback", merchantId),
      resubmitWithinMs: settings.resubmitWithinMs,
      longestProcessingMs: counterparty.longestProcessingMs(subject),
      underWayMs: sentTimes.elapsedMs(counterparty.reference(subject))
    } satisfies Inquiry.InquiryTimes
  })

  const commitWith =
    (furtherWrites: ReadonlyArray<Decision.Write>): Commit =>
    (next) =>
      Effect.as(store.commit(Change.all(next.decision, Change.writing(...furtherWrites))), next)

  /** `uncommitted`: why the answer cannot be committed, so that the outcome of the request stays unknown. */
  const attempt = Effect.fnUntraced(function* (
    { furtherWrites, job }: AnsweredJob,
    subject: S,
    answer: Inquiry.Answer,
    uncommitted?: string
  ) {
    const terms = yield* termsNow(job, subject)
    const applied = uncommitted === undefined ? answer : cannotSay
    const received = receivedAnswerOf(subject, answer)
    const next = yield* counterparty.settle({ ...subject, job }, applied, terms, (next) =>
      Effect.flatMap(evidence.complete(next, job, received, terms.nowMs, uncommitted), commitWith(furtherWrites))
    )
    if (isAnswered(answer)) sentTimes.forget(counterparty.reference(subject))
    yield* unexpected.alarm(next.task)
    return next.resend
  })

  /** Decides on the loaded order and commits. If another writer committed in between, it loads and decides again. */
  const decideAndCommit = (answered: AnsweredJob, loaded: S, answer: Inquiry.Answer, uncommitted?: string) => {
    let subject = loaded
    const storeEvidence = Effect.suspend(() => Effect.as(keepEvidence(subject, answer), false))
    return Transact.transact({
      attempt: Effect.suspend(() => attempt(answered, subject, answer, uncommitted)),
      reload: Effect.map(load(counterparty, answered.job, store), (reloaded) => {
        subject = reloaded
      }),
      onLostGuard: ({ _tag }) => (_tag === "LeaseIs" ? storeEvidence : "again"),
      exhausted: () => storeEvidence,
      tries: Transact.triesUnderLock
    })
  }

  /**
   * Applies an answer. Answers about the same order are applied one after another. An answer that cannot be committed becomes
   * evidence with a task, and the outcome of its request stays unknown.
   */
  const settle = (job: Job, subject: S, answer: Inquiry.Answer, furtherWrites: ReadonlyArray<Decision.Write> = []) => {
    const answered = { job, furtherWrites }
    if ("bankTimeMs" in answer && answer.bankTimeMs !== undefined) clockTrust.observe("bank", answer.bankTimeMs)
    return locks(subject.order.orderId)(
      Uncommitted.onDefect(decideAndCommit(answered, subject, answer), (reason) =>
        Uncommitted.onDefect(decideAndCommit(answered, subject, answer, reason), () =>
          Effect.as(keepUncommitted(job, subject, answer, reason), false)
        )
      )
    )
  }

  /** Records the answer and the time of the next inquiry, if not even an unknown outcome of the request can be committed. */
  const keepUncommitted = Effect.fnUntraced(function* (job: Job, subject: S, answer: Inquiry.Answer, reason: string) {
    const nowMs = yield* Clock.currentTimeMillis
    const later = Inquiry.later({ ...subject, job }, {}, nowMs + Jobs.step(Inquiry.inquiryDelaysMs, job.tries))
    const next = yield* evidence.complete(later, job, receivedAnswerOf(subject, answer), nowMs, reason)
    if ((yield* Transact.lostGuardOf(store, next.decision)) !== undefined) return yield* keepEvidence(subject, answer)
    yield* unexpected.alarm(next.task)
  })

  const receivedAnswerOf = (subject: S, answer: Inquiry.Answer): UnexpectedAnswers.ReceivedAnswer => ({
    ...{ order: subject.order, request: subject.request, answer },
    ...{ reference: counterparty.reference(subject), amountMinor: counterparty.amountMinor(subject) }
  })

  /** Records the answer as evidence for an operator, because another process has the lease of the job and inquires itself. */
  const keepEvidence = (subject: S, answer: Inquiry.Answer) => unexpected.keep(receivedAnswerOf(subject, answer))

  /**
   * Records an answer that arrives after the deadline as evidence. The process that has the lease by then inquires itself, or
   * the request has already ended.
   */
  const onLateAnswer =
    (subject: S): LateAnswerHandler =>
    (answer) =>
      Unexpected.verdictOf(answer) === undefined && !Inquiry.isUnreadable(answer)
        ? Effect.void
        : Effect.andThen(
            AnswerLog.log(subject.request, counterparty.reference(subject), answer),
            locks(subject.order.orderId)(keepEvidence(subject, answer))
          )

  return { settle, onLateAnswer }
})
