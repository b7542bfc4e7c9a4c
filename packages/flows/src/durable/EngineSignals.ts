/**
 * Pauses and signals on any workflow engine of Effect, also between runners. A wait is one deferred that either a signal or its clock
 * completes. An execution numbers its waits for a key, so that a signal completes the first open one. The listeners of a key, and
 * the one signal that arrived before there was a listener, are stored in the engine, too: as deferreds of an execution that has
 * the key as its id and never runs.
 */
import { Cause, Duration, Effect, Layer, Option, Result, Schema } from "effect"
import { Activity, DurableClock, DurableDeferred, Workflow, WorkflowEngine } from "effect/workflow"
import * as ClusterFlow from "./ClusterFlow.ts"
import { notKept, Signals } from "./Signals.ts"
import type * as ValueEncoding from "./ValueEncoding.ts"

const named = (name: string) => Workflow.make(name, { payload: {}, idempotencyKey: () => "" })
/** The workflow that owns the deferreds of keys. It is never executed. */
const Listeners = named("Listeners")

/** The workflow that owns the turns of orders, an execution for each order. It is never executed. */
const OrderTurns = named("OrderTurns")
const turnEntry = (entry: string) => DurableDeferred.make(entry, { success: Schema.Json })

const Listener = Schema.Struct({ workflowName: Schema.String, executionId: Schema.String })
const isSame = Schema.toEquivalence(Listener)
const listener = (count: number) => DurableDeferred.make(`listener ${count}`, { success: Listener })

const clock = (key: string, count: number, duration: Duration.Input = 0) =>
  DurableClock.make({ name: `Signal/${count}/${key}`, duration })

/** Returns the key of the signal that the clock waits for, or `undefined` if it is the clock of a pause. */
export const keyOfClock = (name: string): string | undefined => /^Signal\/\d+\/(.*)$/s.exec(name)?.[1]

/** Returns the deferred of one wait. The clock completes it with null. */
const answerOf = (key: string, count: number) =>
  DurableDeferred.make(clock(key, count).deferred.name, { success: Schema.Json })

const placeOf = (key: string): string => `signal/${key}`

const make = (encoding: ValueEncoding.ValueEncoding) =>
  Effect.gen(function* () {
    const engine = yield* WorkflowEngine.WorkflowEngine

    /** Reads a deferred of any execution. */
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

    /** Completes a deferred. Only its first completion has an effect. */
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

    /** Completes the first open wait of an execution for the key. */
    const deliver = Effect.fnUntraced(function* (key: string, place: typeof Listener.Type, encoded: Schema.Json) {
      let count = 1
      while (Option.isSome(yield* result(answerOf(key, count), place))) count += 1
      yield* complete(answerOf(key, count), place, encoded)
    })

    /** Registers the execution as a listener of the key, once. The listener gets the signal that was kept for the next one. */
    const listen = Effect.fnUntraced(function* (key: string, self: typeof Listener.Type) {
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
    const hasEnded = ({ executionId, workflowName }: typeof Listener.Type) =>
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

    /** Begins the wait of the running execution for a deferred, which the clock completes in the end. Returns its value if it is over. */
    const begun = Effect.fnUntraced(function* <S extends Schema.Codec<unknown, unknown>>(
      deferred: DurableDeferred.DurableDeferred<S>,
      ringing: DurableClock.DurableClock
    ) {
      const { awaitedDeferreds, executionId, workflow } = yield* WorkflowEngine.WorkflowInstance
      const match = yield* engine.deferredResult(deferred)
      if (Option.isSome(match)) return Result.succeed(yield* match.value)
      yield* engine.scheduleClock(workflow, { executionId, clock: ringing })
      let watched = 0
      const watch = (change: 1 | -1) => {
        watched += change
        awaitedDeferreds.set(deferred.name, (awaitedDeferreds.get(deferred.name) ?? 0) + change)
      }
      return Result.fail({
        watch: Effect.suspend(() => {
          watch(1)
          return Effect.map(engine.deferredResult(deferred), Option.isSome)
        }),
        unwatch: Effect.sync(() => {
          if (watched > 0) watch(-1)
          if (awaitedDeferreds.get(deferred.name) === 0) awaitedDeferreds.delete(deferred.name)
        }),
        value: DurableDeferred.await(deferred)
      })
    })

    const turnsOf = (order: string) => ({
      workflowName: OrderTurns._tag,
      executionId: ClusterFlow.storedIdOf(order)
    })
    const readTurn = (order: string, entry: string) =>
      Effect.map(
        result(turnEntry(entry), turnsOf(order)),
        Option.map((stored) => String(encoding.decode(stored, `${order}/${entry}`)))
      )
    const writeTurn = Effect.fnUntraced(function* (order: string, entry: string, text: string) {
      yield* complete(turnEntry(entry), turnsOf(order), encoding.encode(text, `${order}/${entry}`))
      // The first completion counts, also if that of another runner was stored in the meantime.
      const written = yield* readTurn(order, entry)
      return Option.getOrThrowWith(written, () => new Error(`${entry} of ${order} was not stored`))
    })

    return Signals.of({
      turns: {
        read: readTurn,
        write: writeTurn,
        hasEnded: ({ flow, id }) => hasEnded({ workflowName: flow, executionId: id })
      },
      // The engines of Effect do not report it, and they do not refuse a flow that takes other steps than its earlier run.
      isRecorded: () => Effect.succeed(false),
      sleep: (name, duration, order) =>
        Duration.isZero(Duration.fromInputUnsafe(duration))
          ? Effect.void
          : order.waited(
              name,
              Effect.suspend(() => {
                const pause = DurableClock.make({ name, duration })
                return begun(pause.deferred, pause)
              })
            ),
      awaitSignal: Effect.fnUntraced(function* (name, { key, timeout }, order) {
        const value = yield* order.waited(
          name,
          Effect.gen(function* () {
            const run = yield* WorkflowEngine.WorkflowInstance
            const self = { workflowName: run.workflow._tag, executionId: run.executionId }
            yield* Activity.make({ name: `listen ${key}`, execute: listen(key, self) })
            const count = next(run, key)
            return yield* begun(answerOf(key, count), clock(key, count, timeout))
          })
        )
        return Option.map(Option.fromNullOr(value), (stored) => String(encoding.decode(stored, placeOf(key))))
      }),
      // The engines of Effect die if their storage fails.
      signal: (key, value) =>
        Effect.catchCause(signal(key, value), (cause) =>
          Cause.hasInterruptsOnly(cause) ? Effect.interrupt : Effect.fail(notKept(key, String(Cause.squash(cause))))
        )
    })
  })

export const layer = (
  encoding: ValueEncoding.ValueEncoding
): Layer.Layer<Signals, never, WorkflowEngine.WorkflowEngine> =>
  Layer.effect(Signals, make(encoding)).pipe(
    Layer.provideMerge(
      Layer.merge(
        Listeners.toLayer(() => Effect.void),
        OrderTurns.toLayer(() => Effect.void)
      )
    )
  )
