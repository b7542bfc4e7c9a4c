/** Rows as a request loads them: those that it is about to write, and each stored row once. */
import { Effect } from "effect"
import type { Write } from "./Decision.ts"
import type * as Entity from "./Entity.ts"
import type { Store } from "./Store.ts"
import * as StoreRow from "./StoreRow.ts"

/** A source of rows by their keys, or by a unique key. */
export type Rows = Pick<Store["Service"], "load">

type Loaded = Readonly<Record<string, Entity.Value>>

const hasKey = (entity: Entity.Entity, unique: string, row: Loaded, values: ReadonlyArray<Entity.Value>): boolean =>
  StoreRow.uniqueColumns(entity, unique).every((column, at) => row[column] === values[at])

/**
 * Loads rows from `writes`, or else from the store. A written row may have changed since. A decision about it guards its version,
 * and after a failed guard loads the row from the store.
 */
export const writtenRows = (store: Rows, writes: ReadonlyArray<Write>): Rows => ({
  load: (entity, values, unique = "key") => {
    const write = writes.find(
      (each) =>
        (each._tag === "Put" || each._tag === "Append") &&
        each.entity === entity &&
        hasKey(entity, unique, each.row, values)
    )
    return write !== undefined && "row" in write
      ? Effect.succeed(StoreRow.typed(entity, write.row))
      : store.load(entity, values, unique)
  }
})

/**
 * Loads each row once: a repeated load returns the row as it was first read. A decision about it guards its version, and after a
 * failed guard loads the row from the store.
 */
export const loadedOnce = (store: Rows): Rows => {
  const loads: Array<{
    readonly entity: Entity.Entity
    readonly unique: string
    readonly values: ReadonlyArray<Entity.Value>
    readonly row: Loaded | undefined
  }> = []
  return {
    load: (entity, values, unique = "key") =>
      Effect.suspend(() => {
        const earlier = loads.find(
          (each) =>
            each.entity === entity &&
            ((each.unique === unique && each.values.every((value, at) => value === values[at])) ||
              (each.row !== undefined && hasKey(entity, unique, each.row, values)))
        )
        if (earlier !== undefined) return Effect.succeed(earlier.row && StoreRow.typed(entity, earlier.row))
        return Effect.map(store.load(entity, values, unique), (row) => {
          loads.push({ entity, unique, values, row })
          return row
        })
      })
  }
}
