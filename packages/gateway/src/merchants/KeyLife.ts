/**
 * The life of a merchant's key: pending until it is valid, active, retiring while another takes over, expired; revoked at
 * any time. What follows from the clock is never written, so that no process has to be told.
 */
import { Data, Result } from "effect"
import { next as withNextVersion } from "../kernel/Change.ts"
import * as Decision from "../kernel/Decision.ts"
import { Revision } from "../kernel/Revision.ts"
import { type Kind, MerchantKey } from "./MerchantKey.ts"

export type State = "pending" | "active" | "retiring" | "expired" | "revoked"

export type Life = Pick<MerchantKey, "createdAtMs" | "validFromMs" | "validUntilMs" | "revokedAtMs">

export const state = ({ createdAtMs, revokedAtMs, validFromMs, validUntilMs }: Life, nowMs: number): State => {
  if (revokedAtMs !== null) return "revoked"
  // A key that counted from its beginning counts also where the clock stands before that.
  if (nowMs < validFromMs && createdAtMs < validFromMs) return "pending"
  if (validUntilMs === null) return "active"
  return nowMs < validUntilMs ? "retiring" : "expired"
}

/** What is signed with it counts. */
export const isAccepted = (key: Life, nowMs: number): boolean => {
  const now = state(key, nowMs)
  return now === "active" || now === "retiring"
}

/** It counts now or may later: its material is needed. */
export const isAlive = (key: Life, nowMs: number): boolean => isAccepted(key, nowMs) || state(key, nowMs) === "pending"

/** The first one signs what we send. */
export const newestFirst = (one: MerchantKey, other: MerchantKey): number =>
  other.validFromMs - one.validFromMs || other.number - one.number

/** When the clock next changes the state of any of them. */
export const nextChangeMs = (keys: ReadonlyArray<Life>, nowMs: number): number =>
  keys
    .filter(({ revokedAtMs }) => revokedAtMs === null)
    .flatMap(({ validFromMs, validUntilMs }) => [validFromMs, validUntilMs ?? Number.POSITIVE_INFINITY])
    .reduce((next, atMs) => (atMs > nowMs && atMs < next ? atMs : next), Number.POSITIVE_INFINITY)

export type Reason = "MerchantUnknown" | "KeyUnknown" | "KeyUnusable" | "KeyInUse" | "LastKey" | "TooManyKeys"

export class KeyRefused extends Data.TaggedError("KeyRefused")<{ readonly reason: Reason; readonly message: string }> {}

const refuse = (reason: Reason, message: string) => Result.fail(new KeyRefused({ reason, message }))

/** More would make every request dearer to verify. */
export const mostAlive = 8

/** A merchant's keys as they were read, and the revision that they belong to. */
export interface LoadedKeys {
  readonly revision: number
  readonly merchantId: string
  readonly keys: ReadonlyArray<MerchantKey>
}

export interface Change {
  readonly decision: Decision.Decision
  readonly key: MerchantKey
}

/** The number that the next key of this kind gets, and its name in the store. */
export const next = ({ keys, merchantId }: LoadedKeys, kind: Kind): Pick<MerchantKey, "keyId" | "number"> => {
  const number = 1 + Math.max(0, ...keys.filter((key) => key.kind === kind).map((key) => key.number))
  return { keyId: `${merchantId}/${kind}-${number}`, number }
}

export interface Addition extends Pick<MerchantKey, "keyId" | "number" | "kind" | "fingerprint" | "source"> {
  readonly material: string
  readonly validFromMs: number
  /** How long the others of its kind still count from then on; undefined: they stay. */
  readonly overlapMs: number | undefined
}

/** A key that the merchant has or ever had is refused: what was revoked does not come back under another name. */
export const add = (
  standing: LoadedKeys,
  { overlapMs, ...wanted }: Addition,
  nowMs: number
): Result.Result<Change, KeyRefused> => {
  const same = standing.keys.find(({ fingerprint }) => fingerprint === wanted.fingerprint)
  if (same !== undefined) return refuse("KeyInUse", `this key is known already, as ${nameOf(same)}`)
  const others = standing.keys.filter((key) => key.kind === wanted.kind && isAlive(key, nowMs))
  if (others.length >= mostAlive)
    return refuse("TooManyKeys", `the merchant has ${mostAlive} ${wanted.kind} keys: revoke one first`)
  const key: MerchantKey = {
    ...wanted,
    version: 1,
    merchantId: standing.merchantId,
    createdAtMs: nowMs,
    validUntilMs: null,
    revokedAtMs: null
  }
  const untilMs = overlapMs === undefined ? undefined : wanted.validFromMs + overlapMs
  const retired =
    untilMs === undefined ? [] : others.filter(({ validUntilMs }) => validUntilMs === null || validUntilMs > untilMs)
  const decision = changing(
    standing,
    retired.map((other) => ({ ...other, validUntilMs: untilMs ?? null }))
  )
  return Result.succeed({
    key,
    decision: { ...decision, writes: [...decision.writes, Decision.append(MerchantKey, key)] }
  })
}

/** At once. `last`: also where the merchant is then left without a key of this kind. Twice is once. */
export const revoke = (
  standing: LoadedKeys,
  name: string,
  last: boolean,
  nowMs: number
): Result.Result<Change, KeyRefused> => {
  const key = standing.keys.find((own) => nameOf(own) === name)
  if (key === undefined) return refuse("KeyUnknown", `${standing.merchantId} has no key ${name}`)
  if (key.revokedAtMs !== null) return Result.succeed({ key, decision: { guards: [], writes: [] } })
  const left = standing.keys.filter((own) => own !== key && own.kind === key.kind && isAccepted(own, nowMs))
  if (isAccepted(key, nowMs) && left.length === 0 && !last)
    return refuse(
      "LastKey",
      `${name} is the last ${key.kind} key of ${standing.merchantId}: add another first, or allow it with last (--last)`
    )
  const revoked: MerchantKey = { ...key, material: null, revokedAtMs: nowMs }
  return Result.succeed({ key: revoked, decision: changing(standing, [revoked]) })
}

/** `control-1`: as people call it. */
export const nameOf = ({ kind, number }: Pick<MerchantKey, "kind" | "number">): string => `${kind}-${number}`

/** One more revision, with these rows in it. */
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
