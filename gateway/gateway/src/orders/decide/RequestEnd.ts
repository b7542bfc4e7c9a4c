/** The guards and writes with which a request ends, for every answer of the bank. */

import { Result } from "effect"
import * as Change from "../../kernel/Change.ts"
import * as Decision from "../../kernel/Decision.ts"
import { Job } from "../../kernel/Job.ts"
import * as Jobs from "../../kernel/Jobs.ts"
import * as Actions from "../record/Actions.ts"
import { Cvv } from "../record/Card.ts"
import { Order } from "../record/Order.ts"
import type { RequestOutcome } from "../record/OrderRequest.ts"
import { OrderRequest } from "../record/OrderRequest.ts"
import * as AmountAttempts from "./AmountAttempts.ts"
import * as Callbacks from "./Callbacks.ts"
import * as FollowUp from "./FollowUp.ts"
import * as HoldTask from "./HoldTask.ts"
import * as Inquiry from "./Inquiry.ts"
import type { Now, OutcomeContext } from "./OutcomeContext.ts"

/** The operation name of the gateway's own release of an expired hold. */
export const lapseOperation = "LAPSE"

export const isCreation = (request: Pick<OrderRequest, "action">): boolean => Actions.isCreation(request.action)

/**
 * The guards of every decision about a job: this process has the lease, and the order and what it belongs to are unchanged
 * since they were loaded.
 */
export const guards = (
  context: Pick<OutcomeContext, "continuation" | "job" | "order">
): ReadonlyArray<Decision.Guard> => [...Inquiry.guards(context), ...(context.continuation?.guards ?? [])]

/**
 * Returns the write of a job that releases the hold now, if it expired while this request was in flight: the hold's own job
 * may be due only hours later.
 */
const overdue = (order: Order, request: OrderRequest, nowMs: number): ReadonlyArray<Decision.Write> => {
  const { holdUntilMs, merchantId, orderId } = order
  const isOver = holdUntilMs !== null && holdUntilMs <= nowMs && request.operation !== lapseOperation
  return isOver && Result.isSuccess(FollowUp.voidHold(order))
    ? [Decision.put(Job, Jobs.make({ kind: "lapse", subject: orderId, merchantId, nowMs }))]
    : []
}

/** Creates the callback about money that was charged back before the order was approved. */
const withChargeback = (callbacks: Callbacks.CallbackWrites, { claim, nowMs }: Now): Callbacks.CallbackWrites => {
  const { chargedBackMinor } = callbacks.order
  if (!FollowUp.isChargedBack(callbacks.order)) return callbacks
  const disputed = { amountMinor: chargedBackMinor, isTaken: true }
  const { order, writes } = Callbacks.ofDispute(callbacks.order, disputed, nowMs, claim)
  return { order, writes: [...callbacks.writes, ...writes] }
}

/** Ends the request, and creates its callbacks with `enqueue`. */
export const finish = (
  context: OutcomeContext,
  terms: Now,
  order: Order,
  ended: RequestOutcome,
  writes: ReadonlyArray<Decision.Write>,
  enqueue: typeof Callbacks.enqueue = Callbacks.enqueue
): Inquiry.Next => {
  const request: OrderRequest = { ...context.request, ...ended, finishedAtMs: terms.nowMs }
  const hold = HoldTask.closing(context.hold, order, terms.nowMs)
  const own = enqueue(Change.next(order), request, terms.nowMs, terms.claim)
  const callbacks = isCreation(request) ? withChargeback(own, terms) : own
  return {
    decision: {
      guards: [...guards(context), ...hold.guards],
      writes: [
        Decision.put(Order, callbacks.order),
        Decision.put(OrderRequest, request),
        ...overdue(order, request, terms.nowMs),
        ...hold.writes,
        ...writes,
        Decision.remove(Job, [context.job.jobId]),
        ...(isCreation(request) ? [Decision.remove(Cvv, [order.orderId])] : []),
        ...(context.continuation?.onFinal(request, terms.nowMs, order) ?? []),
        ...(context.round === undefined
          ? []
          : [AmountAttempts.record(context.request, context.round.attemptId, ended, terms.nowMs)]),
        ...callbacks.writes
      ]
    },
    resend: false
  }
}

/** Returns the same job, reset so that it sends the next request to the bank at once. */
export const renewed = ({ job }: OutcomeContext, { claim, nowMs }: Now): Job => ({
  ...job,
  tries: 0,
  dueAtMs: nowMs,
  openAttempts: claim === undefined ? 0 : 1,
  startedAtMs: claim === undefined ? null : nowMs,
  token: claim?.token ?? null,
  leaseUntilMs: claim?.leaseUntilMs ?? 0
})
