/**
 * The port of a table in which processes that share a store keep their short-lived keys for CVVs, so that each opens what another
 * encrypted. It is a table of its own, which no dump, replica or journal holds: it may be empty at any time, and then those CVVs are gone.
 */
import { Context, Effect, Layer } from "effect"
import type { StoreUnavailable } from "../kernel/Store.ts"

export interface BriefKey {
  readonly id: number
  /** Wall time of whoever made it. */
  readonly createdAtMs: number
  /** The key, encrypted under the current master key. */
  readonly sealed: Uint8Array
}

export class BriefKeyTable extends Context.Service<
  BriefKeyTable,
  {
    readonly list: Effect.Effect<ReadonlyArray<BriefKey>, StoreUnavailable>
    /** A key that is there already stays as it is. */
    readonly add: (key: BriefKey) => Effect.Effect<void, StoreUnavailable>
    /** Removes them for good; those that are not there any more are no error. */
    readonly destroy: (ids: ReadonlyArray<number>) => Effect.Effect<void, StoreUnavailable>
  }
>()("@pay/gateway/BriefKeyTable") {
  /** For tests, and the plainest statement of what a table does. */
  static readonly layerMemory = Layer.sync(BriefKeyTable, () => {
    const keys = new Map<number, BriefKey>()
    return {
      list: Effect.sync(() => [...keys.values()]),
      add: (key) =>
        Effect.sync(() => {
          if (!keys.has(key.id)) keys.set(key.id, key)
        }),
      destroy: (ids) =>
        Effect.sync(() => {
          for (const id of ids) keys.delete(id)
        })
    }
  })
}
