/** What a bank's answer to a request of a card order is judged on. */

import type * as Decision from "../../kernel/Decision.ts"
import type { OrderRequest } from "../OrderRequest.ts"
import type * as AmountAttempts from "./AmountAttempts.ts"
import type { BankTask } from "./BankTask.ts"
import type * as Inquiry from "./Inquiry.ts"

export interface OutcomeContext extends Inquiry.JobContext {
  /** Undefined for an order that stands alone, and for its follow-ups. */
  readonly continuation?: Continuation | undefined
  /** The remaining amounts when the merchant sent a list of amounts. */
  readonly round?: AmountAttempts.Round | undefined
  /** The task about the order's hold. A follow-up has it when the bank has refused to release the hold. */
  readonly hold?: BankTask | undefined
}

export interface Terms extends Inquiry.Terms {
  /** An uncaptured hold lapses after so long. */
  readonly holdMs: number
}

/** What the end of a request needs to know. */
export type Now = Pick<Terms, "nowMs" | "claim">

export type Outcome = Pick<OrderRequest, "progress" | "errorCode" | "errorMessage">

/** Why a request failed: declined, or never sent. */
export interface Failure {
  readonly progress: "declined" | "error"
  readonly errorCode: number
  readonly errorMessage: string
}

/**
 * What an order belongs to, as it was read: a hosted session or a recurring payment. It decides whether a failed request of
 * the order is final, and what moves with the final outcome.
 */
export interface Continuation {
  /** What every decision about the order requires besides: nobody has moved what it belongs to. */
  readonly guards: ReadonlyArray<Decision.Guard>
  /** The greatest number that a try of the order may have; 0: it has one try. */
  readonly lastTry: number
  /** What is done where the order is tried again; undefined: the failure is final. */
  readonly onFailure: (context: OutcomeContext, terms: Now, failure: Failure) => Inquiry.Next | undefined
  /** What is written with the final outcome of the request. */
  readonly onFinal: (request: OrderRequest, nowMs: number) => ReadonlyArray<Decision.Write>
  /** Returns this continuation for another of the order's tries. */
  readonly underTry: (sequence: number) => Continuation
}
