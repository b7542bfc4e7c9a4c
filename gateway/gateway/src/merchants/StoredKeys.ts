/** Merchants' keys in the store: reads and decrypts them, encrypts new ones, and compares keys without decryption. */
import { createPublicKey, type KeyObject } from "node:crypto"
import { Effect, Redacted, Result } from "effect"
import { Revision } from "../kernel/Revision.ts"
import { Store } from "../kernel/Store.ts"
import { KeyVault } from "../vault/KeyVault.ts"
import type { Described } from "./CheckedMerchants.ts"
import * as KeyLifecycle from "./decide/KeyLifecycle.ts"
import { MerchantKey } from "./decide/MerchantKey.ts"
import * as PublicKeys from "./PublicKeys.ts"
import type { LoadedKey } from "./Snapshot.ts"

export interface StoredKeyRows {
  readonly revision: number
  readonly rows: ReadonlyArray<MerchantKey>
  /** The keys that are or may become valid. */
  readonly loadedKeys: ReadonlyArray<LoadedKey>
  /** Names of keys whose master key is not in the ring. */
  readonly undecryptable: ReadonlyArray<string>
}

/** A key without a row in the store. */
export type UnstoredKey =
  | { readonly kind: "control"; readonly key: Redacted.Redacted<string> }
  | { readonly kind: "rsa"; readonly key: KeyObject }

const pageRows = 500
const purpose = "pay/control-key"

export const make = Effect.gen(function* () {
  const store = yield* Store
  const vault = yield* KeyVault
  const decrypted = new Map<string, LoadedKey>()

  const open = Effect.fnUntraced(function* (row: MerchantKey) {
    const existing = decrypted.get(row.keyId)
    if (existing?.row.material === row.material && existing !== undefined) return { ...existing, row }
    const material = row.material ?? ""
    const loadedKeys: LoadedKey =
      row.kind === "rsa"
        ? { row, kind: "rsa", key: createPublicKey(material) }
        : { row, kind: "control", key: yield* vault.decrypt(Buffer.from(material, "base64url"), row.keyId) }
    decrypted.set(row.keyId, loadedKeys)
    return loadedKeys
  })

  /** Reads all keys. The revision is read first: if rows are newer than the revision, a later look reads them again. */
  const read = Effect.fnUntraced(function* (nowMs: number) {
    const revision = yield* revisionNow
    const rows: Array<MerchantKey> = []
    for (let after: string | undefined = ""; after !== undefined; ) {
      const page: ReadonlyArray<MerchantKey> = yield* store.find(MerchantKey, "key", {
        from: after,
        limit: pageRows + 1
      })
      rows.push(...page.filter(({ keyId }) => keyId !== after))
      after = page.length > pageRows ? page.at(-1)?.keyId : undefined
    }
    const usable = rows.filter((row) => KeyLifecycle.isUsable(row, nowMs))
    const ids = new Set(usable.map(({ keyId }) => keyId))
    for (const keyId of decrypted.keys()) if (!ids.has(keyId)) decrypted.delete(keyId)
    const loadedKeys: Array<LoadedKey> = []
    const undecryptable: Array<string> = []
    for (const row of usable) {
      const key = yield* Effect.result(open(row))
      if (Result.isSuccess(key)) loadedKeys.push(key.success)
      else undecryptable.push(row.keyId)
    }
    return { revision, rows, loadedKeys, undecryptable } satisfies StoredKeyRows
  })

  const revisionNow = Effect.map(store.load(Revision, ["keys"]), (row) => row?.version ?? 0)

  const fingerprint = (merchantId: string, fresh: UnstoredKey, like?: string): string =>
    fresh.kind === "rsa"
      ? PublicKeys.fingerprint(fresh.key)
      : vault.fingerprint(merchantId, `${purpose}\n${Redacted.value(fresh.key)}`, like)

  const isSame = (row: MerchantKey, fresh: UnstoredKey): boolean =>
    row.kind === fresh.kind && fingerprint(row.merchantId, fresh, row.fingerprint) === row.fingerprint

  /** Returns the part of an `Addition` that the key gives: its name, its fingerprint and its stored form. */
  const place = (loaded: KeyLifecycle.LoadedKeys, fresh: UnstoredKey) => {
    const { keyId, number } = KeyLifecycle.next(loaded, fresh.kind)
    const existing = loaded.keys.find((row) => isSame(row, fresh))
    return {
      keyId,
      number,
      kind: fresh.kind,
      fingerprint: existing?.fingerprint ?? fingerprint(loaded.merchantId, fresh),
      material:
        fresh.kind === "rsa"
          ? fresh.key.export({ type: "spki", format: "pem" }).toString()
          : Buffer.from(vault.encrypt(fresh.key, keyId)).toString("base64url")
    }
  }

  /** Returns the rows to write for keys of the file that the store has never contained, oldest key first. */
  const unregistered = (described: ReadonlyArray<Described>, rows: ReadonlyArray<MerchantKey>, nowMs: number) =>
    described.flatMap(({ controlKeys, login, publicKeys }) => {
      const keys = rows.filter(({ merchantId }) => merchantId === login)
      const fresh: ReadonlyArray<UnstoredKey> = [
        ...controlKeys.map((key) => ({ kind: "control", key }) as const),
        ...publicKeys.map((key) => ({ kind: "rsa", key }) as const)
      ].reverse()
      const added: Array<MerchantKey> = []
      for (const each of fresh) {
        const loaded = { revision: 0, merchantId: login, keys: [...keys, ...added] }
        if (loaded.keys.some((row) => isSame(row, each))) continue
        added.push({
          ...place(loaded, each),
          version: 1,
          merchantId: login,
          source: "file",
          createdAtMs: nowMs,
          validFromMs: nowMs,
          validUntilMs: null,
          revokedAtMs: null
        })
      }
      return added
    })

  return { read, revisionNow, place, unregistered }
})

export type StoredKeys = Effect.Success<typeof make>
