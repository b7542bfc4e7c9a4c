/**
 * Forgetting a person's data: the sealed number and its hash, and how the customer could be reached. What remains is what the
 * books need: amounts, states, first six and last four digits. Follow-ups name the bank's own reference and need no number.
 */

import { CardRef } from "../cards/CardRef.ts"
import * as Change from "../kernel/Change.ts"
import * as Decision from "../kernel/Decision.ts"
import { Card, Cvv } from "../orders/Card.ts"
import { Order } from "../orders/Order.ts"
import type { OrderRequest } from "../orders/OrderRequest.ts"
import { Payout } from "../recipients/Recipient.ts"
import { Subscription } from "../recurring/Subscription.ts"
import { Authentication } from "../threeds/Authentication.ts"

/** When the last request about an order ended; undefined: one is under way, and may need the card. */
export const endedAtMs = (requests: ReadonlyArray<OrderRequest>): number | undefined => {
  let last = 0
  for (const { finishedAtMs } of requests) {
    if (finishedAtMs === null) return undefined
    last = Math.max(last, finishedAtMs)
  }
  return last
}

const nothing = new Uint8Array(0)

/** What an order has beside its own row. */
export interface Beside {
  readonly authentication: Authentication | undefined
  /** The recipient of the order's money; undefined when the order paid nothing out. */
  readonly payout: Payout | undefined
}

export const ofOrder = (order: Order, { authentication, payout }: Beside, nowMs: number): Change.Change =>
  Change.all(
    Change.update(Order, order, { cardholder: "", email: "", phone: null, ipAddress: "" }),
    Change.writing(Decision.remove(Card, [order.orderId]), Decision.remove(Cvv, [order.orderId])),
    payout === undefined
      ? undefined
      : Change.update(Payout, payout, {
          sealedDestination: nothing,
          recipient: `erased:${order.orderId}`,
          purpose: null,
          erasedAtMs: payout.erasedAtMs ?? nowMs
        }),
    authentication === undefined
      ? undefined
      : Change.update(Authentication, authentication, {
          browser: null,
          creq: null,
          pareq: null,
          sealedAuthenticationValue: null
        })
  )

/** A stored card's row stays, so that its reference is refused and never given to another card. */
export const ofCardRef = (card: CardRef, nowMs: number): Change.Change =>
  Change.update(CardRef, card, {
    sealedPan: nothing,
    panHash: `erased:${card.cardRefId}`,
    cardholder: "",
    removedAtMs: card.removedAtMs ?? nowMs
  })

export const isErased = (card: CardRef): boolean => card.sealedPan.length === 0

/** A recurring payment that is over has no sealed number any more; what told who paid goes, too. */
export const ofSubscription = (subscription: Subscription): Change.Change =>
  Change.update(Subscription, subscription, {
    sealedPan: nothing,
    panHash: `erased:${subscription.subscriptionId}`,
    cardholder: "",
    email: "",
    phone: null,
    ipAddress: ""
  })
