/**
 * A pure change of state: what must still be as it was read, and what is then written. Changes are put together of smaller ones
 * and committed as a whole.
 */
import * as Decision from "./Decision.ts"
import type * as Entity from "./Entity.ts"

export type Change = Decision.Decision

export const none: Change = { guards: [], writes: [] }

/** All of these at once; guards are checked in the order of the parts. */
export const all = (...parts: ReadonlyArray<Change | undefined>): Change => ({
  guards: parts.flatMap((part) => part?.guards ?? []),
  writes: parts.flatMap((part) => part?.writes ?? [])
})

/** Writes under no guard. */
export const writing = (...writes: ReadonlyArray<Decision.Write>): Change => ({ guards: [], writes })

interface Versioned {
  readonly version: number
}

const keyOf = (
  { key }: Pick<Entity.Entity, "key">,
  row: Readonly<Record<string, Entity.Value>>
): ReadonlyArray<Entity.Value> => key.map((column) => row[column] ?? null)

/** The row as it is after one more change. */
export const next = <R extends Versioned>(row: R, patch: Partial<R> = {}): R => ({
  ...row,
  ...patch,
  version: row.version + 1
})

/** The row is still the one that was read; it is not written. */
export const unchanged = <C extends Entity.Columns, R extends Entity.RowOf<C> & Versioned>(
  entity: Entity.Entity<C>,
  row: R
): Change => ({ guards: [Decision.versionIs(entity, keyOf(entity, row), row.version)], writes: [] })

/** The row, if it is still the one that was read, with these columns changed. */
export const update = <C extends Entity.Columns, R extends Entity.RowOf<C> & Versioned>(
  entity: Entity.Entity<C>,
  row: R,
  patch: Partial<R> = {}
): Change => all(unchanged(entity, row), writing(Decision.put(entity, next(row, patch))))
