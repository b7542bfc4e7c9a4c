/** What a bank's answer makes of a card order: pure, for every action and every answer. */
import type * as AmountAttempts from "./AmountAttempts.ts"
import * as Asking from "./Asking.ts"
import { approved, ended, neverHappened } from "./BankOutcome.ts"
import type { Billed } from "./BillingPlan.ts"
import { isCreation } from "./Ending.ts"
import type { BankTask } from "./entities/BankTask.ts"
import type { Action, OrderRequest } from "./entities/OrderRequest.ts"
import type * as FormAttempt from "./FormAttempt.ts"
import * as Lifecycle from "./Lifecycle.ts"
import * as Unexpected from "./Unexpected.ts"

export { type Answer, inquiryDelaysMs, isTooLate, type Next, resendDelaysMs } from "./Asking.ts"

export interface Held extends Asking.Held {
  /** Where the customer pays on a hosted page. */
  readonly form?: FormAttempt.Form | undefined
  /** Where the merchant sent a list of amounts. */
  readonly round?: AmountAttempts.Round | undefined
  /** Where it is the charge of a recurring payment's present occurrence, or the order of its creation. */
  readonly billed?: Billed | undefined
  /** Of a follow-up: the task of the order's hold, where the bank has refused to release it. */
  readonly hold?: BankTask | undefined
}

export interface Terms extends Asking.Terms {
  /** An uncaptured hold lapses after so long. */
  readonly holdMs: number
}

/** The reference under which the bank knows a request: `orderid-kind-n`. */
export const reference = (request: OrderRequest, kind: Exclude<Action, "refundThenCancel">): string =>
  `${request.orderId}-${kind}-${request.sequence}`

/** What the bank is asked to move. */
export const askedMinor = ({ order, request }: Pick<Held, "order" | "request">): number => {
  if (isCreation(request)) return order.amountMinor
  return request.action === "cancel" ? order.authorizedMinor - order.capturedMinor : request.amountMinor
}

const decideFitting = Asking.decide<Held, Terms>({
  approved,
  declined: (held, terms, code, message) => ended(held, terms, "declined", code, message),
  neverHappened: (held, terms) =>
    Unexpected.bankFits(held, "failed") ? neverHappened(held, terms) : Asking.unexpected(held),
  askedMinor,
  lost: ({ order }) => Lifecycle.next(order.state, "lose") ?? order.state
})

/** Every answer to every action; one for which the lifecycle has no transition is never half applied. */
export const decide = (held: Held, answer: Asking.Answer, terms: Terms): Asking.Next => {
  const verdict = Unexpected.verdictOf(answer)
  return verdict === undefined || Unexpected.bankFits(held, verdict)
    ? decideFitting(held, answer, terms)
    : Asking.unexpected(held)
}
