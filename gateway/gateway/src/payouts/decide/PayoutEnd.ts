/**
 * The writes with which a payout ends, for every cause: its order, its request, its ledger entries and its callbacks.
 */

import * as Hosted from "../../hosted/decide/HostedSession.ts"
import * as Change from "../../kernel/Change.ts"
import * as Decision from "../../kernel/Decision.ts"
import { Job } from "../../kernel/Job.ts"
import * as Jobs from "../../kernel/Jobs.ts"
import * as LedgerTable from "../../kernel/LedgerTable.ts"
import * as Callbacks from "../../orders/decide/Callbacks.ts"
import type { Now } from "../../orders/decide/OutcomeContext.ts"
import { Order } from "../../orders/record/Order.ts"
import { OrderRequest, type RailRequest } from "../../orders/record/OrderRequest.ts"
import * as PayoutLifecycle from "../../orders/record/PayoutLifecycle.ts"

interface EndedPayout {
  readonly order: Order
  readonly request: RailRequest
  /**
   * The hosted page on which the recipient enters the destination, if there is one. It ends together with the payout.
   */
  readonly form?: Hosted.Form | undefined
}

type Reason = Pick<OrderRequest, "errorCode" | "errorMessage">
type Ended = Reason & Pick<OrderRequest, "progress">

/** Ends the order, books its amount and creates its callbacks. */
export const finish = (
  { form, order, request }: EndedPayout,
  { claim, nowMs }: Now,
  changes: Pick<Order, "state"> & Partial<Order>,
  ended: Ended,
  cause: LedgerTable.Cause
) => {
  const done: OrderRequest = { ...request, ...ended, finishedAtMs: nowMs }
  const { errorCode, errorMessage } = ended
  const moved: Order = Change.next(order, {
    errorCode,
    errorMessage,
    processedAtMs: nowMs,
    ...changes
  })
  const callbacks = Callbacks.enqueue(moved, done, nowMs, claim)
  return {
    writes: [
      Decision.put(Order, callbacks.order),
      Decision.put(OrderRequest, done),
      ...LedgerTable.book(order, order.orderId, request.requestId, cause, order.amountMinor, nowMs),
      ...(form === undefined || form.session.endedAtMs !== null ? [] : Hosted.closePage(form, done, nowMs)),
      ...callbacks.writes
    ]
  }
}

/** Ends a payout that waits for a person, and releases its amount to the merchant. Undefined if it no longer waits. */
export const giveUp = (
  order: Order,
  /** The request that ends with the payout. */
  request: RailRequest,
  event: "lapse" | "reject" | "abandon" | "filter",
  { code: errorCode, filteredBy, message: errorMessage }: Hosted.EndReason,
  terms: Now,
  form?: Hosted.Form | undefined
): Decision.Decision | undefined => {
  const state = PayoutLifecycle.next(order.state, event)
  if (state === undefined) return undefined
  const ended: Ended = { progress: event === "filter" ? "filtered" : "declined", errorCode, errorMessage }
  const { writes } = finish(
    { order, request, form },
    terms,
    { state, filteredBy: filteredBy ?? null },
    ended,
    "payoutRelease"
  )
  return {
    guards: [Decision.versionIs(Order, [order.orderId], order.version)],
    writes: [...writes, Decision.remove(Job, [Jobs.id("rail", request.requestId)])]
  }
}
