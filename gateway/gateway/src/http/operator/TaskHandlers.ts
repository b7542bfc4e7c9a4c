/** Handles operations on tasks: answers of bank and rail that contradict an order that has ended. */
import * as Money from "@pay/schema/Money"
import { Effect } from "effect"
import * as KeysetPage from "../../kernel/KeysetPage.ts"
import * as Unexpected from "../../orders/decide/Unexpected.ts"
import * as BankTasks from "../../orders/record/BankTask.ts"
import * as ManageTasks from "../../reconciliation/ManageTasks.ts"
import { type Handlers, refuse } from "./OperatorHandler.ts"

const canOf = (task: BankTasks.BankTask): ReadonlyArray<"answer" | "reverse" | "close"> => {
  if (!BankTasks.isOpen(task)) return []
  if (BankTasks.isUnanswered(task)) return ["answer"]
  return Unexpected.reversalOf(task) === undefined ? ["close"] : ["reverse", "close"]
}

const rowOf = (task: BankTasks.BankTask) => ({
  id: task.taskId,
  state: task.state,
  order: task.orderId,
  merchant: task.merchantId,
  merchantOrder: task.clientOrderId,
  source: task.source,
  reference: task.reference,
  answer: task.answer,
  orderState: task.orderState,
  amount: Money.fromMinor(task.amountMinor, task.currency),
  currency: task.currency,
  can: canOf(task),
  reversal: task.reversalReference,
  created: task.createdAtMs,
  closed: task.closedAtMs,
  closedBy: task.closedBy,
  note: task.note
})

export const make = Effect.map(
  ManageTasks.make,
  ({ answer, close, list, reverse }): Pick<Handlers, "listTasks" | "answerTask" | "reverseTask" | "closeTask"> => ({
    listTasks: ({ after, limit, state = "open" }) =>
      Effect.map(list(state, { limit, after }), (rows) => ({
        tasks: rows.map(rowOf),
        next: KeysetPage.nextOf(rows, limit, ({ createdAtMs, taskId }) => ({ atMs: createdAtMs, key: taskId }))
      })),
    answerTask: ({ task, ...stated }, actor) =>
      answer(actor, task, stated).pipe(Effect.map(rowOf), Effect.catchTag("TaskRefused", refuse)),
    reverseTask: ({ note, task }, actor) =>
      reverse(actor, task, note).pipe(Effect.map(rowOf), Effect.catchTag("TaskRefused", refuse)),
    closeTask: ({ note, task }, actor) =>
      close(actor, task, note).pipe(Effect.map(rowOf), Effect.catchTag("TaskRefused", refuse))
  })
)
