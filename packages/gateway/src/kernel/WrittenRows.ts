/** Loads rows, and takes those that a commit has just written from that commit: a job need not load what started it. */
import { Effect } from "effect"
import type { Write } from "./Decision.ts"
import type * as Entity from "./Entity.ts"
import type { Store, StoreUnavailable } from "./Store.ts"
import * as StoreRow from "./StoreRow.ts"

/** What loads a row by its key. */
export interface Rows {
  readonly load: <C extends Entity.Columns>(
    entity: Entity.Entity<C>,
    key: ReadonlyArray<Entity.Value>
  ) => Effect.Effect<Entity.RowOf<C> | undefined, StoreUnavailable>
}

/** `writes`: what was written, and may have changed since: whoever decides on it guards the version, and then loads from the store. */
export const over = (store: Pick<Store["Service"], "load">, writes: ReadonlyArray<Write>): Rows => ({
  load: (entity, key) => {
    const write = writes.find(
      (each) =>
        (each._tag === "Put" || each._tag === "Append") &&
        each.entity === entity &&
        entity.key.every((column, at) => each.row[column] === key[at])
    )
    return write !== undefined && "row" in write
      ? Effect.succeed(StoreRow.typed(entity, write.row))
      : store.load(entity, key)
  }
})
