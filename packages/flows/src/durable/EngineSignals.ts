/**
 * Pauses and signals on any workflow engine of Effect, also between runners. A wait is one deferred that either a signal or its clock
 * completes. An execution numbers its waits for a key, so that a signal completes the first open one. The listeners of a key, and
 * the one signal that arrived before there was a listener, are stored in the engine, too: as deferreds of an execution that has
 * the key as its id and never runs.
 */
import { Cause, Duration, Effect, Layer, Option, Schema } from "effect"
import { Activity, DurableClock, DurableDeferred, WorkflowEngine } from "effect/workflow"
import * as ClusterFlow from "./ClusterFlow.ts"
import * as EngineDeferreds from "./EngineDeferreds.ts"
import * as SignalListeners from "./SignalListeners.ts"
import { notKept, Signals } from "./Signals.ts"
import type * as ValueEncoding from "./ValueEncoding.ts"

/** The workflow that owns the turns of orders, an execution for each order. It is never executed. */
const OrderTurns = EngineDeferreds.named("OrderTurns")
const turnEntry = (entry: string) => DurableDeferred.make(entry, { success: Schema.Json })

const make = (encoding: ValueEncoding.ValueEncoding) =>
  Effect.gen(function* () {
    const { begun, result, complete } = yield* EngineDeferreds.make
    const { hasEnded, listen, next, signal } = yield* SignalListeners.make(encoding)

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
            return yield* begun(SignalListeners.answerOf(key, count), SignalListeners.clock(key, count, timeout))
          })
        )
        return Option.map(Option.fromNullOr(value), (stored) =>
          String(encoding.decode(stored, SignalListeners.placeOf(key)))
        )
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
        SignalListeners.Listeners.toLayer(() => Effect.void),
        OrderTurns.toLayer(() => Effect.void)
      )
    )
  )
