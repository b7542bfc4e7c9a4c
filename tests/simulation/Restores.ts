/** The backups and restores of one run, and what the restored copies lack. */
import { OrderRequest } from "@pay/gateway/Entities"
import { BankBooking, isOpen } from "../../gateway/gateway/src/restore/BankBooking.ts"
import type * as Intents from "./Intents.ts"
import type { Exchange } from "./OwnGateway.ts"
import type { ShadowStore } from "./ShadowStore.ts"
import type { Restore } from "./storage/Storage.ts"

export interface Backup {
  /** By the simulation's clock. */
  readonly atMs: number
  /** The number of answers that the gateway had given. */
  readonly exchanges: number
  readonly restore: Restore
}

export interface Restored {
  /** By the simulation's clock. */
  readonly atMs: number
  /** The number of answers that the gateway had given, and of requests that bank and rail had got. */
  readonly exchanges: number
  readonly sends: number
  /** The number of results that customers had seen. */
  readonly results: number
}

export interface Restores {
  /** The last backup. */
  backup: Backup | undefined
  /** The last restore; undefined if there was none. */
  readonly last: () => Restored | undefined
  /** Records a restore of the last backup. */
  readonly restored: (restored: Restored) => void
  /** Returns what a restored copy lacked of these orders. */
  readonly lackingOf: (orderIds: Iterable<string>) => Intents.Lacking
  /** Returns the answers that a restored copy lacks. */
  readonly lost: (exchanges: ReadonlyArray<Exchange>) => ReadonlyArray<Exchange>
}

export const make = (committed: ShadowStore): Restores => {
  let last: Restored | undefined
  const takenOver = new Map<string, Array<Intents.Lacking["takenOver"][number]>>()
  committed.observe((changes) => {
    for (const { after, before, entity, key } of changes) {
      if (entity !== OrderRequest || before?.fingerprint !== "" || after?.fingerprint === "") continue
      const request = committed.row(OrderRequest, key)
      if (request === undefined) continue
      const { action: kind, amountMinor, orderId } = request
      takenOver.set(orderId, [...(takenOver.get(orderId) ?? []), { kind, amountMinor }])
    }
  })
  /** The first and the last answer that a copy lacks. */
  const gaps: Array<readonly [from: number, to: number]> = []
  const restores: Restores = {
    backup: undefined,
    last: () => last,
    restored: (restored) => {
      last = restored
      gaps.push([restores.backup?.exchanges ?? 0, restored.exchanges])
    },
    lackingOf: (orderIds) => {
      if (last === undefined) return { isShown: false, takenOver: [] }
      const ids = new Set(orderIds)
      return {
        isShown: committed.rows(BankBooking).some((row) => isOpen(row) && ids.has(row.orderId)),
        takenOver: [...ids].flatMap((orderId) => takenOver.get(orderId) ?? [])
      }
    },
    lost: (exchanges) => exchanges.filter((_, index) => gaps.some(([from, to]) => from <= index && index < to))
  }
  return restores
}
