/**
 * Puts a new payment before its endpoint's risk rules: finds what they count, and makes payments that share a card, an
 * e-mail or an address wait for each other, so that a burst cannot slip through together. (Between processes a burst may
 * exceed a velocity rule by what is under way at that moment.)
 */
import * as CardRules from "@pay/schema/Card"
import { Clock, Context, Effect, Layer, Redacted } from "effect"
import { AuthClock } from "../kernel/AuthClock.ts"
import * as Decision from "../kernel/Decision.ts"
import { KeyedLock } from "../kernel/KeyedLock.ts"
import { Settings } from "../kernel/Settings.ts"
import { Store, type StoreUnavailable } from "../kernel/Store.ts"
import type { Endpoint } from "../merchants/Directory.ts"
import * as CustomerAddress from "../network/CustomerAddress.ts"
import * as RateLimit from "../network/RateLimit.ts"
import * as Risk from "../risk/Risk.ts"
import { VelocityEntry } from "../risk/Risk.ts"
import { KeyVault } from "../vault/KeyVault.ts"
import * as CardIdentity from "./CardIdentity.ts"

export interface Payment extends Omit<Risk.Payer, "cardHashes"> {
  readonly orderId: string
  readonly merchantId: string
  readonly endpoint: Endpoint
  readonly pan: Redacted.Redacted<string>
  /** A keyed hash of the card's number and expiry. */
  readonly cardHash: string
  /** Number of the card that receives, of a transfer. */
  readonly receiving?: Redacted.Redacted<string> | undefined
  readonly amountMinor: number
  readonly currency: string
}

export interface Verdict {
  /** Which rule stops the payment; undefined: none. */
  readonly filteredBy: string | undefined
  /** What the commit of a payment that is not stopped writes as well. */
  readonly marks: ReadonlyArray<Decision.Write>
}

/** No merchant's login: a card is one card for all of them. */
const everybody = ""

export class RiskCheck extends Context.Service<
  RiskCheck,
  {
    /** After how many milliseconds this card, at whatever merchant, may be tried again; undefined: now, and that was one try. */
    readonly tooOften: (pan: Redacted.Redacted<string>) => number | undefined
    /** `carryOut` commits with the verdict; nobody else's payment with the same card, e-mail or address is judged until then. */
    readonly screen: <A, E, R>(
      payment: Payment,
      carryOut: (verdict: Verdict) => Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E | StoreUnavailable, R>
  }
>()("@pay/gateway/RiskCheck") {
  static readonly layer = Layer.effect(
    RiskCheck,
    Effect.gen(function* () {
      const store = yield* Store
      const vault = yield* KeyVault
      const locks = yield* KeyedLock
      const authClock = yield* AuthClock
      const { cardRate } = yield* Settings
      const limit = RateLimit.make(cardRate)

      /** By the number alone: another expiry does not make another card. */
      const counts: Readonly<Record<Risk.Counted, (payment: Payment) => string>> = {
        card: ({ merchantId, pan }) => vault.cardHash(merchantId, pan),
        email: ({ email }) => email.toLowerCase(),
        address: ({ address }) => CustomerAddress.network(address)
      }
      const subjectOf = (payment: Payment, kind: Risk.Counted): string =>
        vault.fingerprint(payment.merchantId, `risk\n${payment.endpoint.id}\n${kind}\n${counts[kind](payment)}`)

      const judge = Effect.fnUntraced(function* (
        payment: Payment,
        subjects: ReadonlyArray<readonly [Risk.Counted, string]>
      ) {
        const { amountMinor, cardHash, currency, endpoint, merchantId, orderId, pan, receiving } = payment
        const nowMs = yield* Clock.currentTimeMillis
        const marks: Record<Risk.Counted, ReadonlyArray<VelocityEntry>> = { card: [], email: [], address: [] }
        for (const [kind, subject] of subjects) {
          const from = nowMs - Risk.looksBackMs(endpoint.risk, kind)
          marks[kind] = yield* store.find(VelocityEntry, "key", {
            equals: [subject],
            from,
            limit: Risk.looksAt(endpoint.risk, kind),
            descending: true
          })
        }
        const cardHashes = [cardHash, ...CardIdentity.listed(vault, endpoint.risk, merchantId, pan)]
        const recipient =
          receiving === undefined
            ? undefined
            : {
                bin: CardRules.bin(Redacted.value(receiving)),
                cardHashes: CardIdentity.listed(vault, endpoint.risk, merchantId, receiving)
              }
        const filteredBy = Risk.judge(endpoint.risk, { ...payment, cardHashes, recipient, nowMs, marks })
        if (filteredBy !== undefined) return { filteredBy, marks: [] } satisfies Verdict
        return {
          filteredBy,
          marks: subjects.map(([kind, subject]) =>
            Decision.put(VelocityEntry, {
              subject,
              atMs: nowMs,
              orderId,
              currency,
              amountMinor,
              expiresAtMs: nowMs + Risk.looksBackMs(endpoint.risk, kind)
            })
          )
        } satisfies Verdict
      })

      return RiskCheck.of({
        tooOften: (pan) =>
          cardRate.perSecond <= 0 ? undefined : limit.take(vault.cardHash(everybody, pan), authClock.nowMs()),
        screen: (payment, carryOut) => {
          const subjects = Risk.counted
            .filter((kind) => Risk.looksBackMs(payment.endpoint.risk, kind) > 0 && counts[kind](payment) !== "")
            .map((kind) => [kind, subjectOf(payment, kind)] as const)
          /** Always in the order of the kinds, so that no two wait for each other. */
          return subjects.reduceRight(
            (work, [, subject]) => locks(subject)(work),
            Effect.flatMap(judge(payment, subjects), carryOut)
          )
        }
      })
    })
  )
}
