/** How a durable flow hears of what happens outside: the part of `Steps` that Effect's engines have nothing for. */
import { Executions } from "@pay/sqlite/Executions"
import { Context, Effect, Layer, Option } from "effect"
import { DurableClock, type WorkflowEngine } from "effect/workflow"
import type * as Steps from "../Steps.ts"

export class Signals extends Context.Service<
  Signals,
  {
    readonly awaitSignal: (
      name: string,
      awaited: Steps.Awaited
    ) => Effect.Effect<Option.Option<string>, never, WorkflowEngine.WorkflowEngine | WorkflowEngine.WorkflowInstance>
    readonly signal: (key: string, value: string) => Effect.Effect<void>
  }
>()("@pay/flows/durable/Signals") {
  /** Kept and heard by the engine of `@pay/sqlite`. */
  static readonly layerEmbedded: Layer.Layer<Signals, never, Executions> = Layer.effect(
    Signals,
    Effect.map(Executions, ({ awaitSignal, signal }) =>
      Signals.of({
        awaitSignal: (name, { key, timeout }) => awaitSignal({ name, key, timeout }),
        // A hint: who awaits it asks by itself when its time is over.
        signal: (key, value) =>
          Effect.catch(signal(key, value), (error) => Effect.logWarning("A signal could not be kept", error))
      })
    )
  )

  /** For an engine that keeps no signals, such as Effect's cluster: whoever waits asks when the time is over. */
  static readonly layerDeaf: Layer.Layer<Signals> = Layer.succeed(Signals, {
    awaitSignal: (name, { timeout }) =>
      Effect.as(DurableClock.sleep({ name, duration: timeout, inMemoryThreshold: 0 }), Option.none()),
    signal: () => Effect.void
  })
}
