/** A bank or a payout rail, as the job of a request calls it. */

import { Data, Effect } from "effect"
import type { Job } from "../../kernel/Job.ts"
import type { Rows } from "../../kernel/Rows.ts"
import type { GuardFailed, StoreUnavailable } from "../../kernel/Store.ts"
import type * as Inquiry from "../decide/Inquiry.ts"
import type { AttemptReference } from "../record/Booking.ts"
import { Order } from "../record/Order.ts"
import { OrderRequest } from "../record/OrderRequest.ts"

/** What a job does next. `tooLate`: the request could not be sent before, and may not be sent any more. */
export type Step = "send" | "inquire" | "tooLate"

/** The order and the request of a job, as they were loaded. */
export type Subject = Omit<Inquiry.JobContext, "job">

export type Commit = (next: Inquiry.Next) => Effect.Effect<Inquiry.Next, GuardFailed | StoreUnavailable>

/** Records an answer that arrives after the deadline. It is called again if the store is not available. */
export type LateAnswerHandler = (answer: Inquiry.Answer) => Effect.Effect<void, StoreUnavailable>

export interface Counterparty<S extends Subject> {
  readonly longestProcessingMs: (subject: S) => number
  /** Loads what the adapter needs in addition to the order and the request. */
  readonly load: (subject: Subject, job: Job, rows: Rows) => Effect.Effect<S, StoreUnavailable>
  /** Sends the request after a last `checkLease`. `late` receives an answer that arrives after the deadline. */
  readonly send: (
    subject: S,
    late: LateAnswerHandler,
    checkLease: LeaseCheck
  ) => Effect.Effect<Inquiry.Answer, StoreUnavailable | LeaseLost>
  /**
   * Learns the outcome of a request that was sent before: inquires about it, or ends it in another way that its port declares. Returns
   * `CannotSay` if there is no answer.
   */
  readonly inquire: (
    subject: S,
    late: LateAnswerHandler,
    checkLease: LeaseCheck
  ) => Effect.Effect<Inquiry.Answer, StoreUnavailable | LeaseLost>
  /** The reference of the request at the bank or rail. */
  readonly reference: (subject: S) => AttemptReference
  /** The amount that the bank or rail is requested to move. */
  readonly amountMinor: (subject: S) => number
  /** Decides what the answer changes, and passes the decision to `commit`. */
  readonly settle: (
    context: S & { readonly job: Job },
    answer: Inquiry.Answer,
    terms: Inquiry.InquiryTimes,
    commit: Commit
  ) => ReturnType<Commit>
  /** Overrides the general rule, which sends the request of a new job and inquires about that of a job that was attempted before. Undefined: the rule applies. */
  readonly step?: (context: S & { readonly job: Job }) => Step | undefined
}

/** The request was not sent, because another process may have the lease of the job. */
export class LeaseLost extends Data.TaggedError("LeaseLost") {}

/** Fails if this process no longer has the lease of the job. */
export type LeaseCheck = Effect.Effect<void, StoreUnavailable | LeaseLost>

/** Loads what a job is about. */
export const load = Effect.fnUntraced(function* <S extends Subject>(
  counterparty: Counterparty<S>,
  job: Job,
  rows: Rows
) {
  const request = yield* rows.load(OrderRequest, [job.subject])
  const order = request === undefined ? undefined : yield* rows.load(Order, [request.orderId])
  if (request === undefined || order === undefined) {
    return yield* Effect.die(new Error(`job ${job.jobId} names no request`))
  }
  return yield* counterparty.load({ order, request }, job, rows)
})
