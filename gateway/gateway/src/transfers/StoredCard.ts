/**
 * A card that the merchant has stored, by `card-ref-id` or `recurring-payment-id`. For a stored card both are the same
 * number; for a recurring payment it is the card that is charged. The result is undefined if the card does not exist, is
 * removed, or belongs to another merchant.
 */
import { Effect, type Redacted } from "effect"
import { ownCard } from "../cards/AnswerCardInfo.ts"
import type { CardRef } from "../cards/decide/CardRef.ts"
import { chargeProblem } from "../cards/decide/CardRef.ts"
import type { Store } from "../kernel/Store.ts"
import * as SubscriptionLifecycle from "../recurring/decide/SubscriptionLifecycle.ts"
import { ownSubscription } from "../recurring/LoadSubscription.ts"
import type { KeyVault } from "../vault/KeyVault.ts"

export interface StoredCard
  extends Pick<
    CardRef,
    | "bin"
    | "cardholder"
    | "cardType"
    | "expireMonth"
    | "expireYear"
    | "lastFour"
    | "orderId"
    | "panHash"
    | "schemeReference"
  > {
  readonly pan: Redacted.Redacted<string>
  /** Why the card may not be charged without its holder; undefined if it may. */
  readonly notChargeable: string | undefined
}

type Vault = KeyVault["Service"]

/** Loads a card by its `card-ref-id`. */
export const byReference = Effect.fnUntraced(function* (
  store: Store["Service"],
  vault: Vault,
  merchantId: string,
  cardRefId: string
) {
  const card = yield* ownCard(store, merchantId, cardRefId)
  if (card === undefined) return undefined
  const pan = yield* Effect.orDie(vault.decrypt(card.encryptedPan, cardRefId))
  return { ...card, pan, notChargeable: chargeProblem(card) } satisfies StoredCard
})

/** Loads a card by its `recurring-payment-id`. */
export const byRecurring = Effect.fnUntraced(function* (
  store: Store["Service"],
  vault: Vault,
  merchantId: string,
  id: string
) {
  const card: StoredCard | undefined = yield* byReference(store, vault, merchantId, id)
  if (card !== undefined) return card
  const subscription = yield* ownSubscription(store, merchantId, id)
  if (subscription === undefined || subscription.encryptedPan.length === 0) return undefined
  const pan = yield* Effect.orDie(vault.decrypt(subscription.encryptedPan, id))
  const idle = `Recurring payment ${id} is ${subscription.state}; only an active one's card is charged without its holder`
  const notChargeable = SubscriptionLifecycle.isCharged(subscription.state) ? undefined : idle
  return { ...subscription, pan, notChargeable } satisfies StoredCard
})
