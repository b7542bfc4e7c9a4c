/**
 * Effect's `WorkflowEngine` for one process with one database file. The same definitions run on Effect's cluster. Here
 * an activity costs one row in a commit that it shares with other writes, and a wait is a row.
 *
 * A recorded result is replayed, and its activity is never executed again. An activity whose record did not reach the
 * disk is executed again. A clock also completes if it was due while no process ran. Of several completions of a
 * deferred the first one counts.
 */

import type { Database } from "@pay/sqlite/Database"
import type { Sequence } from "@pay/sqlite/Durability"
import * as GroupCommit from "@pay/sqlite/GroupCommit"
import * as Migration from "@pay/sqlite/Migration"
import { Closed, SqliteError } from "@pay/sqlite/SqliteError"
import { Context, Effect, Exit, Layer, Option, Schema, type Scope } from "effect"
import { Workflow, WorkflowEngine } from "effect/workflow"
import { type Cipher, Executions } from "./Executions.ts"
import { type Core, codecsOf, commit, commitReady, notify } from "./engine/Core.ts"
import * as Dispatcher from "./engine/Dispatcher.ts"
import * as Encoding from "./engine/Encoding.ts"
import * as Operators from "./engine/Operators.ts"
import { atLastAtRest, resultOf } from "./engine/Outcome.ts"
import { perform } from "./engine/Performance.ts"
import * as Records from "./engine/Records.ts"
import type { Run } from "./engine/Run.ts"
import * as Steps from "./engine/Steps.ts"
import { migrations } from "./engine/Tables.ts"

export { DefinitionChanged, StrictReplay } from "./engine/Run.ts"

export interface Options {
  /** A separate database, to which nothing else writes. */
  readonly database: Database
  /** Counts the commits of a file that detects copies (`OwnedFile` of `@pay/sqlite`). */
  readonly sequence?: Sequence
  /** Encrypts payloads, results and signals. Without it they are stored as JSON text. */
  readonly cipher?: Cipher | undefined
  /**
   * Highest number of executions that run at the same time; others that are ready wait in the database. Default: 256.
   */
  readonly maxRunning?: number
  /**
   * Longest time, in milliseconds, until a change of the system clock, or a database that works again, is noticed.
   * Default: 10,000.
   */
  readonly tickMs?: number
}

/**
 * Runs the engine and its `Executions` until the scope ends. Executions that were running then are continued by the
 * next engine on the database.
 */
export const layer = (
  options: Options
): Layer.Layer<WorkflowEngine.WorkflowEngine | Executions, SqliteError | Migration.MigrationError> =>
  Layer.effectContext(
    Effect.map(make(options), ({ engine, executions }) =>
      Context.make(WorkflowEngine.WorkflowEngine, engine).pipe(Context.add(Executions, executions))
    )
  )

const make = Effect.fnUntraced(function* (
  options: Options
): Effect.fn.Return<
  { readonly engine: WorkflowEngine.WorkflowEngine["Service"]; readonly executions: Executions["Service"] },
  SqliteError | Migration.MigrationError,
  Scope.Scope
> {
  const { cipher, database, maxRunning = 256, sequence, tickMs = 10_000 } = options
  yield* Migration.migrate(database, migrations)
  const runs = new Map<string, Run>()
  const waiters: Core["waiters"] = new Map()
  // Callers outside of the engine would otherwise wait for ever. This runs after everything else of the engine has ended.
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      const closed = new SqliteError({ reason: Closed.make({}), message: `${database.path} was closed` })
      for (const id of waiters.keys()) notify({ waiters }, id, Exit.fail(closed))
    })
  )
  const writer = yield* GroupCommit.make({ database, ...(sequence === undefined ? {} : { sequence }) })
  const core: Core = {
    database,
    writer,
    places: yield* database.read((db) => new Records.Places(db)),
    encoding: Encoding.make(cipher),
    runs,
    waiters,
    postponed: new Map(),
    deferreds: WorkflowEngine.makeDeferredState(),
    scope: yield* Effect.scope,
    tickMs,
    statistics: { runs: 0, activities: 0, ticks: 0, writes: writer.statistics },
    dispatcher: yield* Dispatcher.make({
      database,
      maxRunning,
      tickMs,
      isRunning: (id) => runs.has(id),
      ring: (nowMs) => Steps.ring(core, nowMs)
    })
  }
  yield* core.dispatcher.start
  const engine: WorkflowEngine.WorkflowEngine["Service"] = WorkflowEngine.makeUnsafe(encoded(core, () => engine))
  return { engine, executions: Operators.make(core) }
})

type Result = Workflow.Result<unknown, unknown>

const encoded = (core: Core, engine: () => WorkflowEngine.WorkflowEngine["Service"]): WorkflowEngine.Encoded => {
  const { places } = core
  const interrupt = (id: string, how: number) => Effect.orDie(Operators.interrupt(core, id, how))

  return {
    register: (workflow, execute) =>
      core.dispatcher.serve(workflow._tag, (row) => perform(core, engine(), { workflow, execute })(row)),
    execute: (workflow, { detached, discard, executionId, parent, payload }) =>
      Effect.gen(function* () {
        const result = yield* resultOf(core, workflow, executionId)
        if (Option.isSome(result) && result.value._tag === "Complete") return result.value
        const json = yield* Schema.encodeEffect(codecsOf(workflow).payload)(payload)
        if (Option.isNone(result)) yield* Steps.begin(core, workflow, executionId, json)
        if (discard) return undefined
        if (parent === undefined || detached) return yield* atLastAtRest(core, workflow, executionId)
        const joined = yield* commit(core, (db) => Records.join(db, executionId, parent.executionId))
        return joined ? new Workflow.Suspended({}) : yield* atLastAtRest(core, workflow, executionId)
      }).pipe(Effect.orDie) as Effect.Effect<typeof discard extends true ? void : Result>,
    awaitComplete: (workflow, id) => Effect.orDie(Effect.asVoid(atLastAtRest(core, workflow, id))),
    poll: (workflow, id) => Effect.orDie(resultOf(core, workflow, id)),
    interrupt: (_workflow, id) => interrupt(id, Records.interrupts.safe),
    interruptUnsafe: (_workflow, id) => interrupt(id, Records.interrupts.unsafe),
    resume: (_workflow, id) => Effect.orDie(commitReady(core, (db) => Records.wake(db, places, id, true))),
    activityExecute: (activity, attempt) => Steps.activity(core, activity, attempt),
    deferredResult: ({ name }) => Steps.deferredResult(core, name),
    deferredDone: ({ deferredName, executionId, exit }) =>
      Effect.orDie(Steps.deferredDone(core, executionId, deferredName, exit)),
    scheduleClock: (_workflow, { clock, executionId }) => Effect.orDie(Steps.scheduleClock(core, executionId, clock))
  }
}
