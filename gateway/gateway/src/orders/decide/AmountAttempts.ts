/**
 * A charge with a list of amounts (`enumerate_amounts`), as pure decisions. Each amount is an attempt of the same order,
 * with its own reference at the bank and its own record. The next attempt starts in the commit that records the decline of
 * the attempt before. While an outcome is unknown, no attempt starts.
 */
import type * as Change from "../../kernel/Change.ts"
import * as Decision from "../../kernel/Decision.ts"
import * as Risk from "../../risk/Risk.ts"
import * as Lifecycle from "../record/Lifecycle.ts"
import type { Order } from "../record/Order.ts"
import type { RequestOutcome } from "../record/OrderRequest.ts"
import { OrderRequest } from "../record/OrderRequest.ts"
import * as DeclineReason from "./DeclineReason.ts"
import type * as Inquiry from "./Inquiry.ts"

/** The operation name of an attempt's record. */
const attemptOperation = "REBILL_ATTEMPT"

/** An amount that a rule of the endpoint stopped before the bank was called. */
export interface Stopped {
  readonly attemptId: string
  readonly amountMinor: number
  readonly filteredBy: string
}

/** The result of the endpoint's rules for a list of amounts, in their order, up to the first amount that may be charged. */
export interface AmountSelection {
  readonly stopped: ReadonlyArray<Stopped>
  /**
   * The amount to charge next; undefined if no amount of the list is left. `velocityEntries`: the changes to the counters of velocity
   * rules.
   */
  readonly next: { readonly amountMinor: number; readonly velocityEntries: Change.Change } | undefined
}

/** The result of the rules for the rest of a list after one of its attempts has ended. */
export interface Round extends AmountSelection {
  /** The identifier of the record of the attempt that ended. */
  readonly attemptId: string
}

/** Returns the amounts that are still to be tried, in minor units. A charge of one amount has none. */
export const remainingAmounts = ({ remainingAmounts }: Pick<Order, "remainingAmounts">): ReadonlyArray<number> =>
  remainingAmounts === null || remainingAmounts === "" ? [] : remainingAmounts.split(",").map(Number)

export const toColumn = (amounts: ReadonlyArray<number>): string => amounts.join(",")

/**
 * Whether another amount may be tried after a decline: the decline is not hard, amounts are left, and the merchant's
 * request is recent enough.
 */
export const mayContinue = (
  { order, request }: Pick<Inquiry.JobContext, "order" | "request">,
  declined: DeclineReason.Declined,
  { nowMs, resubmitWithinMs }: Pick<Inquiry.InquiryTimes, "nowMs" | "resubmitWithinMs">
): boolean =>
  !DeclineReason.isHard(declined) &&
  remainingAmounts(order).length > 0 &&
  nowMs - request.acceptedAtMs <= resubmitWithinMs

/** Returns the write of the record of an attempt that has ended. */
export const record = (
  request: OrderRequest,
  attemptId: string,
  outcome: RequestOutcome,
  nowMs: number
): Decision.Write =>
  Decision.append(OrderRequest, {
    ...request,
    ...outcome,
    requestId: attemptId,
    operation: attemptOperation,
    fingerprint: "",
    idempotencyKey: null,
    callbackUrl: null,
    finishedAtMs: nowMs
  })

/** Returns the writes of the records of stopped amounts. The first of them is attempt number `sequence`. */
export const recordsOf = (
  request: OrderRequest,
  stopped: ReadonlyArray<Stopped>,
  sequence: number,
  nowMs: number
): ReadonlyArray<Decision.Write> =>
  stopped.map(({ amountMinor, attemptId, filteredBy }, index) =>
    record({ ...request, amountMinor, sequence: sequence + index }, attemptId, filtered(filteredBy), nowMs)
  )

export const filtered = (filteredBy: string): RequestOutcome => {
  const { code, message } = Risk.declineOf(filteredBy)
  return { progress: "filtered", errorCode: code, errorMessage: message }
}

/** Returns the state of the order when the bank is asked for another amount, or when a rule stops the last amount. */
export const reopened = (state: Lifecycle.State, event: "send" | "filter"): Lifecycle.State =>
  Lifecycle.after(Lifecycle.after(state, "retry"), event)
