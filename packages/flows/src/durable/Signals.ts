/** Signals to durable flows, and their record of steps: the parts of `Steps` that Effect's workflow engines do not provide. */
import { Executions } from "@pay/workflow-sqlite/Executions"
import { Context, Effect, Layer, type Option } from "effect"
import type { WorkflowEngine } from "effect/workflow"
import type { Awaited } from "../Steps.ts"

/** The signals and records of an engine for durable flows. */
export class Signals extends Context.Service<
  Signals,
  {
    readonly awaitSignal: (
      name: string,
      awaited: Awaited
    ) => Effect.Effect<Option.Option<string>, never, WorkflowEngine.WorkflowEngine | WorkflowEngine.WorkflowInstance>
    readonly signal: (key: string, value: string) => Effect.Effect<void>
    /** Whether an earlier run of the running flow has reached the step, pause or wait of this name. */
    readonly isRecorded: (name: string) => Effect.Effect<boolean, never, WorkflowEngine.WorkflowInstance>
  }
>()("@pay/flows/durable/Signals") {
  /** Provides the signals of the engine of `@pay/workflow-sqlite`, which stores them. */
  static readonly layerEmbedded: Layer.Layer<Signals, never, Executions> = Layer.effect(
    Signals,
    Effect.map(Executions, ({ awaitSignal, hasRequested, signal }) =>
      Signals.of({
        isRecorded: hasRequested,
        awaitSignal: (name, { key, timeout }) => awaitSignal({ name, key, timeout }),
        // A lost signal is no error, because the waiting flow requests `status` itself after its timeout.
        signal: (key, value) =>
          Effect.catch(signal(key, value), (error) => Effect.logWarning("A signal could not be kept", error))
      })
    )
  )
}
