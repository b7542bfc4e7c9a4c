/**
 * Operations on answers of bank and rail that contradict an order that has ended or cannot be committed, on requests of which neither can
 * say what became of them, and on disputes.
 */
import { Schema } from "effect"
import * as Operation from "../OperatorOperation.ts"
import * as Parameter from "../OperatorParameter.ts"

const State = Schema.Literals(["open", "reversing", "reversed", "closed"])

const Task = Schema.Struct({
  id: Schema.String,
  state: State,
  order: Schema.String,
  merchant: Schema.String,
  merchantOrder: Schema.String,
  source: Schema.Literals(["bank", "rail"]),
  reference: Schema.String,
  answer: Schema.Literals(["approved", "declined", "unknown", "disputed"]),
  orderState: Schema.String,
  amount: Schema.String,
  currency: Schema.String,
  /** The operations that the task allows now. */
  can: Schema.Array(Schema.Literals(["answer", "reverse", "close"])),
  reversal: Schema.NullOr(Schema.String),
  created: Parameter.Time,
  closed: Schema.NullOr(Parameter.Time),
  closedBy: Schema.NullOr(Schema.String),
  note: Schema.NullOr(Schema.String)
})

export const listTasks = Operation.make("listTasks", {
  method: "GET",
  path: "/operator/tasks",
  command: "tasks list",
  about: "Lists disputes, and answers of bank and rail that contradict how an order ended or that cannot be committed.",
  input: Schema.Struct({
    state: Schema.optionalKey(
      State.annotate(Parameter.info({ value: "STATE", about: "open (default), reversing, reversed or closed." }))
    ),
    ...Parameter.page
  }),
  answer: Schema.Struct({ tasks: Schema.Array(Task), next: Parameter.Next }),
  rows: {
    field: "tasks",
    columns: ["created", "id", "order", "orderState", "source", "answer", "amount", "currency", "state", "can", "note"]
  }
})

const task = Parameter.id({ value: "TASK", about: "The task's identifier." })

const changes = {
  method: "POST",
  operands: ["task"],
  input: Schema.Struct({ task, note: Parameter.note("The reason. The text is stored: write no card data.") }),
  answer: Task
} as const

export const reverseTask = Operation.make("reverseTask", {
  ...changes,
  path: "/operator/tasks/:task/reverse",
  command: "tasks reverse",
  about: "Asks the bank to give back what it took.",
  changes: { audit: "task.reverse", role: "finance", movesOrders: true },
  statuses: [202],
  headline: () => "The bank is asked to give it back"
})

export const closeTask = Operation.make("closeTask", {
  ...changes,
  path: "/operator/tasks/:task/close",
  command: "tasks close",
  about: "Closes a task that was settled in another way.",
  changes: { audit: "task.close", role: "finance" },
  headline: () => "Closed"
})

export const answerTask = Operation.make("answerTask", {
  ...changes,
  path: "/operator/tasks/:task/answer",
  command: "tasks answer",
  about:
    "States what became of a request of which bank or rail cannot say it: of an attempt from before a restore, or of a reversal.",
  changes: { audit: "task.answer", role: "finance", secondPerson: "always" },
  input: Schema.Struct({
    task,
    as: Schema.Literals(["approved", "declined"]).annotate(
      Parameter.info({ value: "OUTCOME", about: "approved, or declined (it moved nothing, or never happened)." })
    ),
    note: Parameter.note("Who at the bank stated it, and when. The text is stored: write no card data."),
    approvalCode: Parameter.bankCode({ value: "CODE", about: "As the bank named it; needed for an approved payment." }),
    processorTxId: Parameter.bankCode({
      value: "ID",
      flag: "transaction",
      about: "The bank's own number of the transaction."
    })
  }),
  headline: () => "The order goes on with it"
})
