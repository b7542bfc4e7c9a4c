/**
 * Loads executions that are ready from the database, in the order in which they became ready, in batches of limited
 * size, and completes the clocks that are due. An execution that waits uses no memory here: no fiber, no timer, no map
 * entry.
 */

import type { Database, Statements } from "@pay/sqlite/Database"
import type { SqliteError } from "@pay/sqlite/SqliteError"
import { Cause, Clock, Effect, Exit, FiberSet, Latch, type Scope } from "effect"
import * as Records from "./Records.ts"
import * as Waits from "./Waits.ts"

export interface Dispatcher {
  /** Completes due clocks and runs ready executions until the scope ends. */
  readonly start: Effect.Effect<void, never, Scope.Scope>
  /** Runs a commit, and then loads the executions that it makes ready. */
  readonly announce: <A extends { readonly ready: ReadonlyArray<Records.Ready> }, E>(
    commit: Effect.Effect<A, E>
  ) => Effect.Effect<A, E>
  /** Runs the executions of this workflow until the scope ends, including those that are ready already. */
  readonly serve: (
    workflow: string,
    run: (row: Records.Row) => Effect.Effect<void>
  ) => Effect.Effect<void, never, Scope.Scope>
  /** Runs this execution again as soon as it may run, before those that are in the queue. */
  readonly again: (id: string) => void
  /** Reports a new clock, which may be the earliest one. */
  readonly due: (atMs: number) => void
  readonly running: () => number
  /** Completes when no execution runs and none is ready. */
  readonly idle: Effect.Effect<void>
}

export interface Options {
  readonly database: Database
  /** Highest number of executions that run at the same time. */
  readonly maxRunning: number
  /** Longest time, in milliseconds, until a change of the system clock, or a database that works again, is noticed. */
  readonly tickMs: number
  readonly isRunning: (id: string) => boolean
  /** Completes a batch of the clocks that are due. */
  readonly ring: (nowMs: number) => Effect.Effect<void, unknown>
}

/** Highest number of rows of one workflow that are loaded before those of the next workflow. */
const turn = 64

/** The queue of one workflow: its executions in the order in which they became ready. */
interface WorkflowQueue {
  /** The place in the queue of the last execution that was loaded. */
  lastPlace: number
  /** Whether there may be more executions after it. */
  more: boolean
  readonly begin: (row: Records.Row) => void
}

const columns = "id, workflow, payload, wakes, interrupt, ready"

const rowOf = (row: Record<string, unknown>): Records.Row => ({
  id: Records.text(row.id),
  workflow: Records.text(row.workflow),
  payload: Records.stored(row.payload),
  wakes: Number(row.wakes),
  interrupt: Number(row.interrupt),
  place: Number(row.ready)
})

const take = (db: Statements, workflow: string, after: number, limit: number): ReadonlyArray<Records.Row> =>
  db
    .prepare(`SELECT ${columns} FROM execution WHERE workflow = ? AND ready > ? ORDER BY ready LIMIT ?`)
    .all(workflow, after, limit)
    .map(rowOf)

const takeOne = (db: Statements, id: string): ReadonlyArray<Records.Row> =>
  db.prepare(`SELECT ${columns} FROM execution WHERE id = ? AND ready IS NOT NULL`).all(id).map(rowOf)

export const make = Effect.fnUntraced(function* (
  options: Options
): Effect.fn.Return<Dispatcher, SqliteError, Scope.Scope> {
  const { database } = options
  const work = yield* Latch.make(false)
  const alarm = yield* Latch.make(false)
  const quiet = yield* Latch.make(true)
  const queues = new Map<string, WorkflowQueue>()
  const againIds = new Set<string>()
  let running = 0
  /** Number of commits in progress that may make an execution ready. */
  let announced = 0
  let nextDueMs = yield* database.read(Waits.nextDueMs)

  const wakeUp = () => {
    quiet.closeUnsafe()
    work.openUnsafe()
  }

  const put = ({ place, workflow }: Records.Ready): void => {
    const queue = queues.get(workflow)
    if (queue !== undefined && place > queue.lastPlace) queue.more = true
  }

  const launch = (row: Records.Row): void => {
    if (options.isRunning(row.id)) {
      againIds.add(row.id)
      return
    }
    queues.get(row.workflow)?.begin(row)
  }

  /** Runs ready executions until `maxRunning` is reached or none is left. */
  const takeAll = Effect.gen(function* () {
    for (const id of [...againIds]) {
      if (running >= options.maxRunning) return
      if (options.isRunning(id)) continue
      const rows = yield* database.read((db) => takeOne(db, id))
      againIds.delete(id)
      rows.forEach(launch)
    }
    while (running < options.maxRunning) {
      const pending = [...queues].filter(([, { more }]) => more)
      if (pending.length === 0) break
      for (const [workflow, queue] of pending) {
        const free = Math.min(turn, options.maxRunning - running)
        if (free <= 0) return
        queue.more = false
        const rows = yield* Effect.tapError(
          database.read((db) => take(db, workflow, queue.lastPlace, free)),
          () =>
            Effect.sync(() => {
              queue.more = true
            })
        )
        queue.lastPlace = rows.at(-1)?.place ?? queue.lastPlace
        if (rows.length === free) queue.more = true
        rows.forEach(launch)
      }
    }
    if (running + announced + againIds.size === 0) quiet.openUnsafe()
  })

  const survive = (work: Effect.Effect<void, unknown>) =>
    Effect.catchCause(work, (cause) =>
      Cause.hasInterruptsOnly(cause)
        ? Effect.interrupt
        : Effect.logWarning("The workflow engine cannot reach its database; it tries again", cause).pipe(
            Effect.andThen(Effect.sleep(options.tickMs)),
            Effect.andThen(Effect.sync(wakeUp))
          )
    )

  const takeForever = Effect.gen(function* () {
    yield* work.await
    work.closeUnsafe()
    yield* survive(takeAll)
  }).pipe(Effect.forever)

  const ringAll = Effect.gen(function* () {
    const nowMs = yield* Clock.currentTimeMillis
    while (nextDueMs !== undefined && nextDueMs <= nowMs) {
      yield* options.ring(nowMs)
      nextDueMs = yield* database.read(Waits.nextDueMs)
    }
  })

  const ringForever = Effect.gen(function* () {
    alarm.closeUnsafe()
    yield* survive(ringAll)
    const nowMs = yield* Clock.currentTimeMillis
    yield* nextDueMs === undefined
      ? alarm.await
      : Effect.timeoutOption(alarm.await, Math.min(options.tickMs, Math.max(0, nextDueMs - nowMs)))
  }).pipe(Effect.forever)

  return {
    start: Effect.all([Effect.forkScoped(takeForever), Effect.forkScoped(ringForever)], { discard: true }),
    announce: (commit) =>
      Effect.suspend(() => {
        announced += 1
        quiet.closeUnsafe()
        return commit
      }).pipe(
        Effect.onExit((exit) =>
          Effect.sync(() => {
            announced -= 1
            if (Exit.isSuccess(exit)) exit.value.ready.forEach(put)
            // The commit may have happened nevertheless.
            else for (const queue of queues.values()) queue.more = true
            wakeUp()
          })
        )
      ),
    serve: Effect.fnUntraced(function* (workflow, run) {
      const fork = yield* FiberSet.makeRuntime<never, void>()
      const queue: WorkflowQueue = {
        lastPlace: 0,
        more: true,
        begin: (row) => {
          running += 1
          const end = Effect.sync(() => {
            running -= 1
            wakeUp()
          })
          fork(Effect.ensuring(run(row), end))
        }
      }
      yield* Effect.acquireRelease(
        Effect.sync(() => queues.set(workflow, queue)),
        () => Effect.sync(() => queues.get(workflow) === queue && queues.delete(workflow))
      )
      wakeUp()
    }),
    again: (id) => {
      againIds.add(id)
      wakeUp()
    },
    due: (atMs) => {
      if (nextDueMs !== undefined && nextDueMs <= atMs) return
      nextDueMs = atMs
      alarm.openUnsafe()
    },
    running: () => running,
    idle: quiet.await
  }
})
