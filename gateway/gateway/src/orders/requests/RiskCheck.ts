import { Context, Effect, Layer, type Redacted } from "effect"
import { AuthClock } from "../../kernel/AuthClock.ts"
import type * as Decision from "../../kernel/Decision.ts"
import { KeyedLock } from "../../kernel/KeyedLock.ts"
import * as ProcessLease from "../../kernel/ProcessLease.ts"
import { Settings } from "../../kernel/Settings.ts"
import { GuardFailed, StoreUnavailable } from "../../kernel/Store.ts"
import * as Transact from "../../kernel/Transact.ts"
import { VelocityCounter } from "../../risk/Risk.ts"
import { KeyVault } from "../../vault/KeyVault.ts"
import * as JudgeRisk from "./JudgeRisk.ts"

/** Whether the guard was lost because a payment with the same card, e-mail or address was counted in the meantime. */
export const isOvertaken = (guard: Decision.Guard): boolean => "entity" in guard && guard.entity === VelocityCounter

const crowded: Effect.Effect<never, GuardFailed | StoreUnavailable> = Effect.fail(
  new StoreUnavailable({ outcomeUnknown: false })
)

/**
 * The merchant's login under which attempts with a card are counted. It is empty, so that a card has one count for all
 * merchants.
 */
const allMerchants = ""

export class RiskCheck extends Context.Service<
  RiskCheck,
  {
    /**
     * Counts one attempt with this card, at any merchant. Returns undefined if the attempt is allowed, else the milliseconds
     * until the card may be tried again.
     */
    readonly tooOften: (pan: Redacted.Redacted<string>) => number | undefined
    /**
     * Checks the payment and calls `commit` with the verdict. Until then no other payment with the same card,
     * e-mail or address is checked in this process. If `commit` fails with a guard of the verdict, it is called again with a
     * new verdict.
     */
    readonly screen: <A, E, R>(
      payment: JudgeRisk.ScreenedPayment,
      commit: (verdict: JudgeRisk.RiskVerdict) => Effect.Effect<A, E | GuardFailed, R>
    ) => Effect.Effect<A, E | GuardFailed | StoreUnavailable, R>
  }
>()("@pay/gateway/RiskCheck") {
  static readonly layer = Layer.effect(
    RiskCheck,
    Effect.gen(function* () {
      const vault = yield* KeyVault
      const locks = yield* KeyedLock
      const authClock = yield* AuthClock
      const { cardRate } = yield* Settings
      const limit = yield* ProcessLease.sharedLimit(cardRate)

      const { countedBy, judge } = yield* JudgeRisk.make

      return RiskCheck.of({
        tooOften: (pan) =>
          cardRate.perSecond <= 0 ? undefined : limit.take(vault.cardHash(allMerchants, pan), authClock.nowMs()),
        screen: (payment, commit) => {
          const subjects = countedBy(payment)
          /** The locks are always taken in the order of the kinds, so that two payments never wait for each other. */
          return subjects.reduceRight(
            (work, [, subject]) => locks(subject)(work),
            Transact.transact({
              attempt: Effect.flatMap(judge(payment, subjects), commit),
              onLostGuard: (guard) => (isOvertaken(guard) ? "again" : Effect.fail(new GuardFailed({ guard }))),
              exhausted: () => crowded,
              tries: Transact.triesUnderLock
            })
          )
        }
      })
    })
  )
}
