/**
 * A card that the merchant has stored, by `card-ref-id` or `recurring-payment-id`: of a stored card both are one number, of a
 * recurring payment the card that it charges. Another merchant's, a removed and an unknown one are the same: undefined.
 */
import { Effect, type Redacted } from "effect"
import { ownCard } from "../cards/AnswerCardInfo.ts"
import type { CardRef } from "../cards/CardRef.ts"
import { chargeProblem } from "../cards/CardRef.ts"
import type { Store } from "../kernel/Store.ts"
import { ownSubscription } from "../recurring/LoadSubscription.ts"
import * as SubscriptionLife from "../recurring/SubscriptionLife.ts"
import type { KeyVault } from "../vault/KeyVault.ts"

export interface StoredCard
  extends Pick<
    CardRef,
    "panHash" | "bin" | "lastFour" | "cardType" | "cardholder" | "expireMonth" | "expireYear" | "orderId"
  > {
  readonly pan: Redacted.Redacted<string>
  /** Why it may not be charged in its holder's absence; undefined: it may. */
  readonly notChargeable: string | undefined
}

type Vault = KeyVault["Service"]

/** By `card-ref-id`. */
export const byReference = Effect.fnUntraced(function* (
  store: Store["Service"],
  vault: Vault,
  merchantId: string,
  cardRefId: string
) {
  const card = yield* ownCard(store, merchantId, cardRefId)
  if (card === undefined) return undefined
  const pan = yield* Effect.orDie(vault.open(card.sealedPan, cardRefId))
  return { ...card, pan, notChargeable: chargeProblem(card) } satisfies StoredCard
})

/** By `recurring-payment-id`. */
export const byRecurring = Effect.fnUntraced(function* (
  store: Store["Service"],
  vault: Vault,
  merchantId: string,
  id: string
) {
  const card: StoredCard | undefined = yield* byReference(store, vault, merchantId, id)
  if (card !== undefined) return card
  const subscription = yield* ownSubscription(store, merchantId, id)
  if (subscription === undefined || subscription.sealedPan.length === 0) return undefined
  const pan = yield* Effect.orDie(vault.open(subscription.sealedPan, id))
  const idle = `Recurring payment ${id} is ${subscription.state}; only an active one's card is charged without its holder`
  const notChargeable = SubscriptionLife.isCharged(subscription.state) ? undefined : idle
  return { ...subscription, pan, notChargeable } satisfies StoredCard
})
