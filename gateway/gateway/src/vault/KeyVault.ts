/**
 * Operations that need a key which the database must not contain: encryption of card numbers, encryption of CVVs for minutes, and
 * keyed hashes. Encrypted values contain the version of their key, so that keys can be rotated and values re-wrapped while the
 * gateway runs.
 */
import { Context, type Effect, type Redacted, Schema } from "effect"
import type { StoreUnavailable } from "../kernel/Store.ts"

/** An encrypted value cannot be decrypted: its key is gone (as that of a CVV after its hour), or the value was changed. */
export class CannotOpen extends Schema.TaggedError<CannotOpen>()("CannotOpen", { message: Schema.String }) {}

export class KeyVault extends Context.Service<
  KeyVault,
  {
    /** Encrypts with AES-256-GCM under a new data key, which the current master key wraps. `decrypt` needs the same `bound`. */
    readonly encrypt: (plain: Redacted.Redacted<string>, bound: string) => Uint8Array
    readonly decrypt: (encrypted: Uint8Array, bound: string) => Effect.Effect<Redacted.Redacted<string>, CannotOpen>
    /**
     * Wraps the result of `encrypt` by the current master key, without decrypting the value. A value under that key is returned
     * unchanged.
     */
    readonly reencrypt: (encrypted: Uint8Array) => Effect.Effect<Uint8Array, CannotOpen>
    /** Encrypts like `encrypt`, under a key that is destroyed within the hour. */
    readonly encryptShortLived: (plain: Redacted.Redacted<string>, bound: string) => Uint8Array
    /**
     * Decrypts the result of `encryptShortLived`. Fails with `StoreUnavailable` if the key may be in a table that cannot be read now.
     */
    readonly decryptShortLived: (
      encrypted: Uint8Array,
      bound: string
    ) => Effect.Effect<Redacted.Redacted<string>, CannotOpen | StoreUnavailable>
    /**
     * Returns a keyed hash of a card number that identifies equal cards of a merchant. It starts with the version of its key.
     * `like`: an earlier hash or fingerprint, whose key is used again so that the two can be compared.
     */
    readonly cardHash: (merchantId: string, card: Redacted.Redacted<string>, like?: string) => string
    /**
     * Returns a keyed hash of a request's canonical content, which distinguishes a replay from another request with the same
     * identifier. `like`: as for `cardHash`.
     */
    readonly fingerprint: (merchantId: string, content: string, like?: string) => string
    /**
     * The summary of the keys for other processes on the store, as `RingSummary` writes it. If left out, keys are not compared.
     */
    readonly summary?: string
  }
>()("@pay/gateway/KeyVault") {}
