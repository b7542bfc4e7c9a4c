/**
 * Applies a final answer of the bank, as one decision: the order's new amounts and state, the entries in the ledger, the end
 * of the request and the callbacks to the merchant.
 */

import { type Decline, declines } from "@pay/schema/Decline"
import * as PayApi from "@pay/schema/PayApi"
import * as Change from "../../kernel/Change.ts"
import * as Decision from "../../kernel/Decision.ts"
import { Job } from "../../kernel/Job.ts"
import * as Jobs from "../../kernel/Jobs.ts"
import * as LedgerTable from "../../kernel/LedgerTable.ts"
import type { BankAnswer } from "../bank/Acquirer.ts"
import * as Actions from "../record/Actions.ts"
import * as BankNumber from "../record/BankNumber.ts"
import { BankTask } from "../record/BankTask.ts"
import * as Booking from "../record/Booking.ts"
import * as CardKinds from "../record/CardKinds.ts"
import * as Lifecycle from "../record/Lifecycle.ts"
import { type CardKind, isCardKind, Order } from "../record/Order.ts"
import type { RequestOutcome } from "../record/OrderRequest.ts"
import { isOfBank, OrderRequest } from "../record/OrderRequest.ts"
import * as AmountOutcome from "./AmountOutcome.ts"
import * as Callbacks from "./Callbacks.ts"
import * as DeclineReason from "./DeclineReason.ts"
import * as HoldTask from "./HoldTask.ts"
import type { Next } from "./Inquiry.ts"
import type { CardTimes, Failure, Now, OutcomeContext } from "./OutcomeContext.ts"
import { finish, guards, isCreation, lapseOperation, renewed } from "./RequestEnd.ts"

const lapseAt = ({ merchantId, orderId }: Order, nowMs: number, dueAtMs: number): Job =>
  Jobs.make({ kind: "lapse", subject: orderId, merchantId, nowMs, dueAtMs })

const approvedCreation = (
  context: OutcomeContext,
  terms: CardTimes,
  answer: BankAnswer & { _tag: "Approved" },
  kind: CardKind
): Next => {
  const { order, request } = context
  const { captures, cause, event, holds } = CardKinds.kinds[kind]
  const waits = holds && !captures
  const holdUntilMs = terms.nowMs + terms.holdMs
  const moved: Order = {
    ...order,
    state: Lifecycle.after(order.state, event),
    authorizedMinor: holds ? order.amountMinor : 0,
    capturedMinor: captures ? order.amountMinor : 0,
    approvalCode: answer.approvalCode,
    bankDetails: DeclineReason.detailsOf(answer),
    processorTxId: answer.processorTxId,
    processedAtMs: terms.nowMs,
    holdUntilMs: waits ? holdUntilMs : null
  }
  const booked =
    cause === undefined
      ? []
      : LedgerTable.book(order, order.orderId, request.requestId, cause, order.amountMinor, terms.nowMs)
  const lapse = lapseAt(order, terms.nowMs, holdUntilMs)
  return finish(context, terms, moved, { progress: "approved", errorCode: null, errorMessage: null }, [
    ...booked,
    Decision.append(BankNumber.BankNumber, BankNumber.of(order, answer)),
    ...(waits ? [Decision.put(Job, lapse)] : [])
  ])
}

const approvedCapture = (context: OutcomeContext, terms: CardTimes): Next => {
  const { order, request } = context
  const capturedMinor = order.capturedMinor + request.amountMinor
  const whole = capturedMinor === order.authorizedMinor
  const moved: Order = {
    ...order,
    capturedMinor,
    capturingMinor: order.capturingMinor - request.amountMinor,
    inFlightCount: order.inFlightCount - 1,
    state: whole ? Lifecycle.after(order.state, "settle") : order.state
  }
  return finish(context, terms, moved, { progress: "approved", errorCode: null, errorMessage: null }, [
    ...LedgerTable.book(order, order.orderId, request.requestId, "capture", request.amountMinor, terms.nowMs),
    ...(whole ? [Decision.remove(Job, [Jobs.id("lapse", order.orderId)])] : [])
  ])
}

const approvedVoid = (context: OutcomeContext, terms: CardTimes): Next => {
  const { order, request } = context
  const leftMinor = order.authorizedMinor - order.capturedMinor
  const event = order.capturedMinor > 0 ? "settle" : request.operation === lapseOperation ? "lapse" : "void"
  const moved: Order = {
    ...order,
    voiding: 0,
    inFlightCount: order.inFlightCount - 1,
    state: Lifecycle.after(order.state, event)
  }
  return finish(context, terms, moved, { progress: "approved", errorCode: null, errorMessage: null }, [
    ...LedgerTable.book(order, order.orderId, request.requestId, "void", leftMinor, terms.nowMs),
    Decision.remove(Job, [Jobs.id("lapse", order.orderId)])
  ])
}

const returned = (order: Order, request: OrderRequest): Order => ({
  ...order,
  refundedMinor: order.refundedMinor + request.amountMinor,
  refundingMinor: order.refundingMinor - request.amountMinor
})

const approvedRefund = (context: OutcomeContext, terms: CardTimes): Next => {
  const { order, request } = context
  const booked = LedgerTable.book(order, order.orderId, request.requestId, "refund", request.amountMinor, terms.nowMs)
  const moved: Order = { ...returned(order, request), inFlightCount: order.inFlightCount - 1 }
  return finish(context, terms, moved, { progress: "approved", errorCode: null, errorMessage: null }, booked)
}

/** Applies the refund of a full return. The same request then asks the bank to release the rest of the hold. */
const refundedThenVoid = (context: OutcomeContext, terms: CardTimes): Next => {
  const { order, request } = context
  const job = renewed(context, terms)
  return {
    decision: {
      guards: guards(context),
      writes: [
        Decision.put(Order, Change.next(returned(order, request))),
        Decision.put(OrderRequest, { ...request, action: "void", progress: "processing", processorTxId: null }),
        ...LedgerTable.book(order, order.orderId, request.requestId, "refund", request.amountMinor, terms.nowMs),
        Decision.put(Job, job)
      ]
    },
    resend: false
  }
}

type ApplyApproval = (context: OutcomeContext, terms: CardTimes, answer: BankAnswer & { _tag: "Approved" }) => Next

const created: ApplyApproval = (context, terms, answer) => {
  const { kind, orderId } = context.order
  if (!isCardKind(kind)) throw new Error(`order ${orderId} is a ${kind}, which no bank creates`)
  return approvedCreation(context, terms, answer, kind)
}

const approvals: Readonly<Record<Actions.BankAction, ApplyApproval>> = {
  sale: created,
  authorize: created,
  verify: created,
  transfer: created,
  eligibility: created,
  capture: approvedCapture,
  void: approvedVoid,
  refund: approvedRefund,
  refundThenVoid: refundedThenVoid
}

export const approved: ApplyApproval = (context, terms, answer) => {
  const { request } = context
  if (!isOfBank(request)) throw new Error(`request ${request.requestId} is for the payout rail, not for the bank`)
  return approvals[request.action](context, terms, answer)
}

/** Returns the order's amounts without the reservation of a follow-up that failed: no money has moved. */
const releases: Readonly<
  Record<Actions.FollowUpAction, (order: Order, request: Pick<OrderRequest, "amountMinor">) => Partial<Order>>
> = {
  capture: ({ capturingMinor }, { amountMinor }) => ({ capturingMinor: capturingMinor - amountMinor }),
  void: () => ({ voiding: 0 }),
  refund: ({ refundingMinor }, { amountMinor }) => ({ refundingMinor: refundingMinor - amountMinor }),
  refundThenVoid: ({ refundingMinor }, { amountMinor }) => ({
    refundingMinor: refundingMinor - amountMinor,
    voiding: 0
  })
}

const withoutReservation = (order: Order, request: OrderRequest): Order => {
  const { action } = request
  if (!Actions.isFollowUp(action)) throw new Error(`request ${request.requestId} follows no order`)
  return { ...order, ...releases[action](order, request), inFlightCount: order.inFlightCount - 1 }
}

/** Whether the request is a full return whose refund is done, so that only the release of the hold is left. */
const isReleaseAfterRefund = ({ order, request }: OutcomeContext): boolean =>
  request.operation === PayApi.operations.RETURN.name && request.action === "void" && order.capturedMinor > 0

/**
 * Time until a hold that the bank refused to release is tried again. It is tried until it is gone or an operator has dealt
 * with it.
 */
const lapseRetryMs = 86_400_000

/**
 * Ends the gateway's own release of an expired hold as failed, and schedules the next attempt. Only the first refusal opens a
 * task for operators and makes a callback to the merchant.
 */
const lapseEnded = (context: OutcomeContext, terms: Now, outcome: RequestOutcome): Next => {
  const { hold, order, request } = context
  const { nowMs } = terms
  const again = lapseAt(order, nowMs, nowMs + lapseRetryMs)
  const reference = Booking.referenceOf({ kind: "void", orderId: order.orderId, sequence: request.sequence })
  const task =
    outcome.progress === "declined" && hold === undefined ? HoldTask.opened(order, reference, nowMs) : undefined
  const writes = [Decision.put(Job, again), ...(task === undefined ? [] : [Decision.put(BankTask, task)])]
  const enqueue = hold === undefined ? Callbacks.enqueue : Callbacks.noCallbacks
  const next = finish(context, terms, withoutReservation(order, request), outcome, writes, enqueue)
  return task === undefined ? next : { ...next, task }
}

/** Returns the state of a payment that the bank declined, or that was rejected before the bank was called. */
const declined = (state: Order["state"]): Order["state"] =>
  Lifecycle.next(state, "decline") ?? Lifecycle.after(state, "reject")

/** Returns the failure for a reason of the gateway's own. */
export const failureOf = (progress: Failure["progress"], { code, hard, message }: Decline): Failure => ({
  progress,
  errorCode: code,
  errorMessage: message,
  isHard: hard,
  bankDetails: null
})

/**
 * Ends a request that failed. A failed follow-up leaves the order as it was before the request; a failed creation ends the
 * order, unless its continuation or its list of amounts continues.
 */
export const ended = (context: OutcomeContext, terms: Now, failure: Failure): Next => {
  const { order, request } = context
  const { bankDetails, errorCode, errorMessage, progress } = failure
  // The refund has reached the customer. A merchant that receives a failure would refund it again. The hold expires by itself.
  if (isReleaseAfterRefund(context))
    return finish(
      context,
      terms,
      withoutReservation(order, request),
      { progress: "approved", errorCode: null, errorMessage: null },
      []
    )
  const outcome = { progress, errorCode, errorMessage }
  if (request.operation === lapseOperation) return lapseEnded(context, terms, outcome)
  if (!isCreation(request)) return finish(context, terms, withoutReservation(order, request), outcome, [])
  const continued = context.continuation?.onFailure(context, terms, failure)
  if (continued !== undefined) return continued
  if (context.round?.next !== undefined)
    return AmountOutcome.nextAmount(context, terms, context.round, context.round.next, outcome)
  const last = context.round?.stopped.at(-1)
  if (context.round !== undefined && last !== undefined)
    return AmountOutcome.lastStopped(context, terms, context.round, last, outcome)
  const moved: Order = {
    ...order,
    state: progress === "declined" ? declined(order.state) : Lifecycle.after(order.state, "fail"),
    errorCode,
    errorMessage,
    bankDetails,
    processedAtMs: terms.nowMs
  }
  return finish(context, terms, moved, outcome, [])
}

export const neverHappened = (context: OutcomeContext, terms: CardTimes): Next =>
  ended(context, terms, failureOf("error", declines.neverSent))
