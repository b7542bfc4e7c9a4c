/**
 * A charge with a list of amounts (`enumerate_amounts`), as pure decisions: each amount is an attempt of the one order,
 * with its own reference at the bank and its own record. The next one begins in the commit that records the decline of
 * the one before; while an outcome is unknown, none does.
 */
import { byCode } from "@pay/schema/Decline"
import type * as Change from "../../kernel/Change.ts"
import * as Decision from "../../kernel/Decision.ts"
import * as Risk from "../../risk/Risk.ts"
import * as Lifecycle from "../Lifecycle.ts"
import type { Order } from "../Order.ts"
import { OrderRequest } from "../OrderRequest.ts"
import type * as Inquiry from "./Inquiry.ts"

/** The operation name of an attempt's record. */
export const attemptOperation = "REBILL_ATTEMPT"

/** An amount that a rule of the endpoint stopped before any bank was asked. */
export interface Stopped {
  readonly attemptId: string
  readonly amountMinor: number
  readonly filteredBy: string
}

/** Amounts judged by the endpoint's rules in their order, up to the first that may be tried. */
export interface Judged {
  readonly stopped: ReadonlyArray<Stopped>
  /** Undefined: the list is over. `marks` is what velocity rules count from now on. */
  readonly next: { readonly amountMinor: number; readonly marks: Change.Change } | undefined
}

/** What is known of the list when an attempt has ended. */
export interface Round extends Judged {
  /** Names the record of the attempt that ended. */
  readonly attemptId: string
}

/** Minor units still to be tried; none for a charge of one amount. */
export const left = ({ amountsLeft }: Pick<Order, "amountsLeft">): ReadonlyArray<number> =>
  amountsLeft === null || amountsLeft === "" ? [] : amountsLeft.split(",").map(Number)

export const written = (amounts: ReadonlyArray<number>): string => amounts.join(",")

/** A decline that another amount may turn; not one long after the merchant asked, when nobody expects a charge any more. */
export const mayGoOn = (
  { order, request }: Pick<Inquiry.JobContext, "order" | "request">,
  code: number,
  { nowMs, resubmitWithinMs }: Pick<Inquiry.Terms, "nowMs" | "resubmitWithinMs">
): boolean => byCode(code)?.hard !== true && left(order).length > 0 && nowMs - request.acceptedAtMs <= resubmitWithinMs

type Outcome = Pick<OrderRequest, "progress" | "errorCode" | "errorMessage">

/** What is kept of an attempt that has ended. */
export const record = (request: OrderRequest, attemptId: string, outcome: Outcome, nowMs: number): Decision.Write =>
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

/** The records of amounts that were stopped, the first of which is attempt number `sequence`. */
export const recordsOf = (
  request: OrderRequest,
  stopped: ReadonlyArray<Stopped>,
  sequence: number,
  nowMs: number
): ReadonlyArray<Decision.Write> =>
  stopped.map(({ amountMinor, attemptId, filteredBy }, index) =>
    record({ ...request, amountMinor, sequence: sequence + index }, attemptId, filtered(filteredBy), nowMs)
  )

export const filtered = (filteredBy: string): Outcome => {
  const { code, message } = Risk.declineOf(filteredBy)
  return { progress: "filtered", errorCode: code, errorMessage: message }
}

/** Returns the state of the order when the bank is asked for another amount, or when a rule stops the last amount. */
export const reopened = (state: Lifecycle.State, event: "send" | "filter"): Lifecycle.State =>
  Lifecycle.after(Lifecycle.after(state, "retry"), event)
