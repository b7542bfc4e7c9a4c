/** How a durable flow hears of what happens outside, and of its own past: the part of `Steps` that Effect's engines have nothing for. */
import { Executions } from "@pay/workflow-sqlite/Executions"
import { Context, Effect, Layer, type Option } from "effect"
import type { WorkflowEngine } from "effect/workflow"
import { type Awaited, makeMemory, Steps } from "../Steps.ts"

export class Signals extends Context.Service<
  Signals,
  {
    readonly awaitSignal: (
      name: string,
      awaited: Awaited
    ) => Effect.Effect<Option.Option<string>, never, WorkflowEngine.WorkflowEngine | WorkflowEngine.WorkflowInstance>
    readonly signal: (key: string, value: string) => Effect.Effect<void>
    /** Whether the running flow has come to this name before. */
    readonly isRecorded: (name: string) => Effect.Effect<boolean, never, WorkflowEngine.WorkflowInstance>
  }
>()("@pay/flows/durable/Signals") {
  /** Kept and heard by the engine of `@pay/workflow-sqlite`. */
  static readonly layerEmbedded: Layer.Layer<Signals, never, Executions> = Layer.effect(
    Signals,
    Effect.map(Executions, ({ awaitSignal, hasAsked, signal }) =>
      Signals.of({
        isRecorded: hasAsked,
        awaitSignal: (name, { key, timeout }) => awaitSignal({ name, key, timeout }),
        // A hint: who awaits it asks by itself when its time is over.
        signal: (key, value) =>
          Effect.catch(signal(key, value), (error) => Effect.logWarning("A signal could not be kept", error))
      })
    )
  )
}

/** In memory, but what is signalled reaches durable flows too. */
export const outside = Layer.effectContext(
  Effect.map(Signals, ({ signal }) => {
    const memory = makeMemory()
    const both = (key: string, value = "") => Effect.andThen(memory.signal(key, value), signal(key, value))
    return Context.make(Steps, { ...memory, signal: both })
  })
)
