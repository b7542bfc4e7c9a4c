/** `GET /operator/tasks`, `POST /operator/tasks/{task}/reverse` and `…/close`: answers of bank and rail that no order could follow. */

import * as Money from "@pay/schema/Money"
import { Effect, Schema } from "effect"
import * as KeysetPage from "../../kernel/KeysetPage.ts"
import type { BankTask, State } from "../../orders/outcomes/BankTask.ts"
import * as BankTasks from "../../orders/outcomes/BankTask.ts"
import * as Unexpected from "../../orders/outcomes/Unexpected.ts"
import * as ManageTasks from "../../reconciliation/ManageTasks.ts"
import { actor, json, limitOf, type Route, read, time, timeOrNull, wrong } from "./Route.ts"

const Note = Schema.Struct({ note: Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(2000)) })

const states: ReadonlyArray<State> = ["open", "reversing", "reversed", "closed"]

const told = (task: BankTask) => ({
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
  can: BankTasks.isOpen(task) ? [...(Unexpected.reversalOf(task) === undefined ? [] : ["reverse"]), "close"] : [],
  reversal: task.reversalReference,
  created: time(task.createdAtMs),
  closed: timeOrNull(task.closedAtMs),
  closedBy: task.closedBy,
  note: task.note
})

const refused = ({ message, what }: ManageTasks.TaskRefused) =>
  Effect.succeed(json(what === "missing" ? 404 : 409, { error: message }))

export const make = Effect.map(
  ManageTasks.make,
  ({ close, list, reverse }): ReadonlyArray<Route> => [
    {
      method: "GET",
      path: "/operator/tasks",
      run: ({ query }) => {
        const state = states.find((each) => each === (query.get("state") ?? "open"))
        const limit = limitOf(query.get("limit"))
        const cursor = query.get("after")
        const after = cursor === null ? undefined : KeysetPage.read(cursor)
        if (state === undefined || limit === undefined || (cursor !== null && after === undefined))
          return Effect.succeed(wrong(`state is ${states.join(", ")}, limit is 1 to 1000, after is the next of a page`))
        return Effect.map(list(state, { limit, after }), (rows) => {
          const last = rows.length < limit ? undefined : rows.at(-1)
          return json(200, {
            tasks: rows.map(told),
            ...(last && { next: KeysetPage.written({ atMs: last.createdAtMs, key: last.taskId }) })
          })
        })
      }
    },
    ...(
      [
        ["reverse", 202, reverse],
        ["close", 200, close]
      ] as const
    ).map(
      ([name, status, change]): Route => ({
        method: "POST",
        path: `/operator/tasks/:task/${name}`,
        run: read(Note, ({ note }, asked) =>
          change(actor(asked), asked.params.task ?? "", note).pipe(
            Effect.map((task) => json(status, told(task))),
            Effect.catchTag("TaskRefused", refused)
          )
        )
      })
    )
  ]
)
