/**
 * The steps of a flow. A flow is one program. In memory it simply runs. On a durable engine it runs again from its beginning
 * after a restart, and each step that had completed returns its recorded result instead of being executed again.
 *
 * A step is executed at least once, so its effect must be safe to repeat (an order created with the same content, a request under
 * the same `Idempotency-Key`). Results are recorded under the names of steps. A name is unique within a flow.
 */
import * as KeptText from "@pay/schema/KeptText"
import { Context, type Duration, Effect, type Exit, type Option, Schema, type Scope } from "effect"
import type { StorageFailed } from "../order/FlowError.ts"
import { Recent } from "./Recent.ts"
import * as TurnStore from "./TurnStore.ts"

/** The schemas under which the result and the error of a step are recorded. Neither may contain card data. */
export interface Schemas<A, E> {
  readonly success: Schema.Codec<A, unknown>
  readonly error: Schema.Codec<E, unknown>
}

/** The signal to wait for, and the longest wait. */
export interface Awaited {
  /** The key of the signal, as it is passed to {@link Shape.signal}. */
  readonly key: string
  readonly timeout: Duration.Input
}

/** The functions with which a flow runs its steps, waits and signals. */
export interface Shape {
  /** The identity of the running flow, from its `idempotencyKey`. It is empty outside of flows. */
  readonly workflowId: string
  /** The merchant of the running flow, at its gateway. It is empty if the flow has no client, and outside of flows. */
  readonly merchant: string
  /** The execution to which the running flow belongs. Its fields are empty outside of flows. */
  readonly owner: TurnStore.Owner
  /** The turns of orders, for actions that must not overlap. */
  readonly turns: TurnStore.TurnStore
  /**
   * The identifier of this run of the flow. It changes after a restart or a failure of the storage. It is empty if nothing is
   * recorded.
   */
  readonly run: string
  /** Executes the effect and records its result or error. A recorded step is not executed again. Defects are not recorded. */
  readonly step: <A, E, R>(
    name: string,
    schemas: Schemas<A, E>,
    effect: Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E, R>
  /** Waits for the duration. A restart continues the wait instead of beginning it again. */
  readonly sleep: (name: string, duration: Duration.Input) => Effect.Effect<void>
  /**
   * Waits for the signal and returns its value, or `None` after the timeout. A signal that arrived while no flow waited for its
   * key is kept for the first flow that does.
   */
  readonly awaitSignal: (name: string, awaited: Awaited) => Effect.Effect<Option.Option<string>>
  /** Wakes the flows that wait for the key, in any process. A signal may arrive twice, late or never. */
  readonly signal: (key: string, value?: string) => Effect.Effect<void>
  /**
   * Whether an earlier run has reached this step, pause or wait. A run without fields that an earlier run had uses it to follow the
   * recorded steps, and behaves differently only after them.
   */
  readonly isRecorded: (name: string) => Effect.Effect<boolean>
  /** Adds a finalizer that runs when the flow ends. It does not run when the flow is suspended or its process ends. */
  readonly addFinalizer: <R>(
    finalizer: (exit: Exit.Exit<unknown, unknown>) => Effect.Effect<void, never, R>
  ) => Effect.Effect<void, never, R | Scope.Scope>
}

/** Number of signals that are kept until a flow waits for them. Beyond it the oldest are dropped. */
const mostStoredSignals = 10_000

/** Makes steps in memory. Nothing is recorded, and the flows end with the process. */
export const makeMemory = (): Shape => {
  const storedSignals = new Recent<string>(mostStoredSignals)
  const waiting = new Map<string, Set<(value: string) => void>>()

  const arrival = (key: string): Effect.Effect<string> =>
    Effect.callback((resume) => {
      const value = storedSignals.get(key)
      if (value !== undefined) {
        storedSignals.delete(key)
        return resume(Effect.succeed(value))
      }
      const wake = (report: string) => resume(Effect.succeed(report))
      const waiters = waiting.get(key) ?? new Set()
      waiting.set(key, waiters.add(wake))
      return Effect.sync(() => {
        waiters.delete(wake)
        if (waiters.size === 0 && waiting.get(key) === waiters) waiting.delete(key)
      })
    })

  return {
    workflowId: "",
    merchant: "",
    owner: { flow: "", id: "", part: "" },
    turns: TurnStore.makeMemory(),
    run: "",
    step: (_name, _schemas, effect) => effect,
    sleep: (_name, duration) => Effect.sleep(duration),
    awaitSignal: (_name, { key, timeout }) => Effect.timeoutOption(arrival(key), timeout),
    signal: (key, value = "") =>
      Effect.sync(() => {
        const waiters = waiting.get(key)
        if (waiters === undefined) return storedSignals.set(key, KeptText.of(value))
        waiting.delete(key)
        for (const wake of waiters) wake(value)
      }),
    isRecorded: () => Effect.succeed(false),
    addFinalizer: (finalizer) => Effect.addFinalizer(finalizer)
  }
}

/** The steps of the running program. Default: in memory. */
export const Steps = Context.Reference<Shape>("@pay/flows/Steps", { defaultValue: makeMemory })

/** Calls {@link Shape.step} of the running program. */
export const step = <A, E, R>(
  name: string,
  schemas: Schemas<A, E>,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> => Effect.flatMap(Steps, (steps) => steps.step(name, schemas, effect))

/** Returns the name under which {@link stepOnce} records its begin. */
const begunOf = (name: string): string => `${name} begun`

/**
 * Executes an effect that is not safe to repeat, at most once. If an earlier run may have executed it without a record, `instead`
 * is executed and recorded.
 */
export const stepOnce = Effect.fnUntraced(function* <A, E, R>(
  name: string,
  schemas: Schemas<A, E>,
  effect: Effect.Effect<A, E, R>,
  instead: Effect.Effect<A, E, R>
) {
  const { run } = yield* Steps
  const startedBy = yield* step(begunOf(name), { success: Schema.String, error: Schema.Never }, Effect.succeed(run))
  return yield* step(name, schemas, startedBy === run ? effect : instead)
})

/** Calls {@link Shape.sleep} of the running program. */
export const sleep = (name: string, duration: Duration.Input): Effect.Effect<void> =>
  Effect.flatMap(Steps, (steps) => steps.sleep(name, duration))

/** Calls {@link Shape.awaitSignal} of the running program. */
export const awaitSignal = (name: string, awaited: Awaited): Effect.Effect<Option.Option<string>> =>
  Effect.flatMap(Steps, (steps) => steps.awaitSignal(name, awaited))

/** Calls {@link Shape.isRecorded} of the running program. A step of {@link stepOnce} is reached when its begin is recorded. */
export const isRecorded = (name: string): Effect.Effect<boolean> =>
  Effect.flatMap(Steps, (steps) =>
    Effect.flatMap(steps.isRecorded(name), (isDone) =>
      isDone ? Effect.succeed(true) : steps.isRecorded(begunOf(name))
    )
  )

/** Sends a signal that may be lost if it cannot be stored, because the waiting flow requests `status` itself after its timeout. */
export const lossy = (signal: Effect.Effect<void, StorageFailed>): Effect.Effect<void> =>
  Effect.catch(signal, (error) => Effect.logWarning("A signal could not be kept", error))

/** Calls {@link Shape.signal} of the running program. */
export const signal = (key: string, value?: string): Effect.Effect<void> =>
  Effect.flatMap(Steps, (steps) => steps.signal(key, value))

/** The identity of a flow: its merchant at a gateway, and the merchant's own name of the action. */
export interface Identity {
  readonly merchant: string
  readonly key: string
}

/**
 * Returns the text as every storage keeps it. A half of a character (a lone surrogate) has no UTF-8, so storages would write all of
 * them as one and the same character.
 */
export const storable = (text: string): string => (text.isWellFormed() ? text : JSON.stringify(text))

/**
 * Returns the steps of a flow. A prefix keeps the names of its steps apart from those of the flow that it is a part of, and of its
 * own earlier runs, which `turn` counts.
 */
export const within = (steps: Shape, flow: string, { key: workflowId, merchant }: Identity, turn = 1): Shape => {
  if (steps.workflowId === "") {
    const id = `${flow}${merchant === "" ? "" : `@${merchant}`}/${workflowId}`
    return { ...steps, workflowId, merchant, owner: { flow, id, part: "" } }
  }
  const of = merchant === steps.merchant ? "" : ` of ${merchant}`
  const start = `${flow}(${storable(workflowId)})${of}${turn === 1 ? "" : ` ${turn}`}`
  const inner = (name: string) => `${start}/${name}`
  return {
    ...steps,
    workflowId,
    merchant,
    owner: { ...steps.owner, part: inner(steps.owner.part) },
    step: (name, schemas, effect) => steps.step(inner(name), schemas, effect),
    sleep: (name, duration) => steps.sleep(inner(name), duration),
    awaitSignal: (name, awaited) => steps.awaitSignal(inner(name), awaited),
    isRecorded: (name) => steps.isRecorded(inner(name))
  }
}
