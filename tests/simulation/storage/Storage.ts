/** What outlives the gateway's process: its store's content. Opened anew at each start of the process. */
import { Store } from "@pay/gateway/Store"
import * as StoreMemory from "@pay/gateway/StoreMemory"
import { Context, Effect, Layer, Scope } from "effect"
import type { Chance } from "../Chance.ts"
import type { Content } from "./Content.ts"

/**
 * `kill`: the machine goes on, as after `kill -9`. `powerCut`: what was not synced to the disk may be lost. `stop`: the process
 * closes its store in good order.
 */
export type ProcessEnd = "kill" | "powerCut" | "stop"

/** The store cannot be opened, and says why. */
export interface Refusal {
  readonly _tag: string
  readonly message: string
}

/** What a store held when its process ended. */
export interface StoreAtEnd {
  /** Either of these: a transaction that was being committed is there as a whole, or not at all. */
  readonly contents: ReadonlyArray<Content>
  /** When each COMMIT of the process was made, and when it ended, by a clock that is never set. */
  readonly commits: ReadonlyArray<bigint>
  readonly endNanos: bigint
}

/** The files of a store that has some. */
export interface Files {
  /** Whether a power cut drops what was not synced, and the disk can be full. */
  readonly isWatched: boolean
  /** Returns the folder of the process that runs, or of the one that is started next. */
  readonly folder: () => string
  /** Undefined while a process runs, and before the first one. */
  readonly storeAtEnd: () => StoreAtEnd | undefined
  /** What was found missing so far, in words. */
  readonly problems: Array<string>
  /** The process ends amid its next COMMIT: after it, no request is answered. It is still to be killed. */
  readonly crashDuringCommit: (chance: Chance) => void
  /** Somebody else has changed the files while no process ran. */
  readonly changed: () => void
  readonly setFull: (isFull: boolean) => void
}

export interface Storage {
  readonly layer: Layer.Layer<Store, Refusal>
  /** Called when the process is gone. */
  readonly afterProcessEnd: (how: ProcessEnd, chance: Chance) => void
  /** Called at the end of the world. */
  readonly dispose: () => void
  /** Undefined: the store has no files. */
  readonly files?: Files
}

/** One store in memory, which every process of the gateway finds as the one before has left it. */
export const memory: Effect.Effect<Storage> = Effect.gen(function* () {
  const context = yield* Effect.flatMap(Scope.make(), (scope) => Layer.buildWithScope(StoreMemory.layer, scope))
  return {
    // One process at a time opens it, as with the embedded engine.
    layer: Layer.succeed(Store, { ...Context.get(context, Store), exclusive: true }),
    afterProcessEnd: () => {},
    dispose: () => {}
  }
})
