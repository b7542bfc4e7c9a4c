/**
 * The folder beside the database in which a copy is made ready before it replaces the database. No gateway starts there until
 * then, because it would begin with an empty database instead of the copy.
 */
import { existsSync, statSync } from "node:fs"
import * as Audit from "@pay/gateway/Audit"
import { AuditEntry } from "@pay/gateway/Audit"
import { AuthClock } from "@pay/gateway/AuthClock"
import { Restoration } from "@pay/gateway/entities/Restoration"
import { Ids } from "@pay/gateway/Ids"
import * as StoreRow from "@pay/gateway/StoreRow"
import type { Statements } from "@pay/sqlite/Database"
import { Clock, Effect, Layer, Schema } from "effect"
import type { Tables } from "./Table.ts"

/** The message says what to do. */
export class RestoreUnfinished extends Schema.TaggedError<RestoreUnfinished>()("RestoreUnfinished", {
  message: Schema.String
}) {}

/** Under which name the audit tells of the store as a whole. */
export const subject = { kind: "store", id: "gateway.db" }

/** What somebody on this machine did with the store as a whole. */
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

/** Business time of the newest order; null: there is none. */
const newestOrder = 'SELECT max("createdAtMs") AS last FROM "orders"'

/**
 * Marks the store as restored, with the audit's row of it: whatever it knows may have gone on without it since
 * `lastCommitAtMs`, or since its newest order where nobody knows. A gap that was not yet looked through stays part of it.
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

/** The folder of the database of this path. */
export const folderOf = (path: string): string => `${path}.restoring`

/** The folder in which a store is made that is moved to this path. */
export const movingFolderOf = (path: string): string => `${path}.moving`

/** A database is there: an empty file is what a gateway leaves that was refused at once. */
export const isThere = (path: string): boolean => existsSync(path) && statSync(path).size > 0

const unfinished = (path: string): string | undefined => {
  if (isThere(path)) return undefined
  if (existsSync(folderOf(path)))
    return `a copy was being put back and that was broken off: run pay restore again, or remove ${folderOf(path)} to start without it`
  return existsSync(movingFolderOf(path))
    ? `a store was being moved here and that was broken off: run the same pay store move again, or remove ${movingFolderOf(path)} to start without it`
    : undefined
}

export const refuse = (path: string): Effect.Effect<void, RestoreUnfinished> =>
  Effect.suspend(() => {
    const message = unfinished(path)
    return message === undefined ? Effect.void : Effect.fail(new RestoreUnfinished({ message }))
  })
