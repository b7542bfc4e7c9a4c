/** The storage of the gateway, which continues after its process. Each start of the process opens it again. */

import type { Chance } from "@pay/crashtest/Chance"
import { Store } from "@pay/gateway/Store"
import * as StoreMemory from "@pay/gateway/StoreMemory"
import { Context, Effect, Layer, Scope } from "effect"
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

export interface Storage {
  readonly layer: Layer.Layer<Store, Refusal>
  /** Called when the process has ended. */
  readonly afterProcessEnd: (how: ProcessEnd, chance: Chance) => void
  /** Called at the end of the run. */
  readonly dispose: () => void
  /** Undefined if the store has no files. */
  readonly files?: Files
}

/** A store in memory. Every process of the gateway finds the rows of the previous one. */
export const memory: Effect.Effect<Storage> = Effect.gen(function* () {
  const context = yield* Effect.flatMap(Scope.make(), (scope) => Layer.buildWithScope(StoreMemory.layer, scope))
  return {
    // Only one process at a time opens the store, as with the embedded engine.
    layer: Layer.succeed(Store, { ...Context.get(context, Store), exclusive: true }),
    afterProcessEnd: () => {},
    dispose: () => {}
  }
})
