/**
 * The states of a merchant's key: pending until it is valid, active, retiring while a new key replaces it, expired; revoked at
 * any time. States that follow from the clock are not stored, so no process needs a message.
 */
import { Data, Result } from "effect"
import { next as withNextVersion } from "../../kernel/Change.ts"
import * as Decision from "../../kernel/Decision.ts"
import { Revision } from "../../kernel/Revision.ts"
import { type Kind, MerchantKey } from "./MerchantKey.ts"

export type State = "pending" | "active" | "retiring" | "expired" | "revoked"

export type KeyValidity = Pick<MerchantKey, "createdAtMs" | "validFromMs" | "validUntilMs" | "revokedAtMs">

export const state = ({ createdAtMs, revokedAtMs, validFromMs, validUntilMs }: KeyValidity, nowMs: number): State => {
  if (revokedAtMs !== null) return "revoked"
  // A key that was valid from its creation stays valid if the clock is set back to before that.
  if (nowMs < validFromMs && createdAtMs < validFromMs) return "pending"
  if (validUntilMs === null) return "active"
  return nowMs < validUntilMs ? "retiring" : "expired"
}

/** Whether signatures of the key are accepted. */
export const isAccepted = (key: KeyValidity, nowMs: number): boolean => {
  const now = state(key, nowMs)
  return now === "active" || now === "retiring"
}

/** Whether the key is accepted now or may be later, so that its material is needed. */
export const isUsable = (key: KeyValidity, nowMs: number): boolean =>
  isAccepted(key, nowMs) || state(key, nowMs) === "pending"

/** Orders keys, newest first. The first control key signs what the gateway sends. */
export const newestFirst = (one: MerchantKey, other: MerchantKey): number =>
  other.validFromMs - one.validFromMs || other.number - one.number

/** Returns the next time at which the clock changes the state of one of the keys. */
export const nextChangeMs = (keys: ReadonlyArray<KeyValidity>, nowMs: number): number =>
  keys
    .filter(({ revokedAtMs }) => revokedAtMs === null)
    .flatMap(({ validFromMs, validUntilMs }) => [validFromMs, validUntilMs ?? Number.POSITIVE_INFINITY])
    .reduce((next, atMs) => (atMs > nowMs && atMs < next ? atMs : next), Number.POSITIVE_INFINITY)

export type Reason = "MerchantUnknown" | "KeyUnknown" | "KeyUnusable" | "KeyInUse" | "LastKey" | "TooManyKeys"

export class KeyRefused extends Data.TaggedError("KeyRefused")<{ readonly reason: Reason; readonly message: string }> {}

const refuse = (reason: Reason, message: string) => Result.fail(new KeyRefused({ reason, message }))

/** Largest number of usable keys of one kind. More keys would make the verification of every request slower. */
export const mostUsable = 8

/** A merchant's keys as they were read, and the revision to which they belong. */
export interface LoadedKeys {
  readonly revision: number
  readonly merchantId: string
  readonly keys: ReadonlyArray<MerchantKey>
}

export interface Change {
  readonly decision: Decision.Decision
  readonly key: MerchantKey
}

/** Returns the number of the next key of this kind, and its name in the store. */
export const next = ({ keys, merchantId }: LoadedKeys, kind: Kind): Pick<MerchantKey, "keyId" | "number"> => {
  const number = 1 + Math.max(0, ...keys.filter((key) => key.kind === kind).map((key) => key.number))
  return { keyId: `${merchantId}/${kind}-${number}`, number }
}

export interface Addition extends Pick<MerchantKey, "keyId" | "number" | "kind" | "fingerprint" | "source"> {
  readonly material: string
  readonly validFromMs: number
  /** Milliseconds for which other keys of the same kind stay valid after `validFromMs`. `undefined`: they stay. */
  readonly overlapMs: number | undefined
}

/** Adds a key. A key that the merchant has or ever had is refused, so that a revoked key cannot return under another name. */
export const add = (
  loaded: LoadedKeys,
  { overlapMs, ...addition }: Addition,
  nowMs: number
): Result.Result<Change, KeyRefused> => {
  const same = loaded.keys.find(({ fingerprint }) => fingerprint === addition.fingerprint)
  if (same !== undefined) return refuse("KeyInUse", `this key is known already, as ${nameOf(same)}`)
  const others = loaded.keys.filter((key) => key.kind === addition.kind && isUsable(key, nowMs))
  if (others.length >= mostUsable)
    return refuse("TooManyKeys", `the merchant has ${mostUsable} ${addition.kind} keys: revoke one first`)
  const key: MerchantKey = {
    ...addition,
    version: 1,
    merchantId: loaded.merchantId,
    createdAtMs: nowMs,
    validUntilMs: null,
    revokedAtMs: null
  }
  const untilMs = overlapMs === undefined ? undefined : addition.validFromMs + overlapMs
  const retired =
    untilMs === undefined ? [] : others.filter(({ validUntilMs }) => validUntilMs === null || validUntilMs > untilMs)
  const decision = changing(
    loaded,
    retired.map((other) => ({ ...other, validUntilMs: untilMs ?? null }))
  )
  return Result.succeed({
    key,
    decision: { ...decision, writes: [...decision.writes, Decision.append(MerchantKey, key)] }
  })
}

/**
 * Revokes a key at once. `last`: also if no accepted key of this kind remains. A revoked key can be revoked again without effect.
 */
export const revoke = (
  loaded: LoadedKeys,
  name: string,
  last: boolean,
  nowMs: number
): Result.Result<Change, KeyRefused> => {
  const key = loaded.keys.find((own) => nameOf(own) === name)
  if (key === undefined) return refuse("KeyUnknown", `${loaded.merchantId} has no key ${name}`)
  if (key.revokedAtMs !== null) return Result.succeed({ key, decision: { guards: [], writes: [] } })
  const left = loaded.keys.filter((own) => own !== key && own.kind === key.kind && isAccepted(own, nowMs))
  if (isAccepted(key, nowMs) && left.length === 0 && !last)
    return refuse(
      "LastKey",
      `${name} is the last ${key.kind} key of ${loaded.merchantId}: add another first, or allow it with last (--last)`
    )
  const revoked: MerchantKey = { ...key, material: null, revokedAtMs: nowMs }
  return Result.succeed({ key: revoked, decision: changing(loaded, [revoked]) })
}

/** Returns the name that people use for a key: `control-1`. */
export const nameOf = ({ kind, number }: Pick<MerchantKey, "kind" | "number">): string => `${kind}-${number}`

/** Writes the rows with the next revision. */
export const changing = (
  { revision }: Pick<LoadedKeys, "revision">,
  rows: ReadonlyArray<MerchantKey>
): Decision.Decision => ({
  guards: [
    revision === 0 ? Decision.absent(Revision, "key", ["keys"]) : Decision.versionIs(Revision, ["keys"], revision),
    ...rows.map(({ keyId, version }) => Decision.versionIs(MerchantKey, [keyId], version))
  ],
  writes: [
    Decision.put(Revision, { subject: "keys", version: revision + 1 }),
    ...rows.map((row) => Decision.put(MerchantKey, withNextVersion(row)))
  ]
})
