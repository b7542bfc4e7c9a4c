/** The second step of the operators' sign-in: each change is committed with its audit entry, and holds at once in every process. */
import { Context, Effect, Layer, Redacted, Result } from "effect"
import * as Audit from "../kernel/Audit.ts"
import { AuthClock } from "../kernel/AuthClock.ts"
import * as Change from "../kernel/Change.ts"
import { Ids } from "../kernel/Ids.ts"
import { SecureRandom } from "../kernel/SecureRandom.ts"
import { Store, StoreUnavailable } from "../kernel/Store.ts"
import * as Transact from "../kernel/Transact.ts"
import { KeyVault } from "../vault/KeyVault.ts"
import * as SecondFactor from "./decide/SecondFactor.ts"

/** Whether an operator without a second step may only look. */
export const TwoStep = Context.Reference<boolean>("@pay/gateway/TwoStep", { defaultValue: () => false })

/** What an operator's sign-in lacks, so that they may only look: a code, or the enrolment before it. */
export type Lack = "code" | "enrolment"

/** What a person reads about a code that was not accepted. */
export const wrongCode = {
  Wrong: "the code is wrong or was used before: give the next one that your authenticator shows",
  Paused: "too many wrong codes: try again in 15 minutes"
} as const

export const make = Effect.gen(function* () {
  const store = yield* Store
  const ids = yield* Ids
  const random = yield* SecureRandom
  const clock = yield* AuthClock
  const vault = yield* KeyVault
  const isRequired = yield* TwoStep

  const load = (name: string) => store.load(SecondFactor.SecondFactor, [name])
  const nowMs = () => Math.floor(clock.nowMs())
  const exhausted = () =>
    Effect.fail(new StoreUnavailable({ outcomeUnknown: false, cause: "others change the operator's second step" }))

  const audited = (actor: Audit.Actor, action: string, name: string, outcome: "done" | "refused" = "done") =>
    Change.writing(
      Audit.entry({
        ...{ auditId: ids.next(), atMs: nowMs(), actor, action, outcome },
        subject: { kind: "operator", id: name }
      })
    )

  const bound = (name: string): string => `second-factor:${name}`

  /** The secret of a row. A key ring that cannot decrypt it is a defect: no code could be judged. */
  const secretOf = ({ encryptedSecret, name }: SecondFactor.SecondFactor) =>
    Effect.map(Effect.orDie(vault.decrypt(encryptedSecret, bound(name))), (secret) =>
      Buffer.from(Redacted.value(secret), "base64url")
    )

  return {
    /** `undefined`: the sign-in is complete. `hasCode`: a right code came with it. */
    lackOf: (name: string, hasCode: boolean): Effect.Effect<Lack | undefined, StoreUnavailable> =>
      hasCode
        ? Effect.undefined
        : Effect.map(load(name), (factor) =>
            factor !== undefined && SecondFactor.isConfirmed(factor) ? "code" : isRequired ? "enrolment" : undefined
          ),

    /** Returns what the operator's authenticator takes, once. `Enrolled`: an admin must remove the second step first. */
    enrol: Effect.fnUntraced(function* (actor: Audit.Actor, name: string) {
      const text = random.token()
      const encryptedSecret = vault.encrypt(Redacted.make(text, { label: "second factor" }), bound(name))
      return yield* Transact.transact({
        attempt: Effect.gen(function* () {
          const fresh = { name, encryptedSecret, enrolledAtMs: nowMs() }
          const change = SecondFactor.enrol(yield* load(name), fresh)
          if (Result.isFailure(change)) return change.failure
          yield* store.commit(Change.all(change.success, audited(actor, "operator.enrol", name)))
          return Redacted.make(SecondFactor.shown(name, Buffer.from(text, "base64url")), { label: "second factor" })
        }),
        exhausted
      })
    }),

    /** Judges a code. `undefined`: the operator has not enrolled. */
    judge: (actor: Audit.Actor, name: string, code: Redacted.Redacted<string>) =>
      Transact.transact({
        attempt: Effect.gen(function* () {
          const factor = yield* load(name)
          if (factor === undefined) return undefined
          const secret = yield* secretOf(factor)
          const { change, verdict } = SecondFactor.judge(factor, secret, Redacted.value(code).trim(), nowMs())
          const outcome = verdict === "Right" ? "done" : "refused"
          yield* store.commit(Change.all(change, audited(actor, "operator.code", name, outcome)))
          return verdict
        }),
        exhausted
      }),

    /** Whether there was a second step to remove. */
    remove: (actor: Audit.Actor, name: string) =>
      Transact.transact({
        attempt: Effect.gen(function* () {
          const factor = yield* load(name)
          if (factor === undefined) return false
          yield* store.commit(Change.all(SecondFactor.remove(factor), audited(actor, "operator.unenrol", name)))
          return true
        }),
        exhausted
      })
  }
})

type SecondFactors = Effect.Success<typeof make>

/** The second step that the sign-in requires. Default: there is none. */
export const SecondFactors = Context.Reference<Pick<SecondFactors, "lackOf" | "judge">>("@pay/gateway/SecondFactors", {
  defaultValue: () => ({ lackOf: () => Effect.undefined, judge: () => Effect.undefined })
})

export const layer = Layer.effect(SecondFactors, make)
