/** The table of everything that a merchant of the world may want. */
import type { WishKind } from "./Wish.ts"
import { cards } from "./wishes/Cards.ts"
import { family, familyOnOrders } from "./wishes/Family.ts"
import { followUps } from "./wishes/FollowUps.ts"
import * as Pages from "./wishes/Pages.ts"
import { checkedPayouts, payouts } from "./wishes/Payouts.ts"
import { programs, programsOnOrders } from "./wishes/Programs.ts"
import { questions } from "./wishes/Questions.ts"
import { keptCards, storedCards } from "./wishes/StoredCards.ts"
import { ofSubscriptions, subscriptions } from "./wishes/Subscriptions.ts"
import { transfers } from "./wishes/Transfers.ts"

/** What creates an order, without 3-D Secure unless a page has it. */
export const plain: ReadonlyArray<WishKind> = [
  ...cards,
  ...payouts,
  ...keptCards,
  ...transfers,
  ...subscriptions,
  ...programs,
  ...family,
  ...Pages.hosted
]

/** What creates an order whose card goes through 3-D Secure. */
export const authenticated = Pages.authenticated([...cards, ...subscriptions, ...transfers])

/** What creates an order. */
export const creations: ReadonlyArray<WishKind> = [...plain, ...authenticated]

/** What needs an order that is there. */
export const followers: ReadonlyArray<WishKind> = [
  ...followUps,
  ...checkedPayouts,
  ...storedCards,
  ...ofSubscriptions,
  ...programsOnOrders,
  ...familyOnOrders,
  ...questions
]
