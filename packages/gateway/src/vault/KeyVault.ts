/**
 * Everything that needs a key the database must not hold: card numbers at rest, CVVs for minutes, keyed hashes for ever.
 * Sealed values carry the version of their key, so that keys can be rotated and values re-wrapped while running.
 */
import { Context, type Effect, type Redacted, Schema } from "effect"
import type { StoreUnavailable } from "../kernel/Store.ts"

/** A sealed value cannot be opened: its key is gone (a CVV after its hour) or the value was tampered with. */
export class CannotOpen extends Schema.TaggedError<CannotOpen>()("CannotOpen", { message: Schema.String }) {}

export class KeyVault extends Context.Service<
  KeyVault,
  {
    /** AES-256-GCM under a data key of its own, wrapped by the current master key; `bound` must be the same to open it. */
    readonly seal: (plain: Redacted.Redacted<string>, bound: string) => Uint8Array
    readonly open: (sealed: Uint8Array, bound: string) => Effect.Effect<Redacted.Redacted<string>, CannotOpen>
    /** What `seal` made, under the current master key, without being opened; as it is where it is under it already. */
    readonly rewrap: (sealed: Uint8Array) => Effect.Effect<Uint8Array, CannotOpen>
    /** Encrypts like `seal`, under a key that is destroyed within the hour. */
    readonly sealBriefly: (plain: Redacted.Redacted<string>, bound: string) => Uint8Array
    /** `StoreUnavailable`: its key may stand where this process cannot look now. */
    readonly openBrief: (
      sealed: Uint8Array,
      bound: string
    ) => Effect.Effect<Redacted.Redacted<string>, CannotOpen | StoreUnavailable>
    /**
     * Finds equal cards without reading any: the same for the same text and merchant under one key, whose version stands in
     * front. `like`: an earlier hash or fingerprint, whose key is used again so that the two can be compared.
     */
    readonly cardHash: (merchantId: string, card: Redacted.Redacted<string>, like?: string) => string
    /** Hashes a request's canonical content: tells a replay from another request under the same id. `like`: as for `cardHash`. */
    readonly fingerprint: (merchantId: string, content: string, like?: string) => string
    /** What other processes on the store are told of the keys, as `RingSummary` writes it. Left out: nothing. */
    readonly summary?: string
  }
>()("@pay/gateway/KeyVault") {}
