/** The table of all merchant actions. */

import { cards } from "./actions/Cards.ts"
import { family, familyOnOrders } from "./actions/FamilyOperations.ts"
import { followUps } from "./actions/FollowUps.ts"
import * as Pages from "./actions/Pages.ts"
import { checkedPayouts, payouts } from "./actions/Payouts.ts"
import { programs, programsOnOrders } from "./actions/Programs.ts"
import { statusQueries } from "./actions/StatusQueries.ts"
import { cardsWithoutOrder, storedCards } from "./actions/StoredCards.ts"
import { subscriptionFollowUps, subscriptions } from "./actions/Subscriptions.ts"
import { transfers } from "./actions/Transfers.ts"
import type { ActionKind } from "./MerchantAction.ts"

/** Actions that create an order, without 3-D Secure except on hosted pages. */
export const plain: ReadonlyArray<ActionKind> = [
  ...cards,
  ...payouts,
  ...cardsWithoutOrder,
  ...transfers,
  ...subscriptions,
  ...programs,
  ...family,
  ...Pages.hosted
]

/** Actions that create an order with 3-D Secure. */
export const authenticated = Pages.authenticated([...cards, ...subscriptions, ...transfers])

/** Actions that create an order. */
export const creations: ReadonlyArray<ActionKind> = [...plain, ...authenticated]

/** Actions that follow up an existing order. */
export const followers: ReadonlyArray<ActionKind> = [
  ...followUps,
  ...checkedPayouts,
  ...storedCards,
  ...subscriptionFollowUps,
  ...programsOnOrders,
  ...familyOnOrders,
  ...statusQueries
]
