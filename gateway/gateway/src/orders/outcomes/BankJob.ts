/**
 * Sends an accepted request to a bank or a payout rail, and applies the answer, in one job for each request. A new job sends
 * the request; a job that was started before inquires about it first.
 */

import { Clock, Effect } from "effect"
import type * as Decision from "../../kernel/Decision.ts"
import type { Job } from "../../kernel/Job.ts"
import type { Rows } from "../../kernel/Rows.ts"
import { Scheduler } from "../../kernel/Scheduler.ts"
import { Settings } from "../../kernel/Settings.ts"
import * as Spans from "../../kernel/Spans.ts"
import { Store, type StoreUnavailable } from "../../kernel/Store.ts"
import type { AnswerLost, NotSent } from "../bank/Acquirer.ts"
import * as Inquiry from "../decide/Inquiry.ts"
import * as OrderLine from "../record/OrderLine.ts"
import { isOfRail } from "../record/OrderRequest.ts"
import * as AnswerLog from "./AnswerLog.ts"
import { type Counterparty, LeaseLost, load, type Step, type Subject } from "./Counterparty.ts"
import type * as SentTimes from "./SentTimes.ts"
import * as SettleAnswer from "./SettleAnswer.ts"

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

export const make = Effect.fnUntraced(function* <S extends Subject>(
  sentTimes: Effect.Success<typeof SentTimes.make>,
  counterparty: Counterparty<S>
) {
  const store = yield* Store
  const scheduler = yield* Scheduler
  const settings = yield* Settings
  const { onLateAnswer, settle } = yield* SettleAnswer.make(counterparty, sentTimes)
  const withSpan = yield* Spans.make

  const sourceOf = ({ request }: S) => (isOfRail(request) ? "rail" : "bank")

  const checkLeaseOf = (job: Job) =>
    Effect.flatMap(scheduler.holds(job), (holds) => (holds ? Effect.void : Effect.fail(new LeaseLost())))

  const inquire = (job: Job, subject: S) =>
    withSpan(
      counterparty.inquire(subject, onLateAnswer(subject), checkLeaseOf(job)),
      `${sourceOf(subject)}.inquire`,
      () => ({
        "pay.reference": counterparty.reference(subject)
      }),
      "client"
    )

  /** Sends the request. Until it is answered it may be in flight, also after the deadline for its answer. */
  const send = Effect.fnUntraced(function* (job: Job, subject: S) {
    const reference = counterparty.reference(subject)
    sentTimes.mark(reference)
    const answer = yield* counterparty.send(subject, onLateAnswer(subject), checkLeaseOf(job))
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
    if (step === "inquire") return yield* inquire(job, subject)
    return step === "tooLate" ? unsendable : yield* send(job, subject)
  })

  const run = Effect.fnUntraced(function* (job: Job, rows: Rows) {
    const subject = yield* load(counterparty, job, rows)
    const { operation } = subject.request
    yield* Effect.annotateLogs(carryOut(job, subject), { ...OrderLine.aboutOf(subject.order), operation })
  })

  const carryOut = Effect.fnUntraced(function* (job: Job, subject: S) {
    const answer = yield* Effect.tap(ask(job, subject), (answerOf) =>
      AnswerLog.log(subject.request, counterparty.reference(subject), answerOf)
    )
    const resend = yield* settle(job, subject, answer)
    if (!resend) return
    const nowMs = yield* Clock.currentTimeMillis
    const now = yield* load(counterparty, job, store)
    yield* settle({ ...job, startedAtMs: nowMs }, now, yield* send(job, now))
  })

  /** Applies an answer that was learned in another way, without a call of bank or rail. */
  const apply = Effect.fnUntraced(function* (
    job: Job,
    answer: Inquiry.Answer,
    furtherWrites: ReadonlyArray<Decision.Write>
  ) {
    const subject = yield* load(counterparty, job, store)
    yield* AnswerLog.log(subject.request, counterparty.reference(subject), answer)
    yield* settle(job, subject, answer, furtherWrites)
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
    apply: (job, answer, furtherWrites) => orLater(apply(job, answer, furtherWrites), job)
  } satisfies RequestJob
})

/** The job of a request. */
export interface RequestJob {
  readonly run: (job: Job, rows: Rows) => Effect.Effect<void>
  /** Applies an answer that is known without a call of bank or rail. `furtherWrites`: writes of the same commit. */
  readonly apply: (
    job: Job,
    answer: Inquiry.Answer,
    furtherWrites: ReadonlyArray<Decision.Write>
  ) => Effect.Effect<void>
}

/** The answer of a call that had no answer within its deadline. */
export const unanswered = (ms: number): Inquiry.Answer => ({ _tag: "Lost", reason: `no answer within ${ms} ms` })
export const unsendable: Inquiry.Answer = { _tag: "Unsendable" }
export const cannotSay: Inquiry.Answer = { _tag: "CannotSay" }
