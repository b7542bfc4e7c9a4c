/**
 * Decides what follows from an answer of a bank or a payout rail, for requests of every kind. A definite answer is applied. A
 * lost answer books nothing, releases nothing and is inquired about. The outcome "never happened" is concluded only when the
 * declared processing time is over and the request may no longer be sent (docs/assumptions.md#calls-to-the-bank).
 */

import * as Change from "../../kernel/Change.ts"
import * as Decision from "../../kernel/Decision.ts"
import { Job } from "../../kernel/Job.ts"
import * as Jobs from "../../kernel/Jobs.ts"
import type { BankAnswer, InquiryAnswer, RequestAnswer } from "../bank/BankAnswer.ts"
import type { BankTask } from "../record/BankTask.ts"
import { Order } from "../record/Order.ts"
import { OrderRequest } from "../record/OrderRequest.ts"
import type * as DeclineReason from "./DeclineReason.ts"

/** The rows that a decision needs, loaded again for each decision. */
export interface JobContext {
  readonly order: Order
  readonly request: OrderRequest
  readonly job: Job
}

export interface InquiryTimes {
  readonly nowMs: number
  readonly claim: Jobs.Claim | undefined
  /** Longest time after the acceptance of a request in which it may be sent again. */
  readonly resubmitWithinMs: number
  readonly longestProcessingMs: number
  /** Time, by the monotonic clock, for which this process has known that the request may be in flight. */
  readonly underWayMs: number
}

/**
 * Answers, and the ways in which an answer is missing. `NotSent` and `Lost` occur for requests only: an inquiry that fails proves
 * nothing and becomes `CannotSay`. `Unsendable`: the request was not sent, and data that it needs is lost permanently. `NoWayLeft`: of
 * the ways in which its bank ends an unknown outcome, only a person is left.
 */
export type Answer =
  | RequestAnswer
  | InquiryAnswer
  | Reversed
  | Unanswered
  | { readonly _tag: "Unsendable" | "NoWayLeft" }

/** The bank has made sure that the request has no effect, as a decline has none. An approval before it does not count any more. */
export interface Reversed extends DeclineReason.Declined {
  readonly reversed: true
}

/** A missing answer, with the reason that the adapter gave. The reason contains no card data. */
export interface Unanswered {
  readonly _tag: "NotSent" | "Lost" | "CannotSay"
  readonly reason?: string
  /** What the adapter gave instead of an answer that the gateway can read, as text without card data. */
  readonly answer?: string
}

const missing: ReadonlySet<Answer["_tag"]> = new Set(["Lost", "CannotSay", "NoWayLeft"])

/** Whether nothing is known of a request that may have been sent. */
export const isMissing = ({ _tag }: Answer): boolean => missing.has(_tag)

/** Whether the outcome of a request that was sent is still to come. */
export const isOpen = (answer: Answer): boolean => answer._tag === "Accepted" || isMissing(answer)

/** Whether the adapter gave something that the gateway cannot read. It may be the only trace of what the bank did. */
export const isUnreadable = (answer: Answer): boolean => "answer" in answer

/** Whether the bank has made sure that the request has no effect. */
export const isReversed = (answer: Answer): answer is Reversed => "reversed" in answer

/** Returns the reason why an answer is missing, if there is one. */
export const reasonOf = (answer: Answer): string | undefined => ("reason" in answer ? answer.reason : undefined)

export interface Next {
  readonly decision: Decision.Decision
  /** Whether to send the request again with the same reference under the same lease, once the decision is durable. */
  readonly resend: boolean
  /**
   * True: the order does not follow the answer, which the lifecycle has no transition for, or which is an approval of a part. The answer
   * is recorded as evidence, and as a task if it contradicts the order about money.
   */
  readonly unexpected?: true
  /** Why the answer could not be applied. It is recorded as evidence, and an operator gets a task. */
  readonly unapplied?: string
  /** The task that the decision opens. An alarm reports it to operators. */
  readonly task?: BankTask
}

/** What the task about an outcome says that only a person can learn. */
const noWayLeft = "No way is left to learn the outcome of a request: ask the bank, then resolve the order"

type Approved = Extract<BankAnswer, { readonly _tag: "Approved" }>

/** What an outcome changes of the order. A payment and a payout differ in these functions only. */
export interface Meaning<H extends JobContext, T extends InquiryTimes> {
  readonly approved: (context: H, terms: T, answer: Approved) => Next
  /** Applies the approval of a part of the amount that was requested; undefined if only a person can. */
  readonly partlyApproved?: (context: H, terms: T, answer: Approved) => Next | undefined
  readonly declined: (context: H, terms: T, answer: DeclineReason.Declined) => Next
  readonly neverHappened: (context: H, terms: T) => Next
  /** The amount that the bank or rail is requested to move. */
  readonly askedMinor: (context: H) => number
  /** The state of the order while the outcome is unknown. */
  readonly lost: (context: H) => Order["state"]
}

const secondMs = 1000
/** Time until each further inquiry about an unknown outcome: 5 s, 30 s, 5 min, 1 h, then daily. */
export const inquiryDelaysMs = [
  5 * secondMs,
  30 * secondMs,
  300 * secondMs,
  3600 * secondMs,
  86_400 * secondMs
] as const
/** Time until each further attempt to send a request that was certainly not sent. */
export const resendDelaysMs = [1 * secondMs, 2 * secondMs, 5 * secondMs, 15 * secondMs, 60 * secondMs] as const

/** The guards of every decision about a job: this process has the lease, and the order is unchanged since it was loaded. */
export const guards = ({ job, order }: Pick<JobContext, "job" | "order">): ReadonlyArray<Decision.Guard> => [
  Decision.leaseOf(job),
  Decision.versionIs(Order, [order.orderId], order.version)
]

/** Returns the job without its lease, due at `dueAtMs`, with one more try counted. */
export const wait = ({ job }: JobContext, changes: Partial<Job>, dueAtMs: number): Job => ({
  ...job,
  tries: job.tries + 1,
  token: null,
  leaseUntilMs: 0,
  ...changes,
  dueAtMs
})

/** Ends the job without a change of the order, because the lifecycle has no transition for the answer; see `Unexpected`. */
export const unexpected = ({ job }: Pick<JobContext, "job">): Next => ({
  decision: {
    guards: [Decision.leaseOf(job)],
    writes: [Decision.remove(Job, [job.jobId])]
  },
  resend: false,
  unexpected: true
})

/** Changes nothing but the job, which waits until `dueAtMs`. */
export const later = (context: JobContext, changes: Partial<Job>, dueAtMs: number): Next => ({
  decision: {
    guards: [Decision.leaseOf(context.job)],
    writes: [Decision.put(Job, wait(context, changes, dueAtMs))]
  },
  resend: false
})

/** Schedules the next attempt to send. The job counts as never started, because nothing reached the bank or rail. */
const notSent = (context: JobContext, nowMs: number): Next =>
  later(context, { openAttempts: 0, startedAtMs: null }, nowMs + Jobs.step(resendDelaysMs, context.job.tries))

/** Keeps the request open, which the bank has taken. The order stays as it is, and the job inquires about the outcome. */
const accepted = (context: JobContext, processorTxId: string, nowMs: number): Next => ({
  decision: {
    guards: guards(context),
    writes: [
      Decision.put(OrderRequest, { ...context.request, processorTxId }),
      Decision.put(Job, wait(context, {}, nowMs + Jobs.step(inquiryDelaysMs, context.job.tries)))
    ]
  },
  resend: false
})

const mayResend = (context: JobContext, terms: InquiryTimes): boolean =>
  terms.nowMs - context.request.acceptedAtMs <= terms.resubmitWithinMs

/** Whether the request could not be sent before and its time to be sent has passed. */
export const isTooLate = ({ job, request }: JobContext, nowMs: number, resubmitWithinMs: number): boolean =>
  job.openAttempts <= 1 && job.tries > 0 && nowMs - request.acceptedAtMs > resubmitWithinMs

/** Returns the decision about every answer to every request. */
export const decide =
  <H extends JobContext, T extends InquiryTimes>(meaning: Meaning<H, T>) =>
  (context: H, answer: Answer, terms: T): Next => {
    /** Keeps the outcome open: the merchant sees `unknown`, nothing is booked, and the job inquires again. */
    const unknown = (job: Job): Next => ({
      decision: {
        guards: guards(context),
        writes: [
          Decision.put(Order, Change.next(context.order, { state: meaning.lost(context) })),
          Decision.put(OrderRequest, { ...context.request, progress: "unknown" }),
          Decision.put(Job, job)
        ]
      },
      resend: false
    })

    /**
     * Treats a missing reference as definite only when the processing time has passed since the last time at which the request
     * can have been sent. That is when its answer was given up, or the time of the first inquiry if the process that sent it
     * ended without a record.
     */
    const notFound = (): Next => {
      const isAnswered = context.request.progress !== "processing"
      const startedAtMs = isAnswered ? (context.job.startedAtMs ?? terms.nowMs) : terms.nowMs
      // Both clocks must agree, because the wall clock may have been set forward.
      const definiteAtMs = Math.max(
        startedAtMs + terms.longestProcessingMs,
        terms.nowMs + terms.longestProcessingMs - terms.underWayMs
      )
      if (terms.nowMs < definiteAtMs) {
        const dueAtMs = Math.min(definiteAtMs, terms.nowMs + Jobs.step(inquiryDelaysMs, context.job.tries))
        return unknown(wait(context, { startedAtMs }, dueAtMs))
      }
      if (!mayResend(context, terms)) return meaning.neverHappened(context, terms)
      const job: Job = { ...context.job, startedAtMs: terms.nowMs }
      return {
        decision: {
          guards: [Decision.leaseOf(context.job)],
          writes: [Decision.put(Job, job)]
        },
        resend: true
      }
    }

    switch (answer._tag) {
      case "Approved": {
        const askedMinor = meaning.askedMinor(context)
        const { amountMinor = askedMinor } = answer
        if (amountMinor === askedMinor) return meaning.approved(context, terms, answer)
        const isPart = 0 < amountMinor && amountMinor < askedMinor
        return (
          (isPart ? meaning.partlyApproved?.(context, terms, answer) : undefined) ?? {
            ...unknown(wait(context, {}, terms.nowMs + Jobs.step(inquiryDelaysMs, inquiryDelaysMs.length))),
            unapplied: `it is for ${amountMinor} minor units, and ${askedMinor} were requested`
          }
        )
      }
      case "Declined":
        return meaning.declined(context, terms, answer)
      case "Accepted":
        return accepted(context, answer.processorTxId, terms.nowMs)
      case "NotSent":
        return mayResend(context, terms) ? notSent(context, terms.nowMs) : meaning.neverHappened(context, terms)
      case "Unsendable":
        return meaning.neverHappened(context, terms)
      case "Lost":
        return unknown(
          wait(context, { tries: 1, startedAtMs: terms.nowMs }, terms.nowMs + Jobs.step(inquiryDelaysMs, 0))
        )
      case "CannotSay":
        return unknown(wait(context, {}, terms.nowMs + Jobs.step(inquiryDelaysMs, context.job.tries)))
      case "NoWayLeft":
        return {
          ...unknown(wait(context, {}, terms.nowMs + Jobs.step(inquiryDelaysMs, context.job.tries))),
          unapplied: noWayLeft
        }
      case "NotFound":
        // The bank has taken it before, so that it is not sent again.
        return context.request.processorTxId === null
          ? notFound()
          : later(context, {}, terms.nowMs + Jobs.step(inquiryDelaysMs, context.job.tries))
    }
  }
