/**
 * A pure change of state: guards on the rows that were read, and the writes that follow. Small changes are combined and committed
 * as a whole.
 */
import * as Decision from "./Decision.ts"
import type * as Entity from "./Entity.ts"

export type Change = Decision.Decision

export const none: Change = { guards: [], writes: [] }

/** Combines changes into one. Guards are checked in the order of the parts. */
export const all = (...parts: ReadonlyArray<Change | undefined>): Change => ({
  guards: parts.flatMap((part) => part?.guards ?? []),
  writes: parts.flatMap((part) => part?.writes ?? [])
})

/** Makes a change that writes without a guard. */
export const writing = (...writes: ReadonlyArray<Decision.Write>): Change => ({ guards: [], writes })

interface Versioned {
  readonly version: number
}

const keyOf = (
  { key }: Pick<Entity.Entity, "key">,
  row: Readonly<Record<string, Entity.Value>>
): ReadonlyArray<Entity.Value> => key.map((column) => row[column] ?? null)

/** Returns the row with the patch applied and its version increased by one. */
export const next = <R extends Versioned>(row: R, patch: Partial<R> = {}): R => ({
  ...row,
  ...patch,
  version: row.version + 1
})

/** Guards that the row still has the version that was read. Writes nothing. */
export const unchanged = <C extends Entity.Columns, R extends Entity.RowOf<C> & Versioned>(
  entity: Entity.Entity<C>,
  row: R
): Change => ({ guards: [Decision.versionIs(entity, keyOf(entity, row), row.version)], writes: [] })

/** Guards that the row still has the version that was read, and writes the row with the patch applied. */
export const update = <C extends Entity.Columns, R extends Entity.RowOf<C> & Versioned>(
  entity: Entity.Entity<C>,
  row: R,
  patch: Partial<R> = {}
): Change => all(unchanged(entity, row), writing(Decision.put(entity, next(row, patch))))
