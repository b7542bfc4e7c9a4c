/** The result of an execution, and the wait for it. */

import type { SqliteError } from "@pay/sqlite/SqliteError"
import { Cause, Effect, Exit, Option, Schema } from "effect"
import { Workflow } from "effect/workflow"
import type { StorageError } from "../Executions.ts"
import { boundOf, type Core, codecsOf, untilNotified } from "./Core.ts"
import * as Records from "./Records.ts"

type Result = Workflow.Result<unknown, unknown>

/** Returns the result of an execution for a caller. Returns nothing while the execution runs. */
export const resultOf = (
  core: Core,
  workflow: Workflow.Any,
  id: string
): Effect.Effect<Option.Option<Result>, SqliteError> =>
  Effect.gen(function* () {
    const row = yield* core.database.read((db) =>
      db.prepare("SELECT state, outcome FROM execution WHERE id = ?").get(id)
    )
    const bound = boundOf(id, "outcome")
    switch (row?.state) {
      case "finished": {
        const json = core.encoding.read(Records.stored(row.outcome), bound)
        const exit = yield* Effect.orDie(Schema.decodeUnknownEffect(codecsOf(workflow).outcome)(json))
        return Option.some(new Workflow.Complete({ exit }))
      }
      case "stuck": {
        const exit = core.encoding.activity.read(Records.stored(row.outcome), bound)
        const cause = Exit.isFailure(exit) ? Cause.die(Cause.squash(exit.cause)) : undefined
        return Option.some(new Workflow.Suspended({ cause, failed: true }))
      }
      case "waiting":
        return Option.some(new Workflow.Suspended({}))
      default:
        return Option.none()
    }
  })

const isRest = (result: Result): boolean => result._tag === "Complete" || result.failed === true

const restOf = (
  core: Core,
  workflow: Workflow.Any,
  id: string,
  wait: (notified: Effect.Effect<void, StorageError>) => Effect.Effect<void, StorageError>
): Effect.Effect<Result, StorageError> =>
  Effect.gen(function* () {
    const rest = Effect.map(resultOf(core, workflow, id), Option.filter(isRest))
    while (true) {
      const result = yield* untilNotified(core, id, rest, wait)
      if (Option.isSome(result)) return result.value
    }
  })

/**
 * Waits until the execution has finished or is stuck. Fails if a run of it cannot be stored. An execution that waits until the
 * database works is run again at once.
 */
export const atRest = (core: Core, workflow: Workflow.Any, id: string): Effect.Effect<Result, StorageError> =>
  Effect.suspend(() => {
    core.postponed.get(id)?.()
    return restOf(core, workflow, id, (notified) => notified)
  })

/** Waits until the execution has finished or is stuck, however often a run of it cannot be stored. */
export const atLastAtRest = (core: Core, workflow: Workflow.Any, id: string): Effect.Effect<Result, StorageError> =>
  restOf(core, workflow, id, Effect.ignore)
