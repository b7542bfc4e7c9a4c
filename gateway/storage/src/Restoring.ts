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
 * Marks the store as restored, with an audit row: its orders may have changed since `lastCommitAtMs`, or since its newest order if that
 * is unknown. An earlier gap that is not reconciled yet stays part of the new one.
 */
export const mark = (
  statements: Statements,
  tables: Tables,
  given: { readonly restoredAtMs: number; readonly lastCommitAtMs: number | undefined; readonly audit: AuditEntry }
): void => {
  const before = tables(Restoration).load(statements, ["latest"], "key")
  const earlier = before === undefined ? undefined : StoreRow.typed(Restoration, before)
  const open = earlier?.enumeratedAtMs === null ? earlier.lastCommitAtMs : null
  const lastMs = given.lastCommitAtMs ?? Number(statements.prepare(newestOrder).get()?.last ?? 0)
  const row: Restoration = {
    name: "latest",
    restoredAtMs: given.restoredAtMs,
    startedAtMs: null,
    lastCommitAtMs: open === null ? lastMs : Math.min(open, lastMs),
    enumeratedAtMs: null
  }
  tables(Restoration).put(statements, row)
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
