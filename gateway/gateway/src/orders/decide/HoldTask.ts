/**
 * The task about an expired hold that the bank refuses to release. The customer's money stays reserved, and only a person can
 * ask the bank for the reason. The task is opened at the first refusal, once for each order. It closes by itself when the hold
 * is gone. Pure.
 */

import * as Change from "../../kernel/Change.ts"
import { BankTask, isClosed, isOpen, isReversing, isUncommitted } from "../record/BankTask.ts"
import * as Lifecycle from "../record/Lifecycle.ts"
import type { Order } from "../record/Order.ts"
import * as Unexpected from "./Unexpected.ts"

export const idOf = (orderId: string): string => `${orderId}-hold.declined`

const isOfHold = ({ orderId, taskId }: BankTask): boolean => taskId === idOf(orderId)

/** Returns a new task. `reference`: the reference of the request that the bank refused. */
export const opened = (order: Order, reference: string, nowMs: number): BankTask => {
  const amountMinor = order.authorizedMinor - order.capturedMinor
  const contradiction = { source: "bank", reference, verdict: "declined", amountMinor } as const
  return { ...Unexpected.taskOf(order, contradiction, false, nowMs), taskId: idOf(order.orderId) }
}

/**
 * Returns the change that closes the task in the commit in which the order's hold ends; no change if there is no open task or
 * the hold remains.
 */
export const closing = (task: BankTask | undefined, order: Order, nowMs: number): Change.Change =>
  task === undefined || !isOpen(task) || Lifecycle.isHeld(order.state)
    ? Change.none
    : Change.update(BankTask, task, { state: "closed", closedAtMs: nowMs, closedBy: gateway })

const gateway = "gateway"

/** Whether an operator has resolved the hold by other means, so that the bank is no longer requested to release it. */
export const isSettledByHand = (task: BankTask | undefined): boolean =>
  task !== undefined && isClosed(task) && task.closedBy !== gateway

/**
 * Whether the task about a hold closed by itself: the hold was released or captured, so that the order and the bank's books
 * agree.
 */
export const isOver = (task: BankTask): boolean => isOfHold(task) && isClosed(task) && task.closedBy === gateway

/** Returns the message that is logged when the task is opened. */
export const alarmOf = (task: BankTask): string => {
  if (isOfHold(task)) return "The bank refuses to release an expired hold: see pay tasks list"
  if (isUncommitted(task) || task.answer === "unknown") return `See pay tasks list. ${task.note ?? ""}`
  const next = isReversing(task) ? "its reversal is requested" : "see pay tasks list"
  return `The ${task.source} ${task.answer} what ended otherwise here: ${next}`
}
