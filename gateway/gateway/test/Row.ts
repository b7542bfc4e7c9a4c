/** Rows for tests, derived from their entities. */
import type * as Entity from "../src/kernel/Entity.ts"
import * as StoreRow from "../src/kernel/StoreRow.ts"

/** Returns a row with the given columns. All other columns are blank, zero or null. */
export const row = <C extends Entity.Columns>(
  entity: Entity.Entity<C>,
  columns: Partial<Entity.RowOf<C>>
): Entity.RowOf<C> => {
  const blank = Object.entries(entity.columns).map(([name, { kind, nullable }]) => [
    name,
    nullable ? null : { text: "", integer: 0, sum: 0n, blob: new Uint8Array() }[kind]
  ])
  return StoreRow.typed(entity, { ...Object.fromEntries(blank), ...columns })
}
