/**
 * The port of a table of short-lived keys for CVVs, which processes on one store share so that each can decrypt what another
 * encrypted. No dump, replica or journal contains the table. It may become empty at any time, and then the CVVs are lost.
 */
import { Context, Effect, Layer } from "effect"
import type { StoreUnavailable } from "../kernel/Store.ts"

export interface ShortLivedKey {
  readonly id: number
  /** Wall time of the process that made the key. */
  readonly createdAtMs: number
  /** The key, encrypted under the current master key. */
  readonly encryptedKey: Uint8Array
}

export class ShortLivedKeyTable extends Context.Service<
  ShortLivedKeyTable,
  {
    readonly list: Effect.Effect<ReadonlyArray<ShortLivedKey>, StoreUnavailable>
    /** Adds a key. A key with the same id stays unchanged. */
    readonly add: (key: ShortLivedKey) => Effect.Effect<void, StoreUnavailable>
    /** Removes keys irrecoverably. Keys that no longer exist cause no error. */
    readonly destroy: (ids: ReadonlyArray<number>) => Effect.Effect<void, StoreUnavailable>
  }
>()("@pay/gateway/ShortLivedKeyTable") {
  /** A table in memory, for tests and as the simplest definition of what a table does. */
  static readonly layerMemory = Layer.sync(ShortLivedKeyTable, () => {
    const keys = new Map<number, ShortLivedKey>()
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
