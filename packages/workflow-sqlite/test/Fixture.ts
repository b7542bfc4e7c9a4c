/** An engine on a file, and a log of the activities of its workflows. */
import * as Database from "@pay/sqlite/Database"
import { Context, Effect, Layer, Schema } from "effect"
import { Activity, DurableClock, DurableDeferred, Workflow, type WorkflowEngine } from "effect/workflow"
import type { Executions } from "../src/Executions.ts"
import * as Engine from "../src/WorkflowEngine.ts"

/** The performed activities, in order. The log is outside of any engine, so that a restart does not empty it. */
export class ActivityLog extends Context.Service<ActivityLog, { readonly performed: Array<string> }>()(
  "test/ActivityLog"
) {
  static readonly layer = Layer.sync(ActivityLog, () => ActivityLog.of({ performed: [] }))
}

export const record = Effect.fnUntraced(function* (name: string) {
  const { performed } = yield* ActivityLog
  performed.push(name)
})

export type Options = Omit<Engine.Options, "database"> & Pick<Database.Options, "intercept">

type Definitions = Layer.Layer<never, never, WorkflowEngine.WorkflowEngine | Executions | ActivityLog>

/** Opens an engine for the program, and closes it after it, as the end of a process does. */
export const withEngine = (path: string, definitions: Definitions, options: Options = {}) => {
  const { intercept, ...rest } = options
  const layer = Layer.unwrap(
    Effect.map(Database.open({ path, ...(intercept === undefined ? {} : { intercept }) }), (database) =>
      definitions.pipe(Layer.provideMerge(Engine.layer({ database, ...rest })))
    )
  ).pipe(Layer.orDie)
  return <A, E, R>(program: Effect.Effect<A, E, R>) => Effect.provide(program, layer, { local: true })
}

export const activity = (name: string) =>
  Activity.make({ name, success: Schema.String, execute: Effect.as(record(name), name) })

export const Approval = DurableDeferred.make("Approval", { success: Schema.String })

/** Asks, waits for a day, reminds, waits for an approval, and ends. */
export class Reminder extends Workflow.make("Errand", {
  payload: { id: Schema.String },
  success: Schema.String,
  idempotencyKey: ({ id }) => id
}) {}

export const ReminderLayer = Reminder.toLayer(
  Effect.fnUntraced(function* () {
    yield* activity("ask")
    yield* DurableClock.sleep({ name: "a day", duration: "1 day" })
    yield* activity("remind")
    const approval = yield* DurableDeferred.await(Approval)
    yield* activity("end")
    return approval
  })
)

export const approvalToken = (id: string) =>
  DurableDeferred.tokenFromPayload(Approval, { workflow: Reminder, payload: { id } })

export const approve = (id: string, value: string) =>
  Effect.flatMap(approvalToken(id), (token) => DurableDeferred.succeed(Approval, { token, value }))
