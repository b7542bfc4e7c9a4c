/** Counts what velocity rules count by, and judges a payment by the risk rules of its endpoint. */
import * as CardRules from "@pay/schema/Card"
import * as EmailAddress from "@pay/schema/EmailAddress"
import { Clock, Effect, Redacted } from "effect"
import * as Change from "../../kernel/Change.ts"
import * as Decision from "../../kernel/Decision.ts"
import { Store } from "../../kernel/Store.ts"
import type { Endpoint } from "../../merchants/Directory.ts"
import * as CustomerAddress from "../../network/CustomerAddress.ts"
import * as Risk from "../../risk/Risk.ts"
import { VelocityCounter, VelocityEntry } from "../../risk/Risk.ts"
import { KeyVault } from "../../vault/KeyVault.ts"
import { StoppedCard } from "../record/StoppedCard.ts"
import * as CardIdentity from "./CardIdentity.ts"
import * as HoldersPayment from "./HoldersPayment.ts"

export interface ScreenedPayment extends Omit<Risk.Payer, "cardHashes"> {
  readonly orderId: string
  readonly merchantId: string
  readonly endpoint: Endpoint
  readonly pan: Redacted.Redacted<string>
  /** Number of the card that receives the money of a transfer. */
  readonly receiving?: Redacted.Redacted<string> | undefined
  /** The keyed hash of a stored card that is charged without its holder; undefined if the holder pays. */
  readonly storedCard: string | undefined
  readonly amountMinor: number
  readonly currency: string
}

export interface RiskVerdict {
  /** The rule that stops the payment; undefined if none does. */
  readonly filteredBy: string | undefined
  /** The changes to the counters of velocity rules, which are committed with a payment that is not stopped. */
  readonly velocityEntries: Change.Change
}

export const make = Effect.gen(function* () {
  const store = yield* Store
  const vault = yield* KeyVault

  /**
   * What velocity rules count by. A card is counted by its number alone, so that a different expiry date does not make it
   * another card.
   */
  const counts: Readonly<Record<Risk.Counted, (payment: ScreenedPayment) => string>> = {
    card: ({ merchantId, pan }) => vault.cardHash(merchantId, pan),
    email: ({ email }) => EmailAddress.customer(email),
    address: ({ address }) => CustomerAddress.network(address)
  }
  const subjectOf = (payment: ScreenedPayment, kind: Risk.Counted): string =>
    vault.fingerprint(payment.merchantId, `risk\n${payment.endpoint.id}\n${kind}\n${counts[kind](payment)}`)

  /** Returns the subjects by which the rules of the endpoint count the payment, in the order of their kinds. */
  const countedBy = (payment: ScreenedPayment) =>
    Risk.counted
      .filter((kind) => Risk.looksBackMs(payment.endpoint.risk, kind) > 0 && counts[kind](payment) !== "")
      .map((kind) => [kind, subjectOf(payment, kind)] as const)

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

  /** A card whose holder has ended the charges is charged again once the holder has paid with it. */
  const stoppedBy = Effect.fnUntraced(function* ({ merchantId, storedCard }: ScreenedPayment) {
    const stop = storedCard === undefined ? undefined : yield* store.load(StoppedCard, [merchantId, storedCard])
    const isOver = stop === undefined || (yield* HoldersPayment.isMade(store, merchantId, stop.panHash, stop.atMs))
    return isOver ? undefined : Risk.blockedByCardholder
  })

  const judge = Effect.fnUntraced(function* (
    payment: ScreenedPayment,
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
    const filteredBy =
      Risk.judge(endpoint.risk, { ...payment, cardHashes, recipient, nowMs, velocityEntries }) ??
      (yield* stoppedBy(payment))
    if (filteredBy !== undefined) return { filteredBy, velocityEntries: Change.none } satisfies RiskVerdict
    const counted = subjects.map(([kind, subject], index) => {
      const expiresAtMs = nowMs + Risk.looksBackMs(endpoint.risk, kind)
      const entry = { subject, atMs: nowMs, orderId, currency, amountMinor, expiresAtMs }
      return Change.all(counters[index]?.(nowMs, expiresAtMs), Change.writing(Decision.put(VelocityEntry, entry)))
    })
    return { filteredBy, velocityEntries: Change.all(...counted) } satisfies RiskVerdict
  })

  return { countedBy, judge }
})
