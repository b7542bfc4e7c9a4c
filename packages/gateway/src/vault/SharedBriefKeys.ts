/**
 * Short-lived keys for CVVs like those of `BriefKeys`, in a table that several processes share. While the table can be reached, a
 * key is in it before it encrypts anything, so every process can read the keys of the others.
 */
import { createSecretKey, randomBytes } from "node:crypto"
import { Effect, type Result } from "effect"
import type { StoreUnavailable } from "../kernel/Store.ts"
import * as BriefKeys from "./BriefKeys.ts"
import type { BriefKeyTable } from "./BriefKeyTable.ts"
import type * as Envelope from "./Envelope.ts"

export interface SharedBriefKeys {
  /** The key that encrypts now. */
  readonly current: () => Envelope.WrappingKey
  readonly find: Envelope.Find
  /** Reads the keys that other processes have made. */
  readonly load: Effect.Effect<void, StoreUnavailable>
  /** Makes the next key when it is due, and destroys every expired key, whichever process made it. */
  readonly tend: Effect.Effect<void, StoreUnavailable>
}

interface Options {
  readonly table: BriefKeyTable["Service"]
  /** Wall time. */
  readonly nowMs: () => number
  /** Encrypts a key under the master key, so that the table alone decrypts nothing. */
  readonly seal: (key: string, bound: string) => Uint8Array
  readonly open: (sealed: Uint8Array, bound: string) => Result.Result<string, string>
}

interface Aged extends Envelope.WrappingKey {
  readonly createdAtMs: number
  readonly sealed: Uint8Array
}

const boundTo = (id: number): string => `brief-key:${id}`

/** Makes or loads the keys. Fails if the table cannot be read. */
export const make = Effect.fnUntraced(function* ({ nowMs, open, seal, table }: Options) {
  const keys = new Map<number, Aged>()
  let sealing: Aged | undefined

  const drawn = (): Aged => {
    const bytes = randomBytes(32)
    const id = randomBytes(4).readUInt32BE()
    const text = bytes.toString("base64url")
    const key = { id, createdAtMs: Math.floor(nowMs()), key: createSecretKey(bytes), sealed: seal(text, boundTo(id)) }
    bytes.fill(0)
    return key
  }

  const adopt = ({ createdAtMs, id, sealed }: Pick<Aged, "createdAtMs" | "id" | "sealed">): void => {
    if (keys.has(id) || !BriefKeys.isAlive(createdAtMs, nowMs())) return
    const opened = open(sealed, boundTo(id))
    if (opened._tag === "Failure") return
    const bytes = Buffer.from(opened.success, "base64url")
    keys.set(id, { id, createdAtMs, sealed, key: createSecretKey(bytes) })
    bytes.fill(0)
  }

  const read = Effect.tap(table.list, (rows) => Effect.sync(() => rows.forEach(adopt)))

  const newest = (): Aged | undefined =>
    [...keys.values()]
      .filter(({ createdAtMs }) => BriefKeys.isFresh(createdAtMs, nowMs()))
      .sort((one, other) => other.createdAtMs - one.createdAtMs)[0]

  const tend = Effect.gen(function* () {
    for (const { createdAtMs, id } of keys.values()) if (!BriefKeys.isAlive(createdAtMs, nowMs())) keys.delete(id)
    const rows = yield* read
    // A key that is dated after this process's clock is not destroyed: the clock of its maker may be right.
    const dead = rows.filter(({ createdAtMs }) => nowMs() - createdAtMs >= BriefKeys.livesForMs)
    if (dead.length > 0) yield* table.destroy(dead.map(({ id }) => id))
    const fresh = newest() ?? drawn()
    // The key is added again after the table was lost, as in a failover, so that other processes can decrypt what this one has
    // encrypted.
    if (!rows.some(({ id }) => id === fresh.id)) yield* table.add(fresh)
    keys.set(fresh.id, fresh)
    sealing = fresh
  })

  yield* tend
  return {
    current: () => {
      if (sealing !== undefined && BriefKeys.isAlive(sealing.createdAtMs, nowMs())) return sealing
      // The table could not be reached for an hour. The next `tend` adds this key.
      sealing = drawn()
      keys.set(sealing.id, sealing)
      return sealing
    },
    find: (id) => {
      const key = keys.get(id)
      return key !== undefined && BriefKeys.isAlive(key.createdAtMs, nowMs()) ? key.key : undefined
    },
    load: Effect.asVoid(read),
    tend
  } satisfies SharedBriefKeys
})
