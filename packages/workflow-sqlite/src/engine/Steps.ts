/** The steps and waits of an execution. A recorded one is replayed from the journal, a new one is executed and recorded. */

import type { Statements } from "@pay/sqlite/Database"
import { Cause, Clock, Duration, Effect, Exit, Option, Schema } from "effect"
import { type Activity, type DurableClock, DurableDeferred, Workflow, WorkflowEngine } from "effect/workflow"
import type { StorageError } from "../Executions.ts"
import { boundOf, type Core, commit, commitReady } from "./Core.ts"
import * as Records from "./Records.ts"
import { inTurn, quiet, until } from "./ReplayOrder.ts"
import type { Run } from "./Run.ts"
import * as Waits from "./Waits.ts"

/** Starts an execution, once per id. */
export const begin = Effect.fnUntraced(function* (
  core: Core,
  workflow: Workflow.Any,
  id: string,
  payload: Schema.Json,
  ignores: ReadonlyArray<string> = []
): Effect.fn.Return<Records.StartedExecution, StorageError> {
  const beginning = {
    id,
    workflow: workflow._tag,
    payload: core.encoding.write(payload, boundOf(id, "payload")),
    fingerprint: core.encoding.fingerprint(without(payload, ignores)),
    nowMs: yield* Clock.currentTimeMillis
  }
  return yield* core.dispatcher.announce(commit(core, (db) => Records.begin(db, core.places, beginning)))
})

/** Returns the payload without the names that are ignored when payloads are compared. */
export const without = (payload: Schema.Json, names: ReadonlyArray<string>): unknown =>
  names.length > 0 && typeof payload === "object" && payload !== null
    ? Object.fromEntries(Object.entries(payload).filter(([name]) => !names.includes(name)))
    : payload

/** Waits for the end of a run that was stopped. A finalizer ends there, too, although it is not interruptible. */
const stopped: Effect.Effect<never> = Effect.interruptible(Effect.never)

/** Ends a run because the database failed. The execution runs again from what is stored. */
export const lose = (run: Run, error: StorageError): Effect.Effect<never> =>
  Effect.suspend(() => {
    run.lost = error
    run.stop()
    return stopped
  })

/** Makes the execution stuck if the definition no longer requests all recorded entries. */
const onPath = Effect.fnUntraced(function* (run: Run, entry: string) {
  if (run.unrequestedCount === 0 || run.instance.interrupted) return
  yield* until(run, () => run.unrequestedCount === 0)
  if (run.unrequestedCount === 0) return
  run.failure = Cause.die(run.changed(entry))
  run.stop()
  return yield* stopped
})

export const runOf = (core: Core, executionId: string): Effect.Effect<Run> =>
  Effect.suspend(() => {
    const run = core.runs.get(executionId)
    return run === undefined ? Effect.die(`${executionId} does not run here`) : Effect.succeed(run)
  })

/** Whether the running execution has requested an activity, a clock or a signal with this name. */
export const hasRequested = Effect.fnUntraced(function* (core: Core, name: string) {
  const { executionId } = yield* WorkflowEngine.WorkflowInstance
  return (yield* runOf(core, executionId)).hasRequested(name)
})

const markClosing = (db: Statements, run: Run | undefined, entry: string): void => {
  if (run?.isClosing) Records.record(db, run.id, Records.entryOf.closing(entry), "true")
}

export const activity = Effect.fnUntraced(function* (
  core: Core,
  the: Activity.Any,
  attempt: number
): Effect.fn.Return<Workflow.Result<unknown, unknown>, never, WorkflowEngine.WorkflowInstance> {
  const instance = yield* WorkflowEngine.WorkflowInstance
  const run = yield* runOf(core, instance.executionId)
  const entry = Records.entryOf.activity(the.name, attempt)
  const bound = boundOf(run.id, entry)
  const input = run.request(entry)
  if (input !== undefined) {
    yield* inTurn(run, entry)
    return new Workflow.Complete({ exit: core.encoding.activity.read(input, bound) })
  }
  // An execution that is about to be interrupted runs only to register its compensations. It starts no new activity.
  if (run.interrupt !== Records.interrupts.none && !instance.interrupted) return new Workflow.Suspended({})
  yield* onPath(run, entry)
  core.statistics.activities += 1
  const requestedPlace = run.recordedCount
  const own = WorkflowEngine.WorkflowInstance.initial(instance.workflow, run.id, {
    awaitedDeferreds: run.activityAwaits
  })
  own.interrupted = instance.interrupted
  const result = yield* Workflow.intoResult<unknown, unknown, WorkflowEngine.WorkflowInstance>(the.executeEncoded).pipe(
    Effect.provideService(WorkflowEngine.WorkflowInstance, own)
  )
  if (result._tag === "Complete") {
    const value = core.encoding.activity.write(result.exit, bound)
    yield* Effect.catch(
      commit(core, (db) => {
        markClosing(db, run, entry)
        return Records.record(db, run.id, entry, value, requestedPlace)
      }),
      (error) => lose(run, error)
    )
    run.know(entry, value)
  }
  return result
})

export const deferredResult = Effect.fnUntraced(function* (
  core: Core,
  name: string
): Effect.fn.Return<Option.Option<Exit.Exit<unknown, unknown>>, never, WorkflowEngine.WorkflowInstance> {
  const { executionId } = yield* WorkflowEngine.WorkflowInstance
  const run = yield* runOf(core, executionId)
  const entry = Records.entryOf.deferred(name)
  let input = run.request(entry)
  if (input === undefined) {
    yield* Effect.catch(
      core.database.read((db) => run.refresh(db)),
      (error) => lose(run, error)
    )
    input = run.request(entry)
  }
  if (input === undefined) {
    yield* quiet(run)
    return Option.none()
  }
  yield* inTurn(run, entry)
  return Option.some(core.encoding.deferred.read(input, boundOf(executionId, entry)))
})

export const deferredDone = Effect.fnUntraced(function* (
  core: Core,
  executionId: string,
  name: string,
  exit: Exit.Exit<unknown, unknown>
): Effect.fn.Return<void, StorageError> {
  const entry = Records.entryOf.deferred(name)
  const value = core.encoding.deferred.write(exit, boundOf(executionId, entry))
  const caller = yield* Effect.serviceOption(WorkflowEngine.WorkflowInstance)
  const run = Option.isSome(caller) && caller.value.executionId === executionId ? core.runs.get(executionId) : undefined
  if (run !== undefined && !run.instance.awaitedDeferreds.has(name) && !run.activityAwaits.has(name)) {
    // No fiber of this run waits for the deferred. The run reads its value when it requests it.
    const first = yield* Effect.catch(
      commit(core, (db) => Records.record(db, executionId, entry, value)),
      (error) => lose(run, error)
    )
    if (first) run.know(entry, value)
    return
  }
  yield* commitReady(core, (db) => Records.complete(db, core.places, executionId, name, value))
  yield* preempt(core, [{ execution: executionId, deferred: name }])
})

/**
 * Ends runs that wait for a deferred that has just been completed; the next run reads its value. A run that already has the
 * value continues.
 */
const preempt = (core: Core, places: ReadonlyArray<Waits.Place>): Effect.Effect<void> =>
  Effect.forEach(
    places,
    ({ deferred, execution }) =>
      core.runs.get(execution)?.knows(Records.entryOf.deferred(deferred)) === false
        ? Effect.forkIn(core.deferreds.deferredDone(execution, deferred), core.scope, { startImmediately: true })
        : Effect.void,
    { discard: true }
  )

/** Sets the clock that completes the deferred when its time is over. A replay does not set it again. */
const setClock = Effect.fnUntraced(function* (
  core: Core,
  executionId: string,
  deferred: string,
  duration: Duration.Duration,
  set: (db: Statements, wait: { readonly dueAtMs: number; readonly requestedPlace: number | null }) => void
): Effect.fn.Return<void, StorageError> {
  const run = core.runs.get(executionId)
  const entry = Records.entryOf.deferred(deferred)
  if (run?.requestClock(entry)) return
  if (run !== undefined) yield* onPath(run, entry)
  const requestedPlace = run?.recordedCount ?? null
  const dueAtMs = (yield* Clock.currentTimeMillis) + Duration.toMillis(duration)
  const commitment = commit(core, (db) => {
    markClosing(db, run, entry)
    set(db, { dueAtMs, requestedPlace })
  })
  // After a failed commit, too: it may have happened, and the next run does not set a clock that is there.
  const written = Effect.onExit(commitment, () => Effect.sync(() => core.dispatcher.due(dueAtMs)))
  yield* run === undefined ? written : Effect.catch(written, (error) => lose(run, error))
  run?.knowClock(entry)
})

export const scheduleClock = (core: Core, execution: string, { duration, name }: DurableClock.DurableClock) => {
  const deferred = Waits.clockDeferred(name)
  return setClock(core, execution, deferred, duration, (db, wait) =>
    Waits.schedule(db, { execution, deferred, ...wait })
  )
}

/** Highest number of clocks that are completed in one commit. */
const ringAtOnce = 256

/** Returns the value of a deferred whose time is over. */
const nothing =
  (core: Core) =>
  ({ deferred, execution }: Waits.Place) =>
    core.encoding.deferred.write(Exit.void, boundOf(execution, Records.entryOf.deferred(deferred)))

export const ring = Effect.fnUntraced(function* (core: Core, nowMs: number): Effect.fn.Return<void, StorageError> {
  core.statistics.ticks += 1
  const { rung } = yield* core.dispatcher.announce(
    commit(core, (db) => Waits.ring(db, core.places, { nowMs, limit: ringAtOnce, value: nothing(core) }))
  )
  yield* preempt(core, rung)
})

/** Waits for the next signal under the key, or takes the one that is kept. Returns `None` when the time is over. */
export const awaitSignal = Effect.fnUntraced(function* (
  core: Core,
  { key, name, timeout }: { readonly key: string; readonly name: string; readonly timeout: Duration.Input }
) {
  const { executionId: execution } = yield* WorkflowEngine.WorkflowInstance
  const deferred = Waits.signalDeferred(name)
  const bound = boundOf(execution, Records.entryOf.deferred(deferred))
  const value = (kept: Records.Stored) =>
    core.encoding.deferred.write(Exit.succeed(core.encoding.read(kept, signalBound(key))), bound)
  yield* Effect.orDie(
    setClock(core, execution, deferred, Duration.fromInputUnsafe(timeout), (db, wait) =>
      Waits.listen(db, { execution, deferred, key, ...wait }, value)
    )
  )
  return Option.fromNullOr(yield* DurableDeferred.await(DurableDeferred.make(deferred, signalSchema)))
})

const signalSchema = { success: Schema.NullOr(Schema.String) }

const signalBound = (key: string): string => `signal/${key}`

export const signal = Effect.fnUntraced(function* (
  core: Core,
  key: string,
  value: string
): Effect.fn.Return<void, StorageError> {
  const exit = Exit.succeed(value)
  const kept = core.encoding.write(value, signalBound(key))
  const { listeners: signalSchema } = yield* core.dispatcher.announce(
    commit(core, (db) =>
      Waits.signal(db, core.places, {
        key,
        kept,
        value: ({ deferred, execution }) =>
          core.encoding.deferred.write(exit, boundOf(execution, Records.entryOf.deferred(deferred)))
      })
    )
  )
  yield* preempt(core, signalSchema)
})
