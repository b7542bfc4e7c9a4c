/**
 * A reversal that the bank made although it had refused it. It closes its task if no other reversal is in flight for it. If the
 * money was returned in another way, or is about to be, the customer receives it twice: then a new task informs operators.
 */

import { Clock, Effect } from "effect"
import * as Change from "../../kernel/Change.ts"
import * as Decision from "../../kernel/Decision.ts"
import { GuardFailed, Store } from "../../kernel/Store.ts"
import * as Transact from "../../kernel/Transact.ts"
import * as Unexpected from "../decide/Unexpected.ts"
import { BankTask, idOfUnanswered, isClosed, isOpen, isReversing } from "../record/BankTask.ts"
import type { AttemptReference } from "../record/Booking.ts"
import type { Order } from "../record/Order.ts"
import * as Uncommitted from "./Uncommitted.ts"
import * as UnexpectedAnswers from "./UnexpectedAnswers.ts"

export interface MadeReversal {
  readonly order: Order
  /** The reference under which the bank made the reversal. */
  readonly reference: AttemptReference
  readonly amountMinor: number
  /** The task for which the reversal was sent; undefined if only the bank's list contains the reversal. */
  readonly taskId?: string
}

const maxTasks = 1_000

/** Whether no reversal of the task is in flight at the bank. */
const isWaiting = (task: BankTask): boolean => isOpen(task) || (isReversing(task) && task.reversalReference === null)

/** Returns the columns of a task whose money the bank has returned. */
export const reversed = (nowMs: number) => ({ state: "reversed", closedAtMs: nowMs, closedBy: "gateway" }) as const

/** Decides what the reversal changes. `tasks`: all tasks of the order. */
export const decide = (
  { amountMinor, order, reference, taskId }: MadeReversal,
  tasks: ReadonlyArray<BankTask>,
  nowMs: number
): { readonly change: Change.Change; readonly task: BankTask | undefined } => {
  const taskOfReversal = tasks.find(({ reversalReference }) => reversalReference === reference)
  const waiting = [taskOfReversal, tasks.find((task) => task.taskId === taskId)].find(
    (task) => task !== undefined && isWaiting(task)
  )
  if (waiting !== undefined) {
    const patch = { ...reversed(nowMs), reversalReference: reference }
    return { change: Change.update(BankTask, waiting, patch), task: undefined }
  }
  const unanswered = tasks.find((task) => task.taskId === idOfUnanswered(reference) && isOpen(task))
  if (taskOfReversal !== undefined && isReversing(taskOfReversal) && unanswered !== undefined)
    return {
      change: Change.all(
        Change.update(BankTask, taskOfReversal, reversed(nowMs)),
        Uncommitted.closing(unanswered, nowMs)
      ),
      task: undefined
    }
  // The process that has the job of the task inquires about the reversal, or has done so.
  if (taskOfReversal !== undefined && !isClosed(taskOfReversal))
    return { change: Change.unchanged(BankTask, taskOfReversal), task: undefined }
  const statement = { source: "bank", reference, verdict: "approved", amountMinor } as const
  const task = Unexpected.taskOf(order, statement, false, nowMs)
  if (tasks.some((other) => other.taskId === task.taskId)) return { change: Change.none, task: undefined }
  const guards = [Decision.absent(BankTask, "key", [task.taskId])]
  return { change: { guards, writes: [Decision.put(BankTask, task)] }, task }
}

/** Commits the decision together with the given writes, and raises an alarm if it opens a task. */
export const make = Effect.gen(function* () {
  const store = yield* Store
  const unexpected = yield* UnexpectedAnswers.make

  return (made: MadeReversal, writes: ReadonlyArray<Decision.Write> = []) => {
    const attempt = Effect.gen(function* () {
      const range = { equals: [made.order.orderId], limit: maxTasks }
      const tasks = yield* store.find(BankTask, "order", range)
      const { change, task } = decide(made, tasks, yield* Clock.currentTimeMillis)
      yield* store.commit(Change.all(Change.writing(...writes), change))
      yield* unexpected.alarm(task)
    })
    return Transact.transact({ attempt, exhausted: (guard) => Effect.die(new GuardFailed({ guard })) })
  }
})
