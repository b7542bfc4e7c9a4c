/**
 * The listeners of a key, and the signals for them. Both are stored in the engine: as deferreds of an execution that has the key as
 * its id and never runs.
 */
import { type Duration, Effect, Option, Schema } from "effect"
import { DurableClock, DurableDeferred, WorkflowEngine } from "effect/workflow"
import * as ClusterFlow from "./ClusterFlow.ts"
import * as EngineDeferreds from "./EngineDeferreds.ts"
import type * as ValueEncoding from "./ValueEncoding.ts"

/** The workflow that owns the deferreds of keys. It is never executed. */
export const Listeners = EngineDeferreds.named("Listeners")

const Listener = Schema.Struct({ workflowName: Schema.String, executionId: Schema.String })
const isSame = Schema.toEquivalence(Listener)
const listener = (count: number) => DurableDeferred.make(`listener ${count}`, { success: Listener })

export const clock = (key: string, count: number, duration: Duration.Input = 0) =>
  DurableClock.make({ name: `Signal/${count}/${key}`, duration })

/** Returns the key of the signal that the clock waits for, or `undefined` if it is the clock of a pause. */
export const keyOfClock = (name: string): string | undefined => /^Signal\/\d+\/(.*)$/s.exec(name)?.[1]

/** Returns the deferred of one wait. The clock completes it with null. */
export const answerOf = (key: string, count: number) =>
  DurableDeferred.make(clock(key, count).deferred.name, { success: Schema.Json })

export const placeOf = (key: string): string => `signal/${key}`

export const make = Effect.fnUntraced(function* (encoding: ValueEncoding.ValueEncoding) {
  const engine = yield* WorkflowEngine.WorkflowEngine
  const { complete, result } = yield* EngineDeferreds.make

  const listenersOf = (key: string) => ({ workflowName: Listeners._tag, executionId: key })

  /** Completes the first open wait of an execution for the key. */
  const deliver = Effect.fnUntraced(function* (key: string, place: EngineDeferreds.Place, encoded: Schema.Json) {
    let count = 1
    while (Option.isSome(yield* result(answerOf(key, count), place))) count += 1
    yield* complete(answerOf(key, count), place, encoded)
  })

  /** Registers the execution as a listener of the key, once. The listener gets the signal that was kept for the next one. */
  const listen = Effect.fnUntraced(function* (key: string, self: EngineDeferreds.Place) {
    const entries = listenersOf(key)
    for (let count = 1; ; ) {
      const existing = yield* result(listener(count), entries)
      if (Option.isNone(existing)) yield* complete(listener(count), entries, self)
      else if (!isSame(existing.value, self)) count += 1
      else {
        const earlierSignal = yield* result(answerOf(key, count), entries)
        if (Option.isSome(earlierSignal)) yield* deliver(key, self, earlierSignal.value)
        return
      }
    }
  })

  /** Whether the execution has ended, so that it will never wait again. */
  const hasEnded = ({ executionId, workflowName }: EngineDeferreds.Place) =>
    Effect.map(engine.poll(ClusterFlow.workflowOf({ name: workflowName }), executionId), (polled) =>
      Option.isSome(polled) ? polled.value._tag === "Complete" : false
    )

  /** Delivers the signal to the listeners that have not ended. Returns the number that the next listener gets if there is none. */
  const notify = Effect.fnUntraced(function* (key: string, encoded: Schema.Json) {
    let isDelivered = false
    for (let count = 1; ; count += 1) {
      const existing = yield* result(listener(count), listenersOf(key))
      if (Option.isNone(existing)) return isDelivered ? undefined : count
      // An earlier attempt, which has ended, may have listened. Its signal is the next one's.
      if (yield* hasEnded(existing.value)) continue
      yield* deliver(key, existing.value, encoded)
      isDelivered = true
    }
  })

  const signal = Effect.fnUntraced(function* (key: string, value: string) {
    const encoded = encoding.encode(value, placeOf(key))
    const next = yield* notify(key, encoded)
    if (next === undefined) return
    yield* complete(answerOf(key, next), listenersOf(key), encoded)
    // A flow that began to listen in the meantime may have looked before the value was stored.
    yield* notify(key, encoded)
  })

  /** The number of waits of each run for each key. A new run of an execution counts from the beginning. */
  const counts = new WeakMap<object, Map<string, number>>()
  const next = (run: object, key: string): number => {
    const entries = counts.get(run) ?? new Map<string, number>()
    const count = (entries.get(key) ?? 0) + 1
    counts.set(run, entries.set(key, count))
    return count
  }

  return { hasEnded, listen, next, signal }
})
