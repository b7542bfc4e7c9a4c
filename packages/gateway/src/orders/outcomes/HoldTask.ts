/**
 * The task of a hold whose time is over and which the bank refuses to release: the customer's money stays reserved, and only a
 * person can ask why. It is opened with the first refusal, since the bank was asked for nothing urgent; once for each order. It
 * closes by itself when the hold is gone. Pure.
 */

import * as Change from "../../kernel/Change.ts"
import * as FollowUp from "../FollowUp.ts"
import type { Order } from "../Order.ts"
import { BankTask, isClosed, isOpen, isReversing } from "./BankTask.ts"
import * as Unexpected from "./Unexpected.ts"

export const idOf = (orderId: string): string => `${orderId}-hold.declined`

const isOfHold = ({ orderId, taskId }: BankTask): boolean => taskId === idOf(orderId)

/** `reference`: under which the bank refused. */
export const opened = (order: Order, reference: string, nowMs: number): BankTask => {
  const amountMinor = order.authorizedMinor - order.capturedMinor
  const contradiction = { source: "bank", reference, verdict: "declined", amountMinor } as const
  return { ...Unexpected.taskOf(order, contradiction, false, nowMs), taskId: idOf(order.orderId) }
}

/** What closes the task with the commit in which the order's hold ends; nothing where there is none or where it stands. */
export const closing = (task: BankTask | undefined, order: Order, nowMs: number): Change.Change =>
  task === undefined || !isOpen(task) || FollowUp.isHeld(order)
    ? Change.none
    : Change.update(BankTask, task, { state: "closed", closedAtMs: nowMs, closedBy: gateway })

const gateway = "gateway"

/** Whether a person has dealt with the hold by other ways: the bank is not asked to release it any more. */
export const isSettledByHand = (task: BankTask | undefined): boolean =>
  task !== undefined && isClosed(task) && task.closedBy !== gateway

/** Whether it says nothing of the bank's books any more: the hold was released, or captured, as the order says. */
export const isOver = (task: BankTask): boolean => isOfHold(task) && isClosed(task) && task.closedBy === gateway

/** What is said of a task when it is opened. */
export const alarmOf = (task: BankTask): string => {
  if (isOfHold(task)) return "The bank refuses to release a hold whose time is over: see pay tasks list"
  const next = isReversing(task) ? "it is asked to give it back" : "see pay tasks list"
  return `The ${task.source} ${task.answer} what ended otherwise here: ${next}`
}
