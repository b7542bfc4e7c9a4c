/** A row of a move. Rows are read from the source in the order of their keys and added to the target. */
import type * as Entity from "@pay/gateway/Entity"

/** The values of a row in the order of the entity's columns. */
export type Row = ReadonlyArray<Entity.Value>

/** The progress of the copy of an entity. */
export interface Copied {
  readonly rows: number
  /** The key of the last copied row; undefined before the first one. */
  readonly after: Row | undefined
}

/** Returns the key of a row. */
export const keyOf = (entity: Entity.Entity, row: Row): Row => {
  const columns = Object.keys(entity.columns)
  return entity.key.map((name) => row[columns.indexOf(name)] ?? null)
}
