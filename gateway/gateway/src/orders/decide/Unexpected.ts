/**
 * Pure decisions about answers of bank and rail for which the lifecycle has no transition. They change nothing of the order
 * and are kept as evidence. An answer that contradicts the outcome of the order opens a task, because money is not where the
 * order shows it.
 */

import * as Decision from "../../kernel/Decision.ts"
import { Job } from "../../kernel/Job.ts"
import * as Jobs from "../../kernel/Jobs.ts"
import * as Actions from "../record/Actions.ts"
import { BankTask, isReversing, isUncommitted } from "../record/BankTask.ts"
import type { Source } from "../record/Booking.ts"
import * as Booking from "../record/Booking.ts"
import * as CardKinds from "../record/CardKinds.ts"
import * as Lifecycle from "../record/Lifecycle.ts"
import { isCardKind, type Order } from "../record/Order.ts"
import type { OrderRequest } from "../record/OrderRequest.ts"
import * as PayoutLifecycle from "../record/PayoutLifecycle.ts"
import * as FollowUp from "./FollowUp.ts"
import type * as Inquiry from "./Inquiry.ts"

/** How an answer would end a request. */
export type AnswerVerdict = "approved" | "declined" | "failed"

/** Returns how an answer ends its request; undefined if it is not definite. */
export const verdictOf = ({ _tag }: Inquiry.Answer): "approved" | "declined" | undefined =>
  _tag === "Approved" ? "approved" : _tag === "Declined" ? "declined" : undefined

export const isOpen = ({ progress }: OrderRequest): boolean => progress === "processing" || progress === "unknown"

interface MovedAmounts {
  readonly order: Order
  readonly request: OrderRequest
}

/** A booking that the bank or rail approved, although its request ended in another way here. */
export interface Contradiction {
  readonly booking: Booking.Booking
  readonly order: Order
  readonly request: OrderRequest
}

/** Whether the lifecycle of card orders has a transition for the verdict. */
export const bankFits = ({ order, request }: MovedAmounts, verdict: AnswerVerdict): boolean => {
  if (!isOpen(request)) return false
  const { kind, state } = order
  if (Actions.isCreation(request.action)) {
    if (verdict === "failed") return Lifecycle.next(state, "fail") !== undefined
    if (verdict === "declined")
      return (Lifecycle.next(state, "decline") ?? Lifecycle.next(state, "reject")) !== undefined
    return isCardKind(kind) && Lifecycle.next(state, CardKinds.kinds[kind].event) !== undefined
  }
  if (verdict !== "approved") return true
  return request.action === "refund" ? Lifecycle.isApproved(state) : Lifecycle.next(state, "settle") !== undefined
}

/**
 * Whether the lifecycle of payouts has a transition for the verdict. `posted`: the answer is about a payment that was
 * confirmed before.
 */
export const railFits = ({ order, request }: MovedAmounts, verdict: AnswerVerdict, posted: boolean): boolean => {
  const { state } = order
  if (posted) return verdict === "approved" || PayoutLifecycle.next(state, "bounce") !== undefined
  if (!isOpen(request)) return false
  if (request.action === "check") return verdict === "failed" || PayoutLifecycle.next(state, "accept") !== undefined
  const event = { approved: "confirm", declined: "decline", failed: "fail" } as const
  return PayoutLifecycle.next(state, event[verdict]) !== undefined
}

/**
 * Whether the release of a full return was declined and the hold still exists. The return itself is done; the hold expires by
 * itself.
 */
export const isUnreleased = ({ order, request }: MovedAmounts, same: ReadonlyArray<OrderRequest>): boolean =>
  request.action === "void" && FollowUp.voidedMinor(order) === 0 && same.length > 0 && !same.some(isOpen)

/**
 * Whether the answer contradicts the order about money. `same`: the records with the sequence number of the request. While all
 * of them are open, their job inquires again, unless the order itself has ended (`isOver`). An attempt that has ended is not
 * inquired about any more, even if its order continues.
 */
export const contradicts = (
  verdict: "approved" | "declined",
  { order, request }: MovedAmounts,
  same: ReadonlyArray<OrderRequest>,
  isOver: boolean
): boolean => {
  if (!Actions.facts[request.action].moves) return false
  if (verdict === "approved" && isUnreleased({ order, request }, same)) return true
  if (same.some((record) => !isOpen(record)))
    return same.some(({ progress }) => progress === "approved") !== (verdict === "approved")
  if (same.length > 0 && !isOver) return false
  return Actions.isCreation(request.action) || request.action === "pay"
    ? Lifecycle.isApproved(order.state) !== (verdict === "approved")
    : verdict === "approved"
}

export interface Statement {
  readonly source: Source
  readonly reference: string
  readonly verdict: BankTask["answer"]
  readonly amountMinor: number
  /** The bank's own identifier of what it approved. */
  readonly processorTxId?: string | undefined
}

/** How the bank returns the money of a booking that it should not have made. A transfer is the receiver's, and others move no money. */
const reversals: Readonly<Record<Actions.BankKind, Reversal | undefined>> = {
  sale: "refund",
  capture: "refund",
  authorize: "void",
  transfer: undefined,
  void: undefined,
  refund: undefined,
  verify: undefined,
  eligibility: undefined
}
const reversalOfKind: ReadonlyMap<string, Reversal | undefined> = new Map(Object.entries(reversals))

type Reversal = "void" | "refund"

/** Whether the bank can return what it did for the request. */
export const isReversible = (request: Pick<OrderRequest, "action">): boolean =>
  reversalOfKind.get(Actions.facts[request.action].kind) !== undefined

/**
 * Returns the action by which the bank returns the money; undefined if it cannot, or if the order has no outcome yet, which would
 * still book the money.
 */
export const reversalOf = ({ answer, reference, source, taskId }: Reversible) =>
  source === "bank" && answer === "approved" && !isUncommitted({ reference, taskId })
    ? reversalOfKind.get(Booking.parse(reference)?.kind ?? "")
    : undefined

/** Kinds of bookings by which the bank returns money. */
export const returns: ReadonlySet<string | undefined> = new Set(Object.values(reversals))

type Reversible = Pick<BankTask, "answer" | "reference" | "source" | "taskId">

/** The order of a task. A restored copy may lack its row. */
export interface Subject extends Pick<Order, "clientOrderId" | "currency" | "merchantId" | "orderId"> {
  readonly state: string
}

/** Returns a new task. `reverse`: the bank is requested at once to return the money, if it can. */
export const taskOf = (order: Subject, statement: Statement, reverse: boolean, nowMs: number): BankTask => {
  const { amountMinor, reference, source, verdict: answer } = statement
  const taskId = `${reference}.${answer}`
  const reversing = reverse && reversalOf({ answer, reference, source, taskId }) !== undefined
  return {
    taskId,
    version: 1,
    source,
    orderId: order.orderId,
    merchantId: order.merchantId,
    clientOrderId: order.clientOrderId,
    reference,
    reversalReference: null,
    processorTxId: statement.processorTxId || null,
    answer,
    orderState: order.state,
    amountMinor,
    currency: order.currency,
    state: reversing ? "reversing" : "open",
    createdAtMs: nowMs,
    reversingAtMs: reversing ? nowMs : null,
    closedAtMs: null,
    closedBy: null,
    note: null
  }
}

export const itemOf = ({ merchantId, taskId }: Pick<BankTask, "merchantId" | "taskId">, nowMs: number): Job =>
  Jobs.make({ kind: "reversal", subject: taskId, merchantId, nowMs })

export const writesOf = (task: BankTask, nowMs: number): ReadonlyArray<Decision.Write> => [
  Decision.put(BankTask, task),
  ...(isReversing(task) ? [Decision.put(Job, itemOf(task, nowMs))] : [])
]
