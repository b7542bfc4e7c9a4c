/**
 * Pauses and signals of durable flows, their record of steps, and the turns of orders: the parts of `Steps` that Effect's workflow engines do
 * not provide.
 */
import { Executions } from "@pay/workflow-sqlite/Executions"
import { Context, type Duration, Effect, Layer, Option } from "effect"
import { DurableClock, type WorkflowEngine } from "effect/workflow"
import type { Awaited } from "../engine/Steps.ts"
import type { TurnStore } from "../engine/TurnStore.ts"
import { StorageFailed } from "../order/FlowError.ts"
import type { ReplayOrder } from "./ReplayOrder.ts"

/** The functions of a {@link TurnStore}, for use in an execution. */
type TurnFunctions = {
  readonly [Name in "write" | "read" | "hasEnded"]: (
    ...args: Parameters<TurnStore[Name]>
  ) => Effect.Effect<Effect.Success<ReturnType<TurnStore[Name]>>, never, WorkflowEngine.WorkflowInstance>
}

/** The signals and records of an engine for durable flows. */
export class Signals extends Context.Service<
  Signals,
  {
    readonly sleep: (
      name: string,
      duration: Duration.Input,
      order: ReplayOrder
    ) => Effect.Effect<void, never, WorkflowEngine.WorkflowEngine | WorkflowEngine.WorkflowInstance>
    readonly awaitSignal: (
      name: string,
      awaited: Awaited,
      order: ReplayOrder
    ) => Effect.Effect<Option.Option<string>, never, WorkflowEngine.WorkflowEngine | WorkflowEngine.WorkflowInstance>
    /** Wakes the flows that wait for the key, or keeps the signal. Fails if it cannot be stored. */
    readonly signal: (key: string, value: string) => Effect.Effect<void, StorageFailed>
    /** Whether an earlier run of the running flow has reached the step, pause or wait of this name. */
    readonly isRecorded: (name: string) => Effect.Effect<boolean, never, WorkflowEngine.WorkflowInstance>
    readonly turns: TurnFunctions
  }
>()("@pay/flows/durable/Signals") {
  /** Provides the signals of the engine of `@pay/workflow-sqlite`, which stores them. */
  static readonly layerEmbedded: Layer.Layer<Signals, never, Executions> = Layer.effect(
    Signals,
    Effect.map(Executions, ({ awaitSignal, find, hasRequested, readEntry, signal, writeEntry }) =>
      Signals.of({
        turns: {
          write: (order, entry, text) => writeEntry(`${order}/${entry}`, text),
          read: (order, entry) => readEntry(`${order}/${entry}`),
          hasEnded: ({ id }) =>
            find(id).pipe(
              Effect.map((execution) => (Option.isNone(execution) ? true : execution.value.state === "finished")),
              // The next look shows it.
              Effect.orElseSucceed(() => false)
            )
        },
        isRecorded: hasRequested,
        sleep: (name, duration) => DurableClock.sleep({ name, duration, inMemoryThreshold: 0 }),
        awaitSignal: (name, { key, timeout }) => awaitSignal({ name, key, timeout }),
        signal: (key, value) => Effect.mapError(signal(key, value), ({ message }) => notKept(key, message))
      })
    )
  )
}

/** Returns the error of a signal that could not be stored. */
export const notKept = (key: string, reason: string): StorageFailed =>
  new StorageFailed({ flow: `the signal ${key}`, reason })
