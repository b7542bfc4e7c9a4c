/**
 * Applies the risk rules of its endpoint to a new payment. It loads what the rules count. Payments in this process that share a
 * card, an e-mail or an address are checked one after another, so that a burst cannot pass together. Payments in other processes
 * do not wait; for them a guard in the commit decides: of two that were checked at once, one is checked again.
 */
import * as CardRules from "@pay/schema/Card"
import * as EmailAddress from "@pay/schema/EmailAddress"
import { Clock, Context, Effect, Layer, Redacted } from "effect"
import { AuthClock } from "../../kernel/AuthClock.ts"
import * as Change from "../../kernel/Change.ts"
import * as Decision from "../../kernel/Decision.ts"
import { KeyedLock } from "../../kernel/KeyedLock.ts"
import * as ProcessLease from "../../kernel/ProcessLease.ts"
import { Settings } from "../../kernel/Settings.ts"
import { GuardFailed, Store, StoreUnavailable } from "../../kernel/Store.ts"
import * as Transact from "../../kernel/Transact.ts"
import type { Endpoint } from "../../merchants/Directory.ts"
import * as CustomerAddress from "../../network/CustomerAddress.ts"
import * as Risk from "../../risk/Risk.ts"
import { VelocityCounter, VelocityEntry } from "../../risk/Risk.ts"
import { KeyVault } from "../../vault/KeyVault.ts"
import * as CardIdentity from "./CardIdentity.ts"

export interface Payment extends Omit<Risk.Payer, "cardHashes"> {
  readonly orderId: string
  readonly merchantId: string
  readonly endpoint: Endpoint
  readonly pan: Redacted.Redacted<string>
  /** Number of the card that receives the money of a transfer. */
  readonly receiving?: Redacted.Redacted<string> | undefined
  readonly amountMinor: number
  readonly currency: string
}

export interface Verdict {
  /** The rule that stops the payment; undefined if none does. */
  readonly filteredBy: string | undefined
  /** The changes to the counters of velocity rules, which are committed with a payment that is not stopped. */
  readonly velocityEntries: Change.Change
}

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
      payment: Payment,
      commit: (verdict: Verdict) => Effect.Effect<A, E | GuardFailed, R>
    ) => Effect.Effect<A, E | GuardFailed | StoreUnavailable, R>
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
      const limit = yield* ProcessLease.sharedLimit(cardRate)

      /**
       * What velocity rules count by. A card is counted by its number alone, so that a different expiry date does not make it
       * another card.
       */
      const counts: Readonly<Record<Risk.Counted, (payment: Payment) => string>> = {
        card: ({ merchantId, pan }) => vault.cardHash(merchantId, pan),
        email: ({ email }) => EmailAddress.customer(email),
        address: ({ address }) => CustomerAddress.network(address)
      }
      const subjectOf = (payment: Payment, kind: Risk.Counted): string =>
        vault.fingerprint(payment.merchantId, `risk\n${payment.endpoint.id}\n${kind}\n${counts[kind](payment)}`)

      /** Returns the change that makes other processes check again; undefined if no other process can open the store. */
      const counterOf = Effect.fnUntraced(function* (subject: string) {
        if (store.exclusive) return undefined
        const counter = yield* store.load(VelocityCounter, [subject])
        return (nowMs: number, expiresAtMs: number): Change.Change =>
          counter === undefined
            ? {
                guards: [Decision.absent(VelocityCounter, "key", [subject])],
                writes: [Decision.put(VelocityCounter, { subject, version: nowMs, expiresAtMs })]
              }
            : Change.update(VelocityCounter, counter, { expiresAtMs: Math.max(counter.expiresAtMs, expiresAtMs) })
      })

      const judge = Effect.fnUntraced(function* (
        payment: Payment,
        subjects: ReadonlyArray<readonly [Risk.Counted, string]>
      ) {
        const { amountMinor, currency, endpoint, merchantId, orderId, pan, receiving } = payment
        const nowMs = yield* Clock.currentTimeMillis
        const velocityEntries: Record<Risk.Counted, ReadonlyArray<VelocityEntry>> = { card: [], email: [], address: [] }
        // The guards are loaded before the entries: a payment that is counted after this makes its guard fail.
        const counters = yield* Effect.forEach(subjects, ([, subject]) => counterOf(subject), {
          concurrency: "unbounded"
        })
        for (const [kind, subject] of subjects) {
          const from = nowMs - Risk.looksBackMs(endpoint.risk, kind)
          velocityEntries[kind] = yield* store.find(VelocityEntry, "key", {
            equals: [subject],
            from,
            limit: Risk.looksAt(endpoint.risk, kind),
            descending: true
          })
        }
        const cardHashes = CardIdentity.listed(vault, endpoint.risk, merchantId, pan)
        const recipient =
          receiving === undefined
            ? undefined
            : {
                bin: CardRules.bin(Redacted.value(receiving)),
                cardHashes: CardIdentity.listed(vault, endpoint.risk, merchantId, receiving)
              }
        const filteredBy = Risk.judge(endpoint.risk, { ...payment, cardHashes, recipient, nowMs, velocityEntries })
        if (filteredBy !== undefined) return { filteredBy, velocityEntries: Change.none } satisfies Verdict
        const counted = subjects.map(([kind, subject], index) => {
          const expiresAtMs = nowMs + Risk.looksBackMs(endpoint.risk, kind)
          const entry = { subject, atMs: nowMs, orderId, currency, amountMinor, expiresAtMs }
          return Change.all(counters[index]?.(nowMs, expiresAtMs), Change.writing(Decision.put(VelocityEntry, entry)))
        })
        return { filteredBy, velocityEntries: Change.all(...counted) } satisfies Verdict
      })

      return RiskCheck.of({
        tooOften: (pan) =>
          cardRate.perSecond <= 0 ? undefined : limit.take(vault.cardHash(allMerchants, pan), authClock.nowMs()),
        screen: (payment, commit) => {
          const subjects = Risk.counted
            .filter((kind) => Risk.looksBackMs(payment.endpoint.risk, kind) > 0 && counts[kind](payment) !== "")
            .map((kind) => [kind, subjectOf(payment, kind)] as const)
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
