/** Reads an execution, with what it waits for, from its row. */

import type { SqliteError } from "@pay/sqlite/SqliteError"
import { Cause, Effect, Exit } from "effect"
import type { Execution, Wait } from "../Executions.ts"
import { boundOf, type Core } from "./Core.ts"
import * as Records from "./Records.ts"

const stateOf = (value: unknown): Records.State => {
  switch (value) {
    case "ready":
    case "waiting":
    case "stuck":
    case "finished":
      return value
    default:
      throw new TypeError("no state of an execution")
  }
}

export const make = ({ database, encoding }: Core) => {
  const stuckOn = (id: string, outcome: unknown): string => {
    try {
      const exit = encoding.activity.read(Records.stored(outcome), boundOf(id, "outcome"))
      if (Exit.isSuccess(exit)) return "nothing"
      const cause = Cause.squash(exit.cause)
      return cause instanceof Error ? cause.message : String(cause)
    } catch {
      return "encrypted under another key"
    }
  }

  const waitsOf = (id: string): Effect.Effect<ReadonlyArray<Wait>, SqliteError> =>
    database.read((db) =>
      db
        .prepare(
          `SELECT deferred, due_at_ms, key FROM clock LEFT JOIN listener USING (execution, deferred)
          WHERE execution = ? ORDER BY due_at_ms`
        )
        .all(id)
        .map(
          (row): Wait => ({
            name: Records.text(row.deferred).replace(/^(DurableClock|Signal)\//, ""),
            dueAtMs: Number(row.due_at_ms),
            key: typeof row.key === "string" ? row.key : undefined
          })
        )
    )

  return (row: Record<string, unknown>): Effect.Effect<Execution, SqliteError> => {
    const executionId = Records.text(row.id)
    const state = stateOf(row.state)
    return Effect.map(waitsOf(executionId), (waits) => ({
      executionId,
      workflow: Records.text(row.workflow),
      state,
      revision: Number(row.wakes),
      startedAtMs: Number(row.started_at_ms),
      changedAtMs: Number(row.changed_at_ms),
      interrupting: Number(row.interrupt) !== Records.interrupts.none,
      waits: state === "finished" ? [] : waits,
      stuckOn: state === "stuck" ? stuckOn(executionId, row.outcome) : undefined
    }))
  }
}
