/** The key vault in this process, on `node:crypto`, with the keys of a `KeyRing`. */
import { createHmac, createSecretKey, hkdfSync, type KeyObject } from "node:crypto"
import { Cause, Clock, Effect, Layer, Redacted, Result } from "effect"
import { AuthClock } from "../kernel/AuthClock.ts"
import * as Envelope from "./Envelope.ts"
import type { KeyRing, Keys } from "./KeyRing.ts"
import { KeyRingError } from "./KeyRing.ts"
import { CannotOpen, KeyVault } from "./KeyVault.ts"
import * as RingSummary from "./RingSummary.ts"
import * as SharedShortLivedKeys from "./SharedShortLivedKeys.ts"
import * as ShortLivedKeys from "./ShortLivedKeys.ts"
import { ShortLivedKeyTable } from "./ShortLivedKeyTable.ts"

export interface Options {
  readonly keyRing: KeyRing
  /**
   * The folder of the short-lived keys for CVVs, outside the database and its backups, preferably on a memory file system.
   * Without a folder, the keys are in memory, and a restart loses the CVVs of payments that were not yet sent.
   */
  readonly shortLivedKeysFolder?: string | undefined
  /**
   * The clock that schedules the upkeep of the short-lived keys. Default: the machine's clock, whatever `Clock` the gateway has.
   */
  readonly clock?: Clock.Clock | undefined
}

/**
 * Provides a vault whose short-lived keys are in a folder or in memory. Fails if the folder cannot be used or if other users can
 * access it.
 */
export const layer = (options: Options): Layer.Layer<KeyVault, KeyRingError, AuthClock> =>
  Layer.effect(
    KeyVault,
    Effect.gen(function* () {
      const { nowMs } = yield* AuthClock
      const log = Effect.runForkWith(yield* Effect.context<never>())
      const shortLivedKeys = yield* Effect.try({
        try: () =>
          ShortLivedKeys.make({
            folder: options.shortLivedKeysFolder,
            nowMs,
            report: (problem) => void log(Effect.logWarning(problem))
          }),
        catch: (error) => new KeyRingError({ message: error instanceof Error ? error.message : "unknown" })
      })
      yield* Effect.forkScoped(
        everyMinute(Effect.sync(shortLivedKeys.tend), options.clock ?? Clock.Clock.defaultValue())
      )
      return make(options.keyRing, shortLivedKeys)
    })
  )

/**
 * Provides a vault whose short-lived keys are in a table that all processes on a store share. Fails if the table cannot be read.
 */
export const layerShared = (
  options: Omit<Options, "shortLivedKeysFolder">
): Layer.Layer<KeyVault, KeyRingError, AuthClock | ShortLivedKeyTable> =>
  Layer.effect(
    KeyVault,
    Effect.gen(function* () {
      const { nowMs } = yield* AuthClock
      const master = prepare(options.keyRing.master)
      const shortLivedKeys = yield* SharedShortLivedKeys.make({
        table: yield* ShortLivedKeyTable,
        nowMs,
        encrypt: (key, bound) => Envelope.encrypt(Envelope.atRest, master.current, key, bound),
        decrypt: (encrypted, bound) => Envelope.decrypt(Envelope.atRest, master.find, encrypted, bound)
      }).pipe(Effect.mapError(() => new KeyRingError({ message: "the table of short-lived keys cannot be read" })))
      const tended = Effect.catchCause(shortLivedKeys.tend, (cause) =>
        Cause.hasInterruptsOnly(cause)
          ? Effect.failCause(cause)
          : Effect.logWarning("Short-lived keys cannot be tended; it is tried again", cause)
      )
      yield* Effect.forkScoped(everyMinute(tended, options.clock ?? Clock.Clock.defaultValue()))
      const vault = make(options.keyRing, shortLivedKeys, master)
      /** Reads the table first if this process lacks the key, because another process may have made it. */
      const decryptShortLived: typeof vault.decryptShortLived = (encrypted, bound) =>
        Effect.suspend(() =>
          shortLivedKeys.find(Envelope.keyId(encrypted) ?? 0) === undefined
            ? Effect.andThen(shortLivedKeys.load, vault.decryptShortLived(encrypted, bound))
            : vault.decryptShortLived(encrypted, bound)
        )
      return { ...vault, decryptShortLived }
    })
  )

/**
 * Runs the work every minute of the given clock. With the machine's clock, a sandbox that moves time does not change when a key
 * ends.
 */
const everyMinute = <E>(work: Effect.Effect<void, E>, clock: Clock.Clock): Effect.Effect<never, E> =>
  work.pipe(Effect.delay("1 minute"), Effect.forever, Effect.provideService(Clock.Clock, clock))

const make = (
  ring: KeyRing,
  shortLivedKeys: Pick<ShortLivedKeys.ShortLivedKeys, "current" | "find">,
  master = prepare(ring.master)
): KeyVault["Service"] => {
  const cardKeys = merchantKeys(ring.hashing, "pay/card-hash")
  const contentKeys = merchantKeys(ring.hashing, "pay/fingerprint")
  return {
    encrypt: (plain, bound) => Envelope.encrypt(Envelope.atRest, master.current, Redacted.value(plain), bound),
    decrypt: (encrypted, bound) => orCannotOpen(() => Envelope.decrypt(Envelope.atRest, master.find, encrypted, bound)),
    reencrypt: reencrypt(ring),
    encryptShortLived: (plain, bound) =>
      Envelope.encrypt(Envelope.shortLived, shortLivedKeys.current(), Redacted.value(plain), bound),
    decryptShortLived: (encrypted, bound) =>
      orCannotOpen(() => Envelope.decrypt(Envelope.shortLived, shortLivedKeys.find, encrypted, bound)),
    cardHash: (merchantId, card, like) => cardKeys(merchantId, Redacted.value(card), like),
    fingerprint: contentKeys,
    summary: RingSummary.of(ring)
  }
}

const orCannotOpen = (
  decrypted: () => Result.Result<string, string>
): Effect.Effect<Redacted.Redacted<string>, CannotOpen> =>
  Effect.suspend(() => {
    const result = decrypted()
    return Result.isSuccess(result)
      ? Effect.succeed(Redacted.make(result.success))
      : Effect.fail(new CannotOpen({ message: result.failure }))
  })

/**
 * Wraps an encrypted value (of `encrypt`, not `encryptShortLived`) by the current master key, without decrypting the value. Once
 * this was done for every stored value, the older master keys may be removed. A value under the current version is returned
 * unchanged.
 */
export const reencrypt = ({ master }: KeyRing): ((encrypted: Uint8Array) => Effect.Effect<Uint8Array, CannotOpen>) => {
  const { current, find } = prepare(master)
  return (encrypted) =>
    Effect.suspend(() => {
      if (Envelope.keyId(encrypted) === current.id) return Effect.succeed(encrypted)
      const again = Envelope.reencrypt(find, current, encrypted)
      return Result.isSuccess(again)
        ? Effect.succeed(again.success)
        : Effect.fail(new CannotOpen({ message: again.failure }))
    })
}

interface Prepared {
  readonly current: Envelope.WrappingKey
  readonly find: Envelope.Find
}

const prepare = ({ current, keys }: Keys): Prepared => {
  const prepared = new Map(Object.entries(keys).map(([id, key]) => [Number(id), createSecretKey(Redacted.value(key))]))
  return { current: { id: current, key: keyOf(prepared, current) }, find: (id) => prepared.get(id) }
}

const keyOf = (keys: ReadonlyMap<number, KeyObject>, id: number): KeyObject => {
  const key = keys.get(id)
  if (key === undefined) throw new TypeError(`The key ring lacks its current version ${id}.`)
  return key
}

/** Largest number of derived keys that are cached. */
const maxMerchants = 10_000

/**
 * Returns a function that computes HMAC-SHA256 under a key of the merchant. The key is derived (HKDF-SHA256, RFC 5869) from a
 * hashing key for one purpose, so equal cards of two merchants have different hashes. The hashing key is the current one, or that
 * of the hash `like` with which the new hash is compared.
 */
const merchantKeys = (keys: Keys, purpose: string): ((merchantId: string, text: string, like?: string) => string) => {
  const { current, find } = prepare(keys)
  const ready = new Map<string, KeyObject>()
  const keyFor = (id: number, root: KeyObject, merchantId: string): KeyObject => {
    const name = `${id}/${merchantId}`
    const existing = ready.get(name)
    if (existing !== undefined) return existing
    const derived = createSecretKey(Buffer.from(hkdfSync("sha256", root, "", `${purpose}/${merchantId}`, 32)))
    if (ready.size >= maxMerchants) ready.clear()
    ready.set(name, derived)
    return derived
  }
  return (merchantId, text, like) => {
    const version = like === undefined ? current.id : Number(/^v(\d+)\./.exec(like)?.[1])
    const root = find(version)
    const { id, key } = root === undefined ? current : { id: version, key: root }
    return `v${id}.${createHmac("sha256", keyFor(id, key, merchantId))
      .update(text)
      .digest("base64url")}`
  }
}
