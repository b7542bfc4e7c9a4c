/** The storage of the gateway, which continues after its process. Each start of the process opens it again. */

import type { Chance } from "@pay/crashtest/Chance"
import * as Decision from "@pay/gateway/Decision"
import * as Entities from "@pay/gateway/Entities"
import { Restoration } from "@pay/gateway/Entities"
import { Store } from "@pay/gateway/Store"
import * as StoreMemory from "@pay/gateway/StoreMemory"
import { type Clock, Context, Effect, Layer, Scope } from "effect"
import * as Restoring from "../../../gateway/storage/src/Restoring.ts"
import type { Content } from "./Content.ts"

/**
 * How a process ends. `kill`: like `kill -9`, the machine continues. `powerCut`: data that was not synced may be lost. `stop`: the
 * process closes its store cleanly.
 */
export type ProcessEnd = "kill" | "powerCut" | "stop"

/** The reason why the store refuses to open. */
export interface Refusal {
  readonly _tag: string
  readonly message: string
}

/** The content of a store when its process ended. */
export interface StoreAtEnd {
  /** The possible contents: a transaction that was being committed is complete or absent. */
  readonly contents: ReadonlyArray<Content>
  /** The times of the process's COMMITs and of its end, by a monotonic clock. */
  readonly commits: ReadonlyArray<bigint>
  readonly endNanos: bigint
}

/** The files of a store. */
export interface Files {
  /** Whether power cuts lose data that was not synced, and the disk can be full. */
  readonly isWatched: boolean
  /** Returns the folder of the running process, or of the next one. */
  readonly folder: () => string
  /** Returns the content at the end of the last process; undefined while a process runs, and before the first one. */
  readonly storeAtEnd: () => StoreAtEnd | undefined
  /** Descriptions of missing rows. */
  readonly problems: Array<string>
  /** Lets the process crash during its next COMMIT. It answers no request after that, and still has to be killed. */
  readonly crashDuringCommit: (chance: Chance) => void
  readonly setFull: (isFull: boolean) => void
}

/** The time of a backup or a restore, by the clock of the machine and in business time. */
export interface Moment {
  readonly clock: Clock.Clock
  readonly businessMs: number
}

/** Replaces the content of the store by that of a backup, and marks it as restored, while no process runs. */
export type Restore = (moment: Moment) => Promise<void>

export interface Storage {
  readonly layer: Layer.Layer<Store, Refusal>
  /** Takes a backup while the process runs. */
  readonly backup: (moment: Moment) => Promise<Restore>
  /** Called when the process has ended. */
  readonly afterProcessEnd: (how: ProcessEnd, chance: Chance) => void
  /** Called at the end of the run. */
  readonly dispose: () => void
  /** Undefined if the store has no files. */
  readonly files?: Files
}

const emptyStore = Effect.map(
  Effect.flatMap(Scope.make(), (scope) => Layer.buildWithScope(StoreMemory.layer, scope)),
  // Only one process at a time opens the store, as with the embedded engine.
  (context): Store["Service"] => ({ ...Context.get(context, Store), exclusive: true })
)

/** Returns the writes of everything that the store contains. */
const contentOf = Effect.fnUntraced(function* (store: Store["Service"]) {
  const writes: Array<Decision.Write> = []
  for (const entity of Entities.all) {
    const rows = yield* store.find(entity, "key", { limit: Number.MAX_SAFE_INTEGER })
    writes.push(...rows.map((row) => Decision.put(entity, row)))
  }
  return writes
})

/** A store in memory. Every process of the gateway finds the rows of the previous one. */
export const memory: Effect.Effect<Storage> = Effect.gen(function* () {
  let store = yield* emptyStore
  return {
    layer: Layer.sync(Store, () => store),
    backup: async ({ businessMs: lastCommitAtMs }) => {
      const writes = await Effect.runPromise(contentOf(store))
      const restored = Effect.fnUntraced(function* (restoredAtMs: number) {
        const copy = yield* emptyStore
        yield* copy.commit({ guards: [], writes })
        const mark = Restoring.next(yield* copy.load(Restoration, ["latest"]), { restoredAtMs, lastCommitAtMs })
        yield* copy.commit({ guards: [], writes: [Decision.put(Restoration, mark)] })
        return copy
      })
      return async ({ clock }) => {
        store = await Effect.runPromise(restored(clock.currentTimeMillisUnsafe()))
      }
    },
    afterProcessEnd: () => {},
    dispose: () => {}
  }
})
