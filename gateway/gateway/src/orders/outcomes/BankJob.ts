/**
 * Sends an accepted request to a bank or a payout rail, and applies the answer, in one job for each request. A new job sends
 * the request; a job that was started before inquires about it first.
 */

import { Clock, Data, Effect } from "effect"
import * as Change from "../../kernel/Change.ts"
import { ClockTrust } from "../../kernel/ClockTrust.ts"
import type * as Decision from "../../kernel/Decision.ts"
import type { Job } from "../../kernel/Job.ts"
import * as Jobs from "../../kernel/Jobs.ts"
import { KeyedLock } from "../../kernel/KeyedLock.ts"
import type { Rows } from "../../kernel/Rows.ts"
import { Scheduler } from "../../kernel/Scheduler.ts"
import { Settings } from "../../kernel/Settings.ts"
import * as Spans from "../../kernel/Spans.ts"
import { type GuardFailed, Store, type StoreUnavailable } from "../../kernel/Store.ts"
import * as Transact from "../../kernel/Transact.ts"
import type { AnswerLost, NotSent } from "../bank/Acquirer.ts"
import * as Inquiry from "../decide/Inquiry.ts"
import * as Unexpected from "../decide/Unexpected.ts"
import type { AttemptReference } from "../record/Booking.ts"
import { Order } from "../record/Order.ts"
import { isOfRail, OrderRequest } from "../record/OrderRequest.ts"
import * as AnswerEvidence from "./AnswerEvidence.ts"
import * as AnswerLog from "./AnswerLog.ts"
import * as SentTimes from "./SentTimes.ts"
import * as Uncommitted from "./Uncommitted.ts"
import * as UnexpectedAnswers from "./UnexpectedAnswers.ts"

/** What a job does next. `tooLate`: the request could not be sent before, and may not be sent any more. */
export type Step = "send" | "inquire" | "tooLate"

/** The order and the request of a job, as they were loaded. */
type Subject = Omit<Inquiry.JobContext, "job">

type Commit = (next: Inquiry.Next) => Effect.Effect<Inquiry.Next, GuardFailed | StoreUnavailable>

/** Records an answer that arrives after the deadline. It is called again if the store is not available. */
export type Late = (answer: Inquiry.Answer) => Effect.Effect<void, StoreUnavailable>

export interface Counterparty<S extends Subject> {
  readonly longestProcessingMs: number
  /** Loads what the adapter needs in addition to the order and the request. */
  readonly load: (subject: Subject, job: Job, rows: Rows) => Effect.Effect<S, StoreUnavailable>
  /** Sends the request after a last `checkLease`. `late` receives an answer that arrives after the deadline. */
  readonly send: (
    subject: S,
    late: Late,
    checkLease: LeaseCheck
  ) => Effect.Effect<Inquiry.Answer, StoreUnavailable | LeaseLost>
  /** Inquires about the request. Returns `CannotSay` if there is no answer. */
  readonly inquire: (subject: S) => Effect.Effect<Inquiry.Answer>
  /** The reference of the request at the bank or rail. */
  readonly reference: (subject: S) => AttemptReference
  /** The amount that the bank or rail is requested to move. */
  readonly amountMinor: (subject: S) => number
  /** Decides what the answer changes, and passes the decision to `commit`. */
  readonly settle: (
    context: S & { readonly job: Job },
    answer: Inquiry.Answer,
    terms: Inquiry.Terms,
    commit: Commit
  ) => ReturnType<Commit>
  /** Overrides the general rule, which sends the request of a new job and inquires about that of a job that was attempted before. Undefined: the rule applies. */
  readonly step?: (context: S & { readonly job: Job }) => Step | undefined
}

/** The request was not sent, because another process may have the lease of the job. */
class LeaseLost extends Data.TaggedError("LeaseLost") {}

/** Fails if this process no longer has the lease of the job. */
export type LeaseCheck = Effect.Effect<void, StoreUnavailable | LeaseLost>

/** Calls an adapter. A call without an answer within the deadline counts as a lost answer. */
export const answerOf = <A extends Inquiry.Answer, E extends { readonly reason: NotSent | AnswerLost }>(
  question: Effect.Effect<A, E>,
  deadlineMs: number
): Effect.Effect<Inquiry.Answer> =>
  question.pipe(
    Effect.timeoutOrElse({
      duration: deadlineMs,
      orElse: () => Effect.succeed(unanswered(deadlineMs))
    }),
    Effect.catch(({ reason }) =>
      Effect.succeed<Inquiry.Answer>(
        reason._tag === "NotSent"
          ? { _tag: "NotSent", reason: reason.message }
          : { _tag: "Lost", reason: reason.message, ...(reason.answer !== undefined && { answer: reason.answer }) }
      )
    )
  )

/** Returns an inquiry's answer. A failed inquiry proves nothing: `NotSent` and `Lost` become `CannotSay`. */
export const inquired = (answer: Inquiry.Answer): Inquiry.Answer =>
  answer._tag === "NotSent" || answer._tag === "Lost" ? { ...answer, _tag: "CannotSay" } : answer

export const make = Effect.fnUntraced(function* <S extends Subject>(counterparty: Counterparty<S>) {
  const store = yield* Store
  const scheduler = yield* Scheduler
  const settings = yield* Settings
  const clockTrust = yield* ClockTrust
  const locks = yield* KeyedLock
  const unexpected = yield* UnexpectedAnswers.make
  const evidence = yield* AnswerEvidence.make
  const sentTimes = yield* SentTimes.make
  const withSpan = yield* Spans.make

  const sourceOf = ({ request }: S) => (isOfRail(request) ? "rail" : "bank")

  const inquire = (subject: S) =>
    withSpan(counterparty.inquire(subject), `${sourceOf(subject)}.inquire`, () => ({
      "pay.reference": counterparty.reference(subject)
    }))

  const load = Effect.fnUntraced(function* (job: Job, rows: Rows = store) {
    const request = yield* rows.load(OrderRequest, [job.subject])
    const order = request === undefined ? undefined : yield* rows.load(Order, [request.orderId])
    if (request === undefined || order === undefined) {
      return yield* Effect.die(new Error(`job ${job.jobId} names no request`))
    }
    return yield* counterparty.load({ order, request }, job, rows)
  })

  const termsNow = Effect.fnUntraced(function* ({ merchantId }: Job, reference: AttemptReference) {
    const nowMs = yield* Clock.currentTimeMillis
    return {
      nowMs,
      claim: scheduler.claim(nowMs, "callback", merchantId),
      resubmitWithinMs: settings.resubmitWithinMs,
      longestProcessingMs: counterparty.longestProcessingMs,
      underWayMs: sentTimes.elapsedMs(reference)
    } satisfies Inquiry.Terms
  })

  const commitWith =
    (beside: ReadonlyArray<Decision.Write>): Commit =>
    (next) =>
      Effect.as(store.commit(Change.all(next.decision, Change.writing(...beside))), next)

  /** `uncommitted`: why the answer cannot be committed, so that the outcome of the request stays unknown. */
  const attempt = Effect.fnUntraced(function* (
    { beside, job }: Settled,
    subject: S,
    answer: Inquiry.Answer,
    uncommitted?: string
  ) {
    const terms = yield* termsNow(job, counterparty.reference(subject))
    const applied = uncommitted === undefined ? answer : cannotSay
    const received = receivedAnswerOf(subject, answer)
    const next = yield* counterparty.settle({ ...subject, job }, applied, terms, (next) =>
      Effect.flatMap(evidence.complete(next, job, received, terms.nowMs, uncommitted), commitWith(beside))
    )
    if (isAnswered(answer)) sentTimes.forget(counterparty.reference(subject))
    yield* unexpected.alarm(next.task)
    return next.resend
  })

  /** Decides on the loaded order and commits. If another writer committed in between, it loads and decides again. */
  const decideAndCommit = (settled: Settled, loaded: S, answer: Inquiry.Answer, uncommitted?: string) => {
    let subject = loaded
    const storeEvidence = Effect.suspend(() => Effect.as(keepEvidence(subject, answer), false))
    return Transact.transact({
      attempt: Effect.suspend(() => attempt(settled, subject, answer, uncommitted)),
      reload: Effect.map(load(settled.job), (reloaded) => {
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
  const settle = (job: Job, subject: S, answer: Inquiry.Answer, beside: ReadonlyArray<Decision.Write> = []) => {
    const settled = { job, beside }
    if ("bankTimeMs" in answer && answer.bankTimeMs !== undefined) clockTrust.observe("bank", answer.bankTimeMs)
    return locks(subject.order.orderId)(
      Uncommitted.onDefect(decideAndCommit(settled, subject, answer), (reason) =>
        Uncommitted.onDefect(decideAndCommit(settled, subject, answer, reason), () =>
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
    (subject: S): Late =>
    (answer) =>
      Unexpected.verdictOf(answer) === undefined && !Inquiry.isUnreadable(answer)
        ? Effect.void
        : Effect.andThen(
            AnswerLog.log(subject.request, counterparty.reference(subject), answer),
            locks(subject.order.orderId)(keepEvidence(subject, answer))
          )

  /** Sends the request. Until it is answered it may be in flight, also after the deadline for its answer. */
  const send = Effect.fnUntraced(function* (job: Job, subject: S) {
    const checkLease = Effect.flatMap(scheduler.holds(job), (holds) =>
      holds ? Effect.void : Effect.fail(new LeaseLost())
    )
    const reference = counterparty.reference(subject)
    sentTimes.mark(reference)
    const answer = yield* counterparty.send(subject, onLateAnswer(subject), checkLease)
    sentTimes.mark(reference)
    return answer
  })

  const stepOf = (context: S & { readonly job: Job }, nowMs: number): Step => {
    const counterpartyStep = counterparty.step?.(context)
    if (counterpartyStep !== undefined) return counterpartyStep
    if (Inquiry.isTooLate(context, nowMs, settings.resubmitWithinMs)) return "tooLate"
    return context.job.openAttempts <= 1 ? "send" : "inquire"
  }

  const ask = Effect.fnUntraced(function* (job: Job, subject: S) {
    const step = stepOf({ ...subject, job }, yield* Clock.currentTimeMillis)
    if (step === "inquire") return yield* inquire(subject)
    return step === "tooLate" ? unsendable : yield* send(job, subject)
  })

  const run = Effect.fnUntraced(function* (job: Job, rows: Rows) {
    const subject = yield* load(job, rows)
    const answer = yield* Effect.tap(ask(job, subject), (answerOf) =>
      AnswerLog.log(subject.request, counterparty.reference(subject), answerOf)
    )
    const resend = yield* settle(job, subject, answer)
    if (!resend) return
    const nowMs = yield* Clock.currentTimeMillis
    const now = yield* load(job)
    yield* settle({ ...job, startedAtMs: nowMs }, now, yield* send(job, now))
  })

  /** Applies an answer that was learned in another way, without a call of bank or rail. */
  const apply = Effect.fnUntraced(function* (job: Job, answer: Inquiry.Answer, beside: ReadonlyArray<Decision.Write>) {
    const subject = yield* load(job)
    yield* AnswerLog.log(subject.request, counterparty.reference(subject), answer)
    yield* settle(job, subject, answer, beside)
  })

  const orLater = (handled: Effect.Effect<void, StoreUnavailable | LeaseLost>, job: Job): Effect.Effect<void> =>
    Effect.catchTags(handled, {
      StoreUnavailable: (error) =>
        Effect.logWarning("The store does not accept an answer; the job inquires again when its lease ends", error),
      LeaseLost: () =>
        Effect.logWarning(
          "This process was stopped for too long to send a request; the next holder of the job inquires first"
        ).pipe(Effect.annotateLogs({ jobId: job.jobId }))
    })

  return {
    run: (job, rows) => orLater(run(job, rows), job),
    apply: (job, answer, beside) => orLater(apply(job, answer, beside), job)
  } satisfies RequestJob
})

/** The job of a request. */
export interface RequestJob {
  readonly run: (job: Job, rows: Rows) => Effect.Effect<void>
  /** Applies an answer that is known without a call of bank or rail. `beside`: writes of the same commit. */
  readonly apply: (job: Job, answer: Inquiry.Answer, beside: ReadonlyArray<Decision.Write>) => Effect.Effect<void>
}

/** A job whose answer is applied, and the writes of the same commit. */
interface Settled {
  readonly job: Job
  readonly beside: ReadonlyArray<Decision.Write>
}

/** Whether the answer shows that the request is no longer in flight. */
const isAnswered = ({ _tag }: Inquiry.Answer): boolean => _tag !== "Lost" && _tag !== "CannotSay" && _tag !== "NotFound"

/** The answer of a call that had no answer within its deadline. */
export const unanswered = (ms: number): Inquiry.Answer => ({ _tag: "Lost", reason: `no answer within ${ms} ms` })
export const unsendable: Inquiry.Answer = { _tag: "Unsendable" }
export const cannotSay: Inquiry.Answer = { _tag: "CannotSay" }
