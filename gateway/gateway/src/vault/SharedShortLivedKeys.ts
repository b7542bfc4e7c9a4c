/**
 * Short-lived keys for CVVs like those of `ShortLivedKeys`, in a table that several processes share. While the table can be reached, a
 * key is in it before it encrypts anything, so every process can read the keys of the others.
 */
import { createSecretKey, randomBytes } from "node:crypto"
import { Effect, type Result } from "effect"
import type { StoreUnavailable } from "../kernel/Store.ts"
import type * as Envelope from "./Envelope.ts"
import * as ShortLivedKeys from "./ShortLivedKeys.ts"
import type { ShortLivedKeyTable } from "./ShortLivedKeyTable.ts"

export interface SharedShortLivedKeys {
  /** The key that encrypts now. */
  readonly current: () => Envelope.WrappingKey
  readonly find: Envelope.Find
  /** Reads the keys that other processes have made. */
  readonly load: Effect.Effect<void, StoreUnavailable>
  /** Makes the next key when it is due, and destroys every expired key, whichever process made it. */
  readonly tend: Effect.Effect<void, StoreUnavailable>
}

interface Options {
  readonly table: ShortLivedKeyTable["Service"]
  /** Wall time. */
  readonly nowMs: () => number
  /** Encrypts a key under the master key, so that the table alone decrypts nothing. */
  readonly encrypt: (key: string, bound: string) => Uint8Array
  readonly decrypt: (encryptedKey: Uint8Array, bound: string) => Result.Result<string, string>
}

interface Aged extends Envelope.WrappingKey {
  readonly createdAtMs: number
  readonly encryptedKey: Uint8Array
}

const boundTo = (id: number): string => `short-lived-key:${id}`

/** Makes or loads the keys. Fails if the table cannot be read. */
export const make = Effect.fnUntraced(function* ({ nowMs, decrypt, encrypt, table }: Options) {
  const keys = new Map<number, Aged>()
  let active: Aged | undefined

  const newKey = (): Aged => {
    const bytes = randomBytes(32)
    const id = randomBytes(4).readUInt32BE()
    const text = bytes.toString("base64url")
    const key = {
      id,
      createdAtMs: Math.floor(nowMs()),
      key: createSecretKey(bytes),
      encryptedKey: encrypt(text, boundTo(id))
    }
    bytes.fill(0)
    return key
  }

  const adopt = ({ createdAtMs, id, encryptedKey }: Pick<Aged, "createdAtMs" | "id" | "encryptedKey">): void => {
    if (keys.has(id) || !ShortLivedKeys.canDecrypt(createdAtMs, nowMs())) return
    const decrypted = decrypt(encryptedKey, boundTo(id))
    if (decrypted._tag === "Failure") return
    const bytes = Buffer.from(decrypted.success, "base64url")
    keys.set(id, { id, createdAtMs, encryptedKey, key: createSecretKey(bytes) })
    bytes.fill(0)
  }

  const read = Effect.tap(table.list, (rows) => Effect.sync(() => rows.forEach(adopt)))

  const newest = (): Aged | undefined =>
    [...keys.values()]
      .filter(({ createdAtMs }) => ShortLivedKeys.canEncrypt(createdAtMs, nowMs()))
      .sort((one, other) => other.createdAtMs - one.createdAtMs)[0]

  const tend = Effect.gen(function* () {
    for (const { createdAtMs, id } of keys.values())
      if (!ShortLivedKeys.canDecrypt(createdAtMs, nowMs())) keys.delete(id)
    const rows = yield* read
    // A key that is dated after this process's clock is not destroyed: the clock of its maker may be right.
    const expired = rows.filter(({ createdAtMs }) => nowMs() - createdAtMs >= ShortLivedKeys.decryptsForMs)
    if (expired.length > 0) yield* table.destroy(expired.map(({ id }) => id))
    const fresh = newest() ?? newKey()
    // The key is added again after the table was lost, as in a failover, so that other processes can decrypt what this one has
    // encrypted.
    if (!rows.some(({ id }) => id === fresh.id)) yield* table.add(fresh)
    keys.set(fresh.id, fresh)
    active = fresh
  })

  yield* tend
  return {
    current: () => {
      if (active !== undefined && ShortLivedKeys.canDecrypt(active.createdAtMs, nowMs())) return active
      // The table could not be reached for an hour. The next `tend` adds this key.
      active = newKey()
      keys.set(active.id, active)
      return active
    },
    find: (id) => {
      const key = keys.get(id)
      return key !== undefined && ShortLivedKeys.canDecrypt(key.createdAtMs, nowMs()) ? key.key : undefined
    },
    load: Effect.asVoid(read),
    tend
  } satisfies SharedShortLivedKeys
})
