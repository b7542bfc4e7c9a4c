/** An engine on a file, and what its workflows did in the world outside. */
import * as Database from "@pay/sqlite/Database"
import { Context, Effect, Exit, Layer, Schema, Scope } from "effect"
import { Activity, DurableClock, DurableDeferred, Workflow, type WorkflowEngine } from "effect/workflow"
import type { Executions } from "../src/Executions.ts"
import * as Engine from "../src/WorkflowEngine.ts"

/** What activities did, in order; outside of any engine, so that a restart does not empty it. */
export class World extends Context.Service<World, { readonly deeds: Array<string> }>()("test/World") {
  static readonly layer = Layer.sync(World, () => World.of({ deeds: [] }))
}

export const did = Effect.fnUntraced(function* (deed: string) {
  const { deeds } = yield* World
  deeds.push(deed)
})

export type Options = Omit<Engine.Options, "database"> & Pick<Database.Options, "intercept">

type Definitions = Layer.Layer<never, never, WorkflowEngine.WorkflowEngine | Executions | World>

/** One life of the engine: opened for the program, closed after it, like a process that ends. */
export const life = (path: string, definitions: Definitions, options: Options = {}) => {
  const { intercept, ...rest } = options
  const layer = Layer.unwrap(
    Effect.map(Database.open({ path, ...(intercept === undefined ? {} : { intercept }) }), (database) =>
      definitions.pipe(Layer.provideMerge(Engine.layer({ database, ...rest })))
    )
  ).pipe(Layer.orDie)
  return <A, E, R>(program: Effect.Effect<A, E, R>) =>
    Effect.acquireUseRelease(
      Scope.make(),
      (scope) =>
        Effect.flatMap(Layer.buildWithMemoMap(layer, Layer.makeMemoMapUnsafe(), scope), (context) =>
          Effect.provideContext(program, context)
        ),
      (scope) => Scope.close(scope, Exit.void)
    ) as Effect.Effect<A, E, Exclude<R, WorkflowEngine.WorkflowEngine | Executions> | World>
}

export const deed = (name: string) =>
  Activity.make({ name, success: Schema.String, execute: Effect.as(did(name), name) })

export const Approval = DurableDeferred.make("Approval", { success: Schema.String })

/** Asks, waits for a day, waits for somebody's word, ends. */
export class Reminder extends Workflow.make("Errand", {
  payload: { id: Schema.String },
  success: Schema.String,
  idempotencyKey: ({ id }) => id
}) {}

export const ReminderLayer = Reminder.toLayer(
  Effect.fnUntraced(function* () {
    yield* deed("ask")
    yield* DurableClock.sleep({ name: "a day", duration: "1 day" })
    yield* deed("remind")
    const word = yield* DurableDeferred.await(Approval)
    yield* deed("end")
    return word
  })
)

export const wordFor = (id: string) =>
  DurableDeferred.tokenFromPayload(Approval, { workflow: Reminder, payload: { id } })

export const say = (id: string, word: string) =>
  Effect.flatMap(wordFor(id), (token) => DurableDeferred.succeed(Approval, { token, value: word }))
