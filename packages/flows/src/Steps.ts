/**
 * How a flow remembers how far it has come. A flow is one program; in memory it runs as it is written, on a durable
 * engine it is run again from its beginning after a restart, and what had been done is told instead of done.
 *
 * A step is carried out at least once: what it does must be safe to repeat (an order created with the same content, a
 * follow-up under the same `Idempotency-Key`). Names are what is remembered: unique within a flow, and never changed.
 */
import { Context, type Duration, Effect, type Exit, type Option, Schema, type Scope } from "effect"

/** How the outcome of a step is written down. Neither may hold card data. */
export interface Schemas<A, E> {
  readonly success: Schema.Codec<A, unknown>
  readonly error: Schema.Codec<E, unknown>
}

export interface Awaited {
  /** What is waited for: the same text that {@link Shape.signal} names. */
  readonly key: string
  readonly timeout: Duration.Input
}

export interface Shape {
  /** The merchant's name of what the running flow does; `""` outside of flows. */
  readonly workflowId: string
  /** Names this run of the flow: after a restart, or a failure of the storage, it is another one. */
  readonly run: string
  /** Carries the effect out, once it has succeeded or failed with an `E` never again. Defects are not recorded. */
  readonly step: <A, E, R>(
    name: string,
    schemas: Schemas<A, E>,
    effect: Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E, R>
  /** A pause that a restart does not begin anew. */
  readonly sleep: (name: string, duration: Duration.Input) => Effect.Effect<void>
  /**
   * Waits for the signal; gives its value, or nothing when the time is over. A signal that came before anybody waited is
   * kept for the first who does.
   */
  readonly awaitSignal: (name: string, awaited: Awaited) => Effect.Effect<Option.Option<string>>
  /** Wakes whoever waits for the key, in whatever process. A hint: it may come twice, late, or get lost. */
  readonly signal: (key: string, value?: string) => Effect.Effect<void>
  /**
   * Whether a run before has come to this step, pause or wait. What a flow does otherwise than its version before did, it does
   * only where that one had not come past it.
   */
  readonly isRecorded: (name: string) => Effect.Effect<boolean>
  /** Runs when the flow has come to its end; not when it only pauses, or its process ends. */
  readonly addFinalizer: <R>(
    finalizer: (exit: Exit.Exit<unknown, unknown>) => Effect.Effect<void, never, R>
  ) => Effect.Effect<void, never, R | Scope.Scope>
}

/** Signals that nobody awaited are kept, so many at most; the oldest give way. */
const mostKept = 10_000

/** A port in memory of its own: nothing is recorded, and an end of the process is the end of its flows. */
export const makeMemory = (): Shape => {
  const kept = new Map<string, string>()
  const waiting = new Map<string, Set<(value: string) => void>>()

  const keep = (key: string, value: string): void => {
    kept.delete(key)
    kept.set(key, value)
    const [oldest] = kept.keys()
    if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest)
  }

  const arrival = (key: string): Effect.Effect<string> =>
    Effect.callback((resume) => {
      const value = kept.get(key)
      if (value !== undefined) {
        kept.delete(key)
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
    run: "",
    step: (_name, _schemas, effect) => effect,
    sleep: (_name, duration) => Effect.sleep(duration),
    awaitSignal: (_name, { key, timeout }) => Effect.timeoutOption(arrival(key), timeout),
    signal: (key, value = "") =>
      Effect.sync(() => {
        const waiters = waiting.get(key)
        if (waiters === undefined) return keep(key, value)
        waiting.delete(key)
        for (const wake of waiters) wake(value)
      }),
    isRecorded: () => Effect.succeed(false),
    addFinalizer: (finalizer) => Effect.addFinalizer(finalizer)
  }
}

/** The port of the running program; in memory unless another one is provided. */
export const Steps = Context.Reference<Shape>("@pay/flows/Steps", { defaultValue: makeMemory })

/** {@link Shape.step} of the running program. */
export const step = <A, E, R>(
  name: string,
  schemas: Schemas<A, E>,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> => Effect.flatMap(Steps, (steps) => steps.step(name, schemas, effect))

/**
 * For what is not safe to repeat: carried out once at most. Where another run may have done it and left no record,
 * `instead` is recorded.
 */
export const stepOnce = Effect.fnUntraced(function* <A, E, R>(
  name: string,
  schemas: Schemas<A, E>,
  effect: Effect.Effect<A, E, R>,
  instead: Effect.Effect<A, E, R>
) {
  const { run } = yield* Steps
  const begunBy = yield* step(`${name} begun`, { success: Schema.String, error: Schema.Never }, Effect.succeed(run))
  return yield* step(name, schemas, begunBy === run ? effect : instead)
})

/** {@link Shape.sleep} of the running program. */
export const sleep = (name: string, duration: Duration.Input): Effect.Effect<void> =>
  Effect.flatMap(Steps, (steps) => steps.sleep(name, duration))

/** {@link Shape.awaitSignal} of the running program. */
export const awaitSignal = (name: string, awaited: Awaited): Effect.Effect<Option.Option<string>> =>
  Effect.flatMap(Steps, (steps) => steps.awaitSignal(name, awaited))

/** {@link Shape.isRecorded} of the running program. */
export const isRecorded = (name: string): Effect.Effect<boolean> =>
  Effect.flatMap(Steps, (steps) => steps.isRecorded(name))

/** {@link Shape.signal} of the running program. */
export const signal = (key: string, value?: string): Effect.Effect<void> =>
  Effect.flatMap(Steps, (steps) => steps.signal(key, value))

/**
 * The port as a flow of that name inside another one sees it: its steps do not mix with those around it, nor with those of
 * an earlier turn of its own.
 */
export const within = (steps: Shape, flow: string, workflowId: string, turn = 1): Shape => {
  if (steps.workflowId === "") return { ...steps, workflowId }
  const start = `${flow}(${workflowId})${turn === 1 ? "" : ` ${turn}`}`
  const inner = (name: string) => `${start}/${name}`
  return {
    ...steps,
    workflowId,
    step: (name, schemas, effect) => steps.step(inner(name), schemas, effect),
    sleep: (name, duration) => steps.sleep(inner(name), duration),
    awaitSignal: (name, awaited) => steps.awaitSignal(inner(name), awaited),
    isRecorded: (name) => steps.isRecorded(inner(name))
  }
}
