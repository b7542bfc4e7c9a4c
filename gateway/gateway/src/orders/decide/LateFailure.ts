/**
 * A sale, capture or refund that the bank had approved and that fails afterwards, such as days later: a movement back, with the status
 * and a callback of its request. What was booked stays booked. The order becomes what it was before the request. Pure.
 */

import { declines } from "@pay/schema/Decline"
import * as Change from "../../kernel/Change.ts"
import * as Decision from "../../kernel/Decision.ts"
import { Job } from "../../kernel/Job.ts"
import * as Jobs from "../../kernel/Jobs.ts"
import * as LedgerTable from "../../kernel/LedgerTable.ts"
import * as Lifecycle from "../record/Lifecycle.ts"
import { Order } from "../record/Order.ts"
import { OrderRequest } from "../record/OrderRequest.ts"
import * as Callbacks from "./Callbacks.ts"
import type { Now } from "./OutcomeContext.ts"

interface Failed {
  readonly order: Order
  readonly request: OrderRequest
}

/** What the failure changes of the order, and the cause of its movement. */
interface Movement {
  readonly changes: Partial<Order>
  readonly cause: LedgerTable.Cause
}

const outcome = {
  progress: "declined",
  errorCode: declines.failedAfterwards.code,
  errorMessage: declines.failedAfterwards.message
} as const

const sale = ({ order }: Failed): Movement | undefined => {
  const state = Lifecycle.next(order.state, "bounce")
  const isUsed = order.refundedMinor + order.refundingMinor + order.chargedBackMinor > 0
  if (order.kind !== "sale" || state === undefined || isUsed) return undefined
  const { errorCode, errorMessage } = outcome
  return { changes: { state, authorizedMinor: 0, capturedMinor: 0, errorCode, errorMessage }, cause: "saleReturn" }
}

/** A hold whose rest was released cannot come back. */
const capture = ({ order, request }: Failed): Movement | undefined => {
  const capturedMinor = order.capturedMinor - request.amountMinor
  const isWhole = order.capturedMinor === order.authorizedMinor
  const state = Lifecycle.isHeld(order.state)
    ? order.state
    : isWhole
      ? Lifecycle.next(order.state, "uncapture")
      : undefined
  const isUsed = order.refundedMinor + order.refundingMinor + order.chargedBackMinor > capturedMinor
  if (order.kind !== "preauth" || state === undefined || isUsed || order.voiding === 1) return undefined
  return { changes: { state, capturedMinor }, cause: "captureReturn" }
}

const refund = ({ order, request }: Failed): Movement | undefined => {
  const refundedMinor = order.refundedMinor - request.amountMinor
  return refundedMinor < 0 || !Lifecycle.isApproved(order.state)
    ? undefined
    : { changes: { refundedMinor }, cause: "refundReturn" }
}

const movements: Readonly<Partial<Record<string, (failed: Failed) => Movement | undefined>>> = { sale, capture, refund }

/** Whether the request failed at the bank after its approval. */
export const isFailedAfterwards = ({ errorCode }: Pick<OrderRequest, "errorCode">): boolean =>
  errorCode === outcome.errorCode

/** Returns the movement back; undefined if the order has gone on since, so that a person decides. */
export const decide = (failed: Failed, { claim, nowMs }: Now): Change.Change | undefined => {
  const { order, request } = failed
  const movement = request.progress === "approved" ? movements[request.action]?.(failed) : undefined
  if (movement === undefined) return undefined
  const moved = Change.next(order, movement.changes)
  const ended: OrderRequest = { ...request, ...outcome, finishedAtMs: nowMs }
  const callbacks = Callbacks.enqueue(moved, ended, nowMs, claim)
  const { holdUntilMs, merchantId, orderId } = order
  const isHeldAgain = Lifecycle.isHeld(moved.state) && !Lifecycle.isHeld(order.state)
  const dueAtMs = Math.max(nowMs, holdUntilMs ?? nowMs)
  const lapse = Jobs.make({ kind: "lapse", subject: orderId, merchantId, nowMs, dueAtMs })
  return {
    guards: [Decision.versionIs(Order, [orderId], order.version)],
    writes: [
      Decision.put(Order, callbacks.order),
      Decision.put(OrderRequest, ended),
      ...LedgerTable.book(order, orderId, request.requestId, movement.cause, request.amountMinor, nowMs),
      ...(isHeldAgain ? [Decision.put(Job, lapse)] : []),
      ...callbacks.writes
    ]
  }
}
