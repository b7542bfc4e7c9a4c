/**
 * The task of a hold whose time is over and which the bank refuses to release: the customer's money stays reserved, and only a
 * person can ask why. It is opened with the first refusal, since the bank was asked for nothing urgent; once for each order. It
 * closes by itself when the hold is gone. Pure.
 */
import * as Change from "../kernel/Change.ts"
import type * as Decision from "./Decision.ts"
import { put, versionIs } from "./Decision.ts"
import { BankTask } from "./entities/BankTask.ts"
import type { Order } from "./entities/Order.ts"

export const idOf = (orderId: string): string => `${orderId}-hold.declined`

const isOfHold = ({ orderId, taskId }: BankTask): boolean => taskId === idOf(orderId)

const isHeld = ({ released, state }: Order): boolean => state === "authorized" && released === 0

/** `reference`: under which the bank refused. */
export const opened = (order: Order, reference: string, nowMs: number): BankTask => ({
  taskId: idOf(order.orderId),
  version: 1,
  source: "bank",
  orderId: order.orderId,
  merchantId: order.merchantId,
  clientOrderId: order.clientOrderId,
  reference,
  reversalReference: null,
  answer: "declined",
  orderState: order.state,
  amountMinor: order.authorizedMinor - order.capturedMinor,
  currency: order.currency,
  state: "open",
  createdAtMs: nowMs,
  reversingAtMs: null,
  closedAtMs: null,
  closedBy: null,
  note: null
})

/** What closes the task with the commit in which the order's hold ends; nothing where there is none or where it stands. */
export const closing = (task: BankTask | undefined, order: Order, nowMs: number): Decision.Decision => {
  if (task?.state !== "open" || isHeld(order)) return { guards: [], writes: [] }
  const closed: BankTask = Change.next(task, { state: "closed", closedAtMs: nowMs, closedBy: gateway })
  return { guards: [versionIs(BankTask, [task.taskId], task.version)], writes: [put(BankTask, closed)] }
}

const gateway = "gateway"

/** Whether a person has dealt with the hold by other ways: the bank is not asked to release it any more. */
export const isSettledByHand = (task: BankTask | undefined): boolean =>
  task?.state === "closed" && task.closedBy !== gateway

/** Whether it says nothing of the bank's books any more: the hold was released, or captured, as the order says. */
export const isOver = (task: BankTask): boolean =>
  isOfHold(task) && task.state === "closed" && task.closedBy === gateway

/** What is said of a task when it is opened. */
export const alarmOf = (task: BankTask): string => {
  if (isOfHold(task)) return "The bank refuses to release a hold whose time is over: see pay tasks list"
  const next = task.state === "reversing" ? "it is asked to give it back" : "see pay tasks list"
  return `The ${task.source} ${task.answer} what ended otherwise here: ${next}`
}
