/** The state and the functions that all parts of the engine use. */

import type { Database, Statements } from "@pay/sqlite/Database"
import type { GroupCommit, Statistics } from "@pay/sqlite/GroupCommit"
import { Deferred, Effect, Exit, Option, Schema, type Scope } from "effect"
import type { Workflow, WorkflowEngine } from "effect/workflow"
import type { StorageError } from "../Executions.ts"
import type { Dispatcher } from "./Dispatcher.ts"
import type { Encoding } from "./Encoding.ts"
import type { Places, Ready } from "./Records.ts"
import type { Run } from "./Run.ts"

export interface Core {
  readonly database: Database
  readonly writer: GroupCommit
  readonly places: Places
  readonly encoding: Encoding
  readonly dispatcher: Dispatcher
  /** The runs in this process, by the id of their execution. */
  readonly runs: Map<string, Run>
  /** Callbacks of callers who wait until an execution has finished or is stuck, or cannot be stored, by its id. */
  readonly waiters: Map<string, Set<(exit: Exit.Exit<void, StorageError>) => void>>
  /** Runs an execution again at once that waits until the database works, by its id. */
  readonly postponed: Map<string, () => void>
  readonly deferreds: WorkflowEngine.DeferredState
  readonly scope: Scope.Scope
  readonly tickMs: number
  readonly statistics: { runs: number; activities: number; ticks: number; readonly writes: Statistics }
}

/** Writes in the next commit, together with the other writes that are queued. */
export const commit = <A>(core: Pick<Core, "writer">, write: (db: Statements) => A): Effect.Effect<A, StorageError> =>
  core.writer.submit<A, never>({ check: () => undefined, write })

/** Commits a write by which executions may become ready. */
export const commitReady = (
  core: Core,
  write: (db: Statements) => ReadonlyArray<Ready>
): Effect.Effect<void, StorageError> =>
  Effect.asVoid(core.dispatcher.announce(commit(core, (db) => ({ ready: write(db) }))))

export const boundOf = (executionId: string, entry: string): string => `${executionId}/${entry}`

interface Codecs {
  readonly payload: Schema.Codec<object, Schema.Json>
  readonly outcome: Schema.Codec<Workflow.Complete<unknown, unknown>["exit"], Schema.Json>
}

const existing = new WeakMap<Workflow.Any, Codecs>()

/**
 * Returns the JSON codecs of a workflow's values, created once per workflow. Schemas that require services are not
 * supported.
 */
export const codecsOf = (workflow: Workflow.Any): Codecs => {
  const result = existing.get(workflow)
  if (result !== undefined) return result
  const { errorSchema, payloadSchema, successSchema } = workflow
  const made: Codecs = {
    payload: Schema.make(Schema.toCodecJson(payloadSchema).ast),
    outcome: Schema.make(Schema.toCodecJson(Schema.Exit(successSchema, errorSchema, Schema.Defect())).ast)
  }
  existing.set(workflow, made)
  return made
}

/** Wakes the callers that wait for this execution, or fails their waits. */
export const notify = (
  core: Pick<Core, "waiters">,
  executionId: string,
  exit: Exit.Exit<void, StorageError> = Exit.void
): void => {
  const waiters = core.waiters.get(executionId)
  core.waiters.delete(executionId)
  for (const wake of waiters ?? []) wake(exit)
}

/**
 * Waits until {@link notify} is called for this execution, and returns `None`. `unless` is evaluated after the caller is registered,
 * so that no call is missed; if it has a value, there is no wait. `wait` decides what happens to a caller whose wait fails.
 */
export const untilNotified = <A, E>(
  core: Core,
  executionId: string,
  unless: Effect.Effect<Option.Option<A>, E>,
  wait: (notified: Effect.Effect<void, StorageError>) => Effect.Effect<void, StorageError>
): Effect.Effect<Option.Option<A>, E | StorageError> =>
  Effect.suspend(() => {
    const woken = Deferred.makeUnsafe<void, StorageError>()
    const waiters = core.waiters.get(executionId) ?? new Set()
    const wake = (exit: Exit.Exit<void, StorageError>) => Deferred.doneUnsafe(woken, exit)
    core.waiters.set(executionId, waiters.add(wake))
    const leave = Effect.sync(() => {
      waiters.delete(wake)
      if (waiters.size === 0 && core.waiters.get(executionId) === waiters) core.waiters.delete(executionId)
    })
    return Effect.ensuring(
      Effect.tap(unless, (already) => (Option.isSome(already) ? Effect.void : wait(Deferred.await(woken)))),
      leave
    )
  })
