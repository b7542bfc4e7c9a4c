/**
 * Signals on any workflow engine of Effect, between runners too. A wait is one deferred that a signal completes, or its
 * clock, whichever is first; an execution counts its waits for a key, so whoever signals finds the first that nobody has
 * completed. Who listens to a key, and the one signal that came before anybody did, stand with the engine too: as
 * deferreds of an execution of the key's name that never runs.
 */
import { type Duration, Effect, Layer, Option, Schema } from "effect"
import { Activity, DurableClock, DurableDeferred, Workflow, WorkflowEngine } from "effect/workflow"
import type * as Sealing from "./Sealing.ts"
import { Signals } from "./Signals.ts"

const named = (name: string) => Workflow.make(name, { payload: {}, idempotencyKey: () => "" })
/** Never begun: the engine only has to know where its deferreds belong. */
const Listeners = named("Listeners")

const Listener = Schema.Struct({ workflowName: Schema.String, executionId: Schema.String })
const isSame = Schema.toEquivalence(Listener)
const listener = (count: number) => DurableDeferred.make(`listener ${count}`, { success: Listener })

const clock = (key: string, count: number, duration: Duration.Input = 0) =>
  DurableClock.make({ name: `${key} ${count}`, duration })
/** What the clock completes it with is null. */
const answerOf = (key: string, count: number) =>
  DurableDeferred.make(clock(key, count).deferred.name, { success: Schema.Json })

const placeOf = (key: string): string => `signal/${key}`

const make = (sealing: Sealing.Sealing) =>
  Effect.gen(function* () {
    const engine = yield* WorkflowEngine.WorkflowEngine

    /** A deferred of whatever execution. */
    const result = <S extends Schema.Codec<unknown, unknown>>(
      deferred: DurableDeferred.DurableDeferred<S>,
      { executionId, workflowName }: typeof Listener.Type
    ) =>
      engine.deferredResult(deferred).pipe(
        Effect.provideService(
          WorkflowEngine.WorkflowInstance,
          WorkflowEngine.WorkflowInstance.initial(named(workflowName), executionId)
        ),
        Effect.flatMap((match) => (Option.isSome(match) ? Effect.asSome(match.value) : Effect.succeedNone))
      )

    /** The first completion of a deferred counts. */
    const complete = <S extends Schema.Codec<unknown, unknown>>(
      deferred: DurableDeferred.DurableDeferred<S>,
      place: typeof Listener.Type,
      value: S["Type"]
    ) =>
      DurableDeferred.succeed(deferred, {
        token: new DurableDeferred.TokenParsed({ ...place, deferredName: deferred.name }).asToken,
        value
      }).pipe(Effect.provideService(WorkflowEngine.WorkflowEngine, engine))

    const listenersOf = (key: string) => ({ workflowName: Listeners._tag, executionId: key })

    /** Completes the first wait for the key that nobody has completed. */
    const deliver = Effect.fnUntraced(function* (key: string, place: typeof Listener.Type, sealed: Schema.Json) {
      let count = 1
      while (Option.isSome(yield* result(answerOf(key, count), place))) count += 1
      yield* complete(answerOf(key, count), place, sealed)
    })

    /** Takes the first place that is free, once; the first of all gets what was kept. */
    const listen = Effect.fnUntraced(function* (key: string, self: typeof Listener.Type) {
      const entries = listenersOf(key)
      for (let count = 1; ; ) {
        const there = yield* result(listener(count), entries)
        if (Option.isNone(there)) yield* complete(listener(count), entries, self)
        else if (!isSame(there.value, self)) count += 1
        else {
          const kept = count === 1 ? yield* result(answerOf(key, 1), entries) : Option.none()
          if (Option.isSome(kept)) yield* deliver(key, self, kept.value)
          return
        }
      }
    })

    const tell = Effect.fnUntraced(function* (key: string, sealed: Schema.Json) {
      for (let count = 1; ; count += 1) {
        const there = yield* result(listener(count), listenersOf(key))
        if (Option.isNone(there)) return count > 1
        yield* deliver(key, there.value, sealed)
      }
    })

    const signal = Effect.fnUntraced(function* (key: string, value: string) {
      const sealed = sealing.close(value, placeOf(key))
      if (yield* tell(key, sealed)) return
      yield* complete(answerOf(key, 1), listenersOf(key), sealed)
      // A flow that began to listen in the meantime may have looked before the value was stored.
      yield* tell(key, sealed)
    })

    /** How often each run has waited for which key so far: a run begins anew, and so does its count. */
    const counts = new WeakMap<object, Map<string, number>>()
    const next = (run: object, key: string): number => {
      const entries = counts.get(run) ?? new Map<string, number>()
      const count = (entries.get(key) ?? 0) + 1
      counts.set(run, entries.set(key, count))
      return count
    }

    return Signals.of({
      // No engine tells it; and none refuses a flow that goes another way than before.
      isRecorded: () => Effect.succeed(false),
      awaitSignal: Effect.fnUntraced(function* (_name, { key, timeout }) {
        const run = yield* WorkflowEngine.WorkflowInstance
        const { executionId, workflow } = run
        const self = { workflowName: workflow._tag, executionId }
        yield* Activity.make({ name: `listen ${key}`, execute: listen(key, self) })
        const count = next(run, key)
        if (Option.isNone(yield* engine.deferredResult(answerOf(key, count)))) {
          yield* engine.scheduleClock(workflow, { executionId, clock: clock(key, count, timeout) })
        }
        const value = Option.fromNullOr(yield* DurableDeferred.await(answerOf(key, count)))
        return Option.map(value, (stored) => String(sealing.open(stored, placeOf(key))))
      }),
      // A hint: who awaits it asks by itself when its time is over.
      signal: (key, value) => Effect.ignoreCause(signal(key, value), { log: "Warn" })
    })
  })

export const layer = (sealing: Sealing.Sealing): Layer.Layer<Signals, never, WorkflowEngine.WorkflowEngine> =>
  Layer.effect(Signals, make(sealing)).pipe(Layer.provideMerge(Listeners.toLayer(() => Effect.void)))
