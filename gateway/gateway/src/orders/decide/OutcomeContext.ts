/** The data on which the decision about a bank's answer to a request of a card order is based. */

import type * as Decision from "../../kernel/Decision.ts"
import type { BankTask } from "../record/BankTask.ts"
import type { Order } from "../record/Order.ts"
import type { OrderRequest } from "../record/OrderRequest.ts"
import type * as AmountAttempts from "./AmountAttempts.ts"
import type * as Inquiry from "./Inquiry.ts"

export interface OutcomeContext extends Inquiry.JobContext {
  /** The hosted session or recurring payment of the order; undefined if there is none, and for follow-ups. */
  readonly continuation?: Continuation | undefined
  /** The next amounts after a decline, if the merchant sent a list of amounts. */
  readonly round?: AmountAttempts.Round | undefined
  /** The task about the order's hold. A follow-up has it when the bank has refused to release the hold. */
  readonly hold?: BankTask | undefined
}

export interface CardTimes extends Inquiry.InquiryTimes {
  /** Time after which an uncaptured hold expires. */
  readonly holdMs: number
}

/** The values that the end of a request needs. */
export type Now = Pick<CardTimes, "nowMs" | "claim">

/** Why a request failed: declined, or never sent. */
export interface Failure {
  readonly progress: "declined" | "error"
  readonly errorCode: number
  readonly errorMessage: string
  /** Whether another try with the same card is pointless. */
  readonly isHard: boolean
  /** What the bank reported beside the decline, as a column of the order. */
  readonly bankDetails: string | null
}

/**
 * The hosted session or recurring payment that an order belongs to, as it was loaded. It decides whether a failed request
 * of the order is final, and which rows change with the final outcome.
 */
export interface Continuation {
  /** Guards of every decision about the order: the hosted session or recurring payment is unchanged since it was loaded. */
  readonly guards: ReadonlyArray<Decision.Guard>
  /** Highest number that an attempt of the order may have; 0 if it has only one attempt. */
  readonly lastAttempt: number
  /** Returns the decision that starts another attempt; undefined if the failure is final. */
  readonly onFailure: (context: OutcomeContext, terms: Now, failure: Failure) => Inquiry.Next | undefined
  /** Returns the writes that are committed with the final outcome of the request. */
  readonly onFinal: (request: OrderRequest, nowMs: number, order: Order) => ReadonlyArray<Decision.Write>
}
