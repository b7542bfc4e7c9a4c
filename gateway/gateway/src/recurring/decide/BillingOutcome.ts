/**
 * Decides what the outcome of a charge changes of its recurring payment: pure. The merchant gets no callback about an
 * attempt that is followed by another one.
 */

import * as Change from "../../kernel/Change.ts"
import * as Decision from "../../kernel/Decision.ts"
import { Job } from "../../kernel/Job.ts"
import type { Next } from "../../orders/decide/Inquiry.ts"
import type { Continuation, Now, OutcomeContext } from "../../orders/decide/OutcomeContext.ts"
import { guards } from "../../orders/decide/RequestEnd.ts"
import * as Lifecycle from "../../orders/record/Lifecycle.ts"
import { Order } from "../../orders/record/Order.ts"
import { OrderRequest } from "../../orders/record/OrderRequest.ts"
import * as StoredCredential from "../../orders/record/StoredCredential.ts"
import * as Billing from "./Billing.ts"
import type { Billed } from "./BillingPlan.ts"

/** Opens the order again, with the reason of the failed attempt. */
const again = (
  context: OutcomeContext,
  terms: Now,
  billed: Billed,
  atMs: number,
  reason: { readonly errorCode: number; readonly errorMessage: string }
): Next => {
  const { job, order, request } = context
  return {
    decision: {
      guards: guards(context),
      writes: [
        Decision.put(
          Order,
          Change.next(order, {
            ...reason,
            state: Lifecycle.after(order.state, "retry")
          })
        ),
        Decision.put(OrderRequest, { ...request, progress: "processing", processorTxId: null }),
        Decision.remove(Job, [job.jobId]),
        ...Billing.waiting(billed, reason.errorMessage, atMs, terms.nowMs)
      ]
    },
    resend: false
  }
}

/**
 * Returns the continuation of an order that belongs to a recurring payment: of its current occurrence, or of its creation.
 */
export const continuation = (billed: Billed): Continuation => ({
  guards: [Billing.guard(billed)],
  lastAttempt: billed.occurrence === undefined ? 0 : Billing.retryDelaysMs.length,
  onFailure: (context, terms, { errorCode, errorMessage, isHard }) => {
    const atMs = Billing.retryAtMs(billed, isHard, terms.nowMs)
    return atMs === undefined ? undefined : again(context, terms, billed, atMs, { errorCode, errorMessage })
  },
  onFinal: (request, nowMs, order) =>
    Billing.conclude(withReference(billed, order), Billing.chargeOutcomeOf(request), nowMs)
})

/** Keeps the scheme's reference of the payment that creates a recurring payment, unless its stored card has one. */
const withReference = (billed: Billed, order: Order): Billed => {
  const { occurrence, subscription } = billed
  if (occurrence !== undefined || subscription.schemeReference !== null) return billed
  return { ...billed, subscription: { ...subscription, schemeReference: StoredCredential.referenceOf(order) } }
}
