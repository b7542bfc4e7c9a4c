/** Leases on agenda items, in SQL: who holds an item, and taking those that are due. */
import { AgendaItem } from "@pay/gateway/entities/AgendaItem"
import type { Claim } from "@pay/gateway/Store"
import * as StoreRow from "@pay/gateway/StoreRow"
import type { Statements } from "@pay/sqlite/Database"
import { list, quote } from "./Ddl.ts"

const held = `SELECT 1 FROM ${quote(AgendaItem.name)} WHERE "itemId" = ? AND "token" = ?`

/** Parameters: token, end of the lease, now, limit, kind. */
export const claimText = `
  UPDATE ${quote(AgendaItem.name)} SET
    "token" = ?1,
    "leaseUntilMs" = ?2,
    "openAttempts" = "openAttempts" + 1,
    "startedAtMs" = coalesce("startedAtMs", ?3)
  WHERE "itemId" IN (
    SELECT "itemId" FROM ${quote(AgendaItem.name)}
    WHERE "kind" = ?5 AND "dueAtMs" <= ?3 AND "leaseUntilMs" <= ?3
    ORDER BY "dueAtMs", "itemId" LIMIT ?4
  )
  RETURNING ${list(Object.keys(AgendaItem.columns))}
`

export const isHeld = (statements: Statements, itemId: string, token: string): boolean =>
  statements.prepare(held).get(itemId, token) !== undefined

/** Answers in due order, which RETURNING does not promise. */
export const claimDue = (
  statements: Statements,
  { kind, leaseMs, limit, nowMs, token }: Claim
): ReadonlyArray<AgendaItem> =>
  statements
    .prepare(claimText)
    .all(token, nowMs + leaseMs, nowMs, limit, kind)
    .map((row) => StoreRow.typed(AgendaItem, row))
    .sort((a, b) => a.dueAtMs - b.dueAtMs || StoreRow.compare(a.itemId, b.itemId))
