/** The table of everything that a merchant of the world may want. */

import { cards } from "./actions/Cards.ts"
import { family, familyOnOrders } from "./actions/FamilyOperations.ts"
import { followUps } from "./actions/FollowUps.ts"
import * as Pages from "./actions/Pages.ts"
import { checkedPayouts, payouts } from "./actions/Payouts.ts"
import { programs, programsOnOrders } from "./actions/Programs.ts"
import { questions } from "./actions/StatusQueries.ts"
import { cardsWithoutOrder, storedCards } from "./actions/StoredCards.ts"
import { ofSubscriptions, subscriptions } from "./actions/Subscriptions.ts"
import { transfers } from "./actions/Transfers.ts"
import type { ActionKind } from "./MerchantAction.ts"

/** What creates an order, without 3-D Secure unless a page has it. */
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

/** What creates an order whose card goes through 3-D Secure. */
export const authenticated = Pages.authenticated([...cards, ...subscriptions, ...transfers])

/** What creates an order. */
export const creations: ReadonlyArray<ActionKind> = [...plain, ...authenticated]

/** What needs an order that is there. */
export const followers: ReadonlyArray<ActionKind> = [
  ...followUps,
  ...checkedPayouts,
  ...storedCards,
  ...ofSubscriptions,
  ...programsOnOrders,
  ...familyOnOrders,
  ...questions
]
