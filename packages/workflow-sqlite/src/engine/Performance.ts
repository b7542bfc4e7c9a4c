/** Runs an execution until it ends or has to wait, and stores which of the two happened. */
import { Cause, Clock, Context, Effect, Exit, Fiber, Option, Schema, Scope } from "effect"
import { Workflow, WorkflowEngine } from "effect/workflow"
import type { StorageError } from "../Executions.ts"
import { boundOf, type Core, codecsOf, commitReady, notify } from "./Core.ts"
import * as Records from "./Records.ts"
import { Run } from "./Run.ts"

export interface Definition {
  readonly workflow: Workflow.Any
  readonly execute: (
    payload: object,
    executionId: string
  ) => Effect.Effect<unknown, unknown, WorkflowEngine.WorkflowInstance | WorkflowEngine.WorkflowEngine>
}

export const perform =
  (core: Core, engine: WorkflowEngine.WorkflowEngine["Service"], definition: Definition) =>
  (row: Records.Row): Effect.Effect<void> =>
    Effect.gen(function* () {
      const run = yield* core.database.read((db) => new Run(row, definition.workflow, db))
      core.runs.set(row.id, run)
      core.statistics.runs += 1
      yield* carryOut(core, engine, definition, run, row)
      yield* end(core, definition, run)
    }).pipe(
      Effect.catchCause((cause) => (Cause.hasInterruptsOnly(cause) ? Effect.interrupt : later(core, row.id, cause))),
      Effect.ensuring(Effect.sync(() => core.runs.delete(row.id)))
    )

/**
 * Runs the execution again after a failure of the database, which its callers get: after some time, or when the next caller comes. Its
 * stored state has not changed.
 */
const later = (core: Core, id: string, cause: Cause.Cause<StorageError>) => {
  const nextCaller = Effect.callback<void>((resume) => {
    core.postponed.set(id, () => resume(Effect.void))
    const error = Cause.findErrorOption(cause)
    if (Option.isSome(error)) notify(core, id, Exit.fail(error.value))
    return Effect.sync(() => core.postponed.delete(id))
  })
  return Effect.logWarning("A workflow could not be written down; it is run again", cause).pipe(
    Effect.annotateLogs({ executionId: id }),
    Effect.andThen(Effect.raceFirst(nextCaller, Effect.sleep(core.tickMs))),
    Effect.ensuring(Effect.sync(() => core.postponed.delete(id))),
    Effect.andThen(Effect.sync(() => core.dispatcher.again(id)))
  )
}

const carryOut = Effect.fnUntraced(function* (
  core: Core,
  engine: WorkflowEngine.WorkflowEngine["Service"],
  { execute, workflow }: Definition,
  run: Run,
  row: Records.Row
) {
  const payload = yield* Effect.exit(
    Effect.suspend(() =>
      Schema.decodeUnknownEffect(codecsOf(workflow).payload)(
        core.encoding.read(row.payload, boundOf(row.id, "payload"))
      )
    )
  )
  if (Exit.isFailure(payload)) {
    run.failure = payload.cause
    return
  }
  run.fiber = yield* execute(payload.value, row.id).pipe(
    Effect.onExit((exit) => afterBody(run, exit)),
    Workflow.intoResult,
    Effect.onExit((exit) =>
      Effect.sync(() => {
        run.exit = exit
      })
    ),
    Effect.provideService(WorkflowEngine.WorkflowEngine, engine),
    (effect) => core.deferreds.trackRun(run.instance, effect),
    Effect.forkChild
  )
  const { fiber } = run
  yield* Effect.onInterrupt(Fiber.await(fiber), () => Fiber.interrupt(fiber))
})

/**
 * Runs after the workflow's body and before its finalizers. Decides whether the execution ends here, and whether it
 * ends by interruption.
 */
const afterBody = (run: Run, exit: Exit.Exit<unknown, unknown>): Effect.Effect<void> => {
  const { instance } = run
  const interrupted = Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause)
  if (run.unrequestedCount > 0 && run.strict && !interrupted && run.interrupt === Records.interrupts.none) {
    run.failure = Cause.die(run.changed())
    instance.abandoned = true
    return Effect.void
  }
  // A requested interruption takes effect where the run would wait; an unsafe one also where it would end.
  if (
    run.interrupt === Records.interrupts.none ||
    run.lost !== undefined ||
    run.failure !== undefined ||
    (run.interrupt !== Records.interrupts.unsafe &&
      !instance.suspended &&
      !(Context.get(instance.workflow.annotations, Workflow.SuspendOnFailure) && Exit.isFailure(exit)))
  ) {
    run.isClosing = !instance.suspended
    return Effect.void
  }
  instance.interrupted = true
  instance.suspended = false
  return Effect.withFiber((fiber) => Effect.interruptible(Fiber.interrupt(fiber)))
}

const end = Effect.fnUntraced(function* (
  core: Core,
  { workflow }: Definition,
  run: Run
): Effect.fn.Return<void, StorageError> {
  const { exit, instance } = run
  if (run.lost !== undefined) return yield* run.lost
  if (run.failure !== undefined) return yield* pause(core, run, "stuck", run.failure)
  if (exit !== undefined && Exit.isSuccess(exit) && exit.value._tag === "Complete") {
    return yield* finish(core, workflow, run, exit.value.exit)
  }
  if (exit !== undefined && Exit.isFailure(exit) && !Cause.hasInterruptsOnly(exit.cause)) {
    return yield* pause(core, run, "stuck", exit.cause)
  }
  if (!instance.suspended) {
    return run.interrupt === Records.interrupts.unsafe
      ? core.dispatcher.again(run.id)
      : yield* pause(core, run, "stuck", Cause.die("the program interrupted itself"))
  }
  // The scope is closed without running its finalizers, because the next run registers them again.
  instance.abandoned = true
  yield* Scope.close(instance.scope, Exit.void)
  return yield* pause(core, run, instance.failed ? "stuck" : "waiting", instance.failed ? instance.cause : undefined)
})

const finish = Effect.fnUntraced(function* (
  core: Core,
  workflow: Workflow.Any,
  run: Run,
  exit: Exit.Exit<unknown, unknown>
): Effect.fn.Return<void, StorageError> {
  const json = yield* Effect.exit(Schema.encodeEffect(codecsOf(workflow).outcome)(exit))
  if (Exit.isFailure(json)) return yield* pause(core, run, "stuck", json.cause)
  const nowMs = yield* Clock.currentTimeMillis
  const outcome = core.encoding.write(json.value, boundOf(run.id, "outcome"))
  yield* commitReady(core, (db) => Records.finish(db, core.places, { id: run.id, outcome, nowMs }))
  notify(core, run.id)
})

const pause = Effect.fnUntraced(function* (
  core: Core,
  run: Run,
  state: "waiting" | "stuck",
  cause: Cause.Cause<unknown> | undefined
): Effect.fn.Return<void, StorageError> {
  const nowMs = yield* Clock.currentTimeMillis
  const outcome =
    cause === undefined
      ? null
      : core.encoding.activity.write(Exit.failCause(Cause.die(Cause.squash(cause))), boundOf(run.id, "outcome"))
  if (cause !== undefined) {
    yield* Effect.logError("A workflow is stuck until an operator resumes it", cause).pipe(
      Effect.annotateLogs({ workflow: run.instance.workflow._tag, executionId: run.id })
    )
  }
  const { id, interrupt, wakes } = run
  yield* commitReady(core, (db) => Records.pause(db, core.places, { id, state, wakes, interrupt, outcome, nowMs }))
  if (state === "stuck") notify(core, id)
})
