/**
 * The second step of an operator's sign-in, as a row, and the decisions about it: a code that changes every 30 seconds (RFC 6238). A code
 * is accepted once, and few wrong ones are looked at. A row without a right code yet is an enrolment that nothing requires.
 */
import { Result } from "effect"
import { Secret, TOTP } from "otpauth"
import * as Change from "../../kernel/Change.ts"
import * as Decision from "../../kernel/Decision.ts"
import * as Entity from "../../kernel/Entity.ts"

export const SecondFactor = Entity.make("secondFactors", {
  columns: {
    /** The operator's name. */
    name: Entity.text(),
    version: Entity.integer,
    /** The secret, encrypted, bound to the name. */
    encryptedSecret: Entity.blob,
    /** The 30 seconds, counted from 1970, whose code was accepted last; 0: none was. */
    lastStep: Entity.integer,
    /** Wrong codes since the last right one, or since the last pause. */
    failures: Entity.integer,
    failedAtMs: Entity.integer,
    enrolledAtMs: Entity.integer,
    /** The time of the first right code. */
    confirmedAtMs: Entity.integerOrNull
  },
  key: ["name"]
})
export type SecondFactor = Entity.Row<typeof SecondFactor>

const periodSeconds = 30
/** Steps before and after the gateway's own that are accepted, because clocks differ and people type slowly. */
const window = 1
/** Wrong codes after which none is looked at for a time: 5 of a million, four times an hour. */
const mostFailures = 5
const pauseMs = 15 * 60_000

const totpOf = (name: string, secret: Uint8Array): TOTP =>
  new TOTP({
    issuer: "pay",
    label: name,
    algorithm: "SHA1",
    digits: 6,
    period: periodSeconds,
    secret: new Secret({ buffer: Uint8Array.from(secret).buffer })
  })

/** Returns what an authenticator takes: the address for its camera, and the secret in Base32 to type. */
export const shown = (name: string, secret: Uint8Array): { readonly uri: string; readonly secret: string } => {
  const totp = totpOf(name, secret)
  return { uri: totp.toString(), secret: totp.secret.base32 }
}

export const isConfirmed = ({ confirmedAtMs }: Pick<SecondFactor, "confirmedAtMs">): boolean => confirmedAtMs !== null

/** Enrols an operator, or begins anew an enrolment that was not finished. */
export const enrol = (
  existing: SecondFactor | undefined,
  fresh: Pick<SecondFactor, "name" | "encryptedSecret" | "enrolledAtMs">
): Result.Result<Change.Change, "Enrolled"> => {
  if (existing !== undefined && isConfirmed(existing)) return Result.fail("Enrolled")
  const row = { ...fresh, version: 1, lastStep: 0, failures: 0, failedAtMs: 0, confirmedAtMs: null }
  return Result.succeed(
    existing === undefined
      ? {
          guards: [Decision.absent(SecondFactor, "key", [fresh.name])],
          writes: [Decision.append(SecondFactor, row)]
        }
      : Change.update(SecondFactor, existing, { ...row, version: existing.version })
  )
}

/** `Wrong`: another code, or one that was accepted before. `Paused`: there were too many wrong ones, so none is compared. */
export type Verdict = "Right" | "Wrong" | "Paused"

export interface Judged {
  readonly verdict: Verdict
  readonly change: Change.Change
}

/** Judges a code. `nowMs`: real time. A clock that was set back makes no code valid again, and no pause longer. */
export const judge = (factor: SecondFactor, secret: Uint8Array, code: string, nowMs: number): Judged => {
  const isPauseOver = Math.abs(nowMs - factor.failedAtMs) > pauseMs
  if (factor.failures >= mostFailures && !isPauseOver) return { verdict: "Paused", change: Change.none }
  const delta = totpOf(factor.name, secret).validate({ token: code, timestamp: nowMs, window })
  const step = Math.floor(nowMs / 1000 / periodSeconds) + (delta ?? 0)
  if (delta === null || step <= factor.lastStep) {
    const failures = (isPauseOver ? 0 : factor.failures) + 1
    return { verdict: "Wrong", change: Change.update(SecondFactor, factor, { failures, failedAtMs: nowMs }) }
  }
  const accepted = { lastStep: step, failures: 0, confirmedAtMs: factor.confirmedAtMs ?? nowMs }
  return { verdict: "Right", change: Change.update(SecondFactor, factor, accepted) }
}

/** Removes the second step: until the operator enrols again, there is none. */
export const remove = (factor: SecondFactor): Change.Change =>
  Change.all(Change.unchanged(SecondFactor, factor), Change.writing(Decision.remove(SecondFactor, [factor.name])))
