/**
 * The folder beside the database in which a backup is prepared. While it exists, no gateway starts, because it would begin with an
 * empty database instead of the backup.
 */
import { existsSync, statSync } from "node:fs"
import { AuditEntry, Restoration } from "@pay/gateway/Entities"
import { Audit, AuthClock, Ids, StoreRow } from "@pay/gateway/Store"
import type { Statements } from "@pay/sqlite/Database"
import { Clock, Effect, Layer, Schema } from "effect"
import type { Tables } from "./Table.ts"

/** The message says what to do. */
export class RestoreUnfinished extends Schema.TaggedError<RestoreUnfinished>()("RestoreUnfinished", {
  message: Schema.String
}) {}

/** The subject of audit rows about the whole store. */
const subject = { kind: "store", id: "gateway.db" }

/** Returns an audit row about an operator's action on the whole store. */
export const audited = Effect.fnUntraced(
  function* (by: string, action: string, detail: NonNullable<Audit.Audited["detail"]>) {
    const ids = yield* Ids
    return Audit.row({
      auditId: ids.next(),
      atMs: yield* Clock.currentTimeMillis,
      actor: `host:${by}`,
      action,
      subject,
      detail
    })
  },
  Effect.provide(Ids.layer.pipe(Layer.provide(AuthClock.layer)))
)

/** Returns the business time of the newest order; null if there is none. */
const newestOrder = 'SELECT max("createdAtMs") AS last FROM "orders"'

/**
 * Returns the mark of a store that is restored now: its orders may have changed since `lastCommitAtMs`. An earlier gap that is not
 * reconciled yet stays part of the new one. Each restoration has another time, because its enumerations are recognised by it.
 */
export const next = (
  earlier: Restoration | undefined,
  given: { readonly restoredAtMs: number; readonly lastCommitAtMs: number }
): Restoration => ({
  name: "latest",
  version: (earlier?.version ?? 0) + 1,
  restoredAtMs: Math.max(given.restoredAtMs, (earlier?.restoredAtMs ?? 0) + 1),
  startedAtMs: null,
  lastCommitAtMs:
    earlier?.enumeratedAtMs === null
      ? Math.min(earlier.lastCommitAtMs ?? 0, given.lastCommitAtMs)
      : given.lastCommitAtMs,
  enumeratedAtMs: null
})

/** Marks the store as restored, with an audit row. If the time of its last commit is unknown, that of its newest order counts. */
export const mark = (
  statements: Statements,
  tables: Tables,
  given: { readonly restoredAtMs: number; readonly lastCommitAtMs: number | undefined; readonly audit: AuditEntry }
): void => {
  const before = tables(Restoration).load(statements, ["latest"], "key")
  const earlier = before === undefined ? undefined : StoreRow.typed(Restoration, before)
  const lastCommitAtMs = given.lastCommitAtMs ?? Number(statements.prepare(newestOrder).get()?.last ?? 0)
  tables(Restoration).put(statements, next(earlier, { ...given, lastCommitAtMs }))
  tables(AuditEntry).append(statements, given.audit)
}

/** Returns the folder of the database at the path. */
export const folderOf = (path: string): string => `${path}.restoring`

/** Whether a database exists. A gateway that was refused at once leaves an empty file, which does not count. */
export const isThere = (path: string): boolean => existsSync(path) && statSync(path).size > 0

export const refuse = (path: string): Effect.Effect<void, RestoreUnfinished> =>
  Effect.suspend(() =>
    isThere(path) || !existsSync(folderOf(path))
      ? Effect.void
      : Effect.fail(
          new RestoreUnfinished({
            message: `a restore was interrupted: run pay restore again, or remove ${folderOf(path)} to start without it`
          })
        )
  )
