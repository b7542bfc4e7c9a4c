/** Pure decisions about an order with a list of amounts: one amount was declined and more are left. */

import * as Change from "../../kernel/Change.ts"
import * as Decision from "../../kernel/Decision.ts"
import { Job } from "../../kernel/Job.ts"
import { Order } from "../record/Order.ts"
import type { RequestOutcome } from "../record/OrderRequest.ts"
import { OrderRequest } from "../record/OrderRequest.ts"
import * as AmountAttempts from "./AmountAttempts.ts"
import type { Next } from "./Inquiry.ts"
import type { Now, OutcomeContext } from "./OutcomeContext.ts"
import { finish, guards, renewed } from "./RequestEnd.ts"

/**
 * Starts the attempt with the next amount that the endpoint's rules allow, after an amount was declined. The merchant
 * gets no callback yet.
 */
export const nextAmount = (
  context: OutcomeContext,
  terms: Now,
  round: AmountAttempts.Round,
  next: NonNullable<AmountAttempts.Round["next"]>,
  outcome: RequestOutcome
): Next => {
  const { order, request } = context
  const { attemptId, stopped } = round
  const job = renewed(context, terms)
  const sequence = request.sequence + stopped.length + 1
  const { amountMinor, velocityEntries } = next
  return {
    decision: {
      guards: [...guards(context), ...velocityEntries.guards],
      writes: [
        Decision.put(
          Order,
          Change.next(order, {
            state: AmountAttempts.reopened(order.state, "send"),
            amountMinor,
            remainingAmounts: AmountAttempts.toColumn(AmountAttempts.remainingAmounts(order).slice(stopped.length + 1)),
            sequence
          })
        ),
        Decision.put(OrderRequest, { ...request, progress: "processing", processorTxId: null, amountMinor, sequence }),
        AmountAttempts.record(request, attemptId, outcome, terms.nowMs),
        ...AmountAttempts.recordsOf(request, stopped, request.sequence + 1, terms.nowMs),
        Decision.put(Job, job),
        ...velocityEntries.writes
      ]
    },
    resend: false
  }
}

/**
 * Ends an order as `filtered`: an amount was declined, and a rule of the endpoint stopped the last of the amounts that
 * were left.
 */
export const lastStopped = (
  context: OutcomeContext,
  terms: Now,
  round: AmountAttempts.Round,
  last: AmountAttempts.Stopped,
  outcome: RequestOutcome
): Next => {
  const { order, request } = context
  const { amountMinor, attemptId, filteredBy } = last
  const before = round.stopped.slice(0, -1)
  const sequence = request.sequence + round.stopped.length
  const end = AmountAttempts.filtered(filteredBy)
  const moved: Order = {
    ...order,
    state: AmountAttempts.reopened(order.state, "filter"),
    amountMinor,
    remainingAmounts: AmountAttempts.toColumn(AmountAttempts.remainingAmounts(order).slice(round.stopped.length)),
    sequence,
    filteredBy,
    errorCode: end.errorCode,
    errorMessage: end.errorMessage,
    processedAtMs: terms.nowMs
  }
  const lastHeld: OutcomeContext = {
    ...context,
    request: { ...request, amountMinor, sequence },
    round: { attemptId, stopped: [], next: undefined }
  }
  return finish(lastHeld, terms, moved, end, [
    AmountAttempts.record(request, round.attemptId, outcome, terms.nowMs),
    ...AmountAttempts.recordsOf(request, before, request.sequence + 1, terms.nowMs)
  ])
}
