/**
 * A reversal that the bank made although it had refused it. It settles its task while nothing else is under way. Where the money is
 * being given back in another way by then, or was, it goes to the customer twice: a task of its own tells operators.
 */

import { Clock, Effect } from "effect"
import * as Change from "../../kernel/Change.ts"
import * as Decision from "../../kernel/Decision.ts"
import { GuardFailed, Store } from "../../kernel/Store.ts"
import * as Transact from "../../kernel/Transact.ts"
import type { AttemptReference } from "../Booking.ts"
import type { Order } from "../Order.ts"
import { BankTask, isClosed, isOpen, isReversing } from "./BankTask.ts"
import * as Unexpected from "./Unexpected.ts"
import * as UnexpectedAnswers from "./UnexpectedAnswers.ts"

export interface MadeReversal {
  readonly order: Order
  /** Under which the bank made it. */
  readonly reference: AttemptReference
  readonly amountMinor: number
  /** The task for which it was sent; undefined: only the bank's books tell of it. */
  readonly taskId?: string
}

const mostTasks = 1_000

/** Nothing is on its way to the bank for the task. */
const isWaiting = (task: BankTask): boolean => isOpen(task) || (isReversing(task) && task.reversalReference === null)

/** How a task stands when the bank has given its money back. */
export const reversed = (nowMs: number) => ({ state: "reversed", closedAtMs: nowMs, closedBy: "gateway" }) as const

/** `tasks`: those of the order. */
export const decide = (
  { amountMinor, order, reference, taskId }: MadeReversal,
  tasks: ReadonlyArray<BankTask>,
  nowMs: number
): { readonly change: Change.Change; readonly task: BankTask | undefined } => {
  const own = tasks.find(({ reversalReference }) => reversalReference === reference)
  const waiting = [own, tasks.find((task) => task.taskId === taskId)].find(
    (task) => task !== undefined && isWaiting(task)
  )
  if (waiting !== undefined) {
    const patch = { ...reversed(nowMs), reversalReference: reference }
    return { change: Change.update(BankTask, waiting, patch), task: undefined }
  }
  // Its holder learns of it by asking, or has.
  if (own !== undefined && !isClosed(own)) return { change: Change.unchanged(BankTask, own), task: undefined }
  const statement = { source: "bank", reference, verdict: "approved", amountMinor } as const
  const task = Unexpected.taskOf(order, statement, false, nowMs)
  if (tasks.some((other) => other.taskId === task.taskId)) return { change: Change.none, task: undefined }
  const guards = [Decision.absent(BankTask, "key", [task.taskId])]
  return { change: { guards, writes: [Decision.put(BankTask, task)] }, task }
}

/** Commits what follows from it, with the writes, and tells operators. */
export const make = Effect.gen(function* () {
  const store = yield* Store
  const unexpected = yield* UnexpectedAnswers.make

  return (made: MadeReversal, writes: ReadonlyArray<Decision.Write> = []) => {
    const attempt = Effect.gen(function* () {
      const range = { equals: [made.order.orderId], limit: mostTasks }
      const tasks = yield* store.find(BankTask, "order", range)
      const { change, task } = decide(made, tasks, yield* Clock.currentTimeMillis)
      yield* store.commit(Change.all(Change.writing(...writes), change))
      yield* unexpected.alarm(task)
    })
    return Transact.transact({ attempt, exhausted: (guard) => Effect.die(new GuardFailed({ guard })) })
  }
})
