/**
 * Erases a person's data: the encrypted card number and its hash, and the customer's contact data. The data for the books
 * remains: amounts, states, first six and last four digits. Follow-ups use the bank's reference and need no card number.
 */

import { CardRef } from "../../cards/decide/CardRef.ts"
import * as Change from "../../kernel/Change.ts"
import * as Decision from "../../kernel/Decision.ts"
import { Card, Cvv } from "../../orders/record/Card.ts"
import { Order } from "../../orders/record/Order.ts"
import type { OrderRequest } from "../../orders/record/OrderRequest.ts"
import { Payout } from "../../recipients/Recipient.ts"
import { Subscription } from "../../recurring/decide/Subscription.ts"
import { Authentication } from "../../threeds/decide/Authentication.ts"

/** Returns when the last request about an order ended; undefined if one is in flight, which may need the card. */
export const endedAtMs = (requests: ReadonlyArray<OrderRequest>): number | undefined => {
  let last = 0
  for (const { finishedAtMs } of requests) {
    if (finishedAtMs === null) return undefined
    last = Math.max(last, finishedAtMs)
  }
  return last
}

const nothing = new Uint8Array(0)

/** The rows that belong to an order and contain personal data. */
export interface RelatedRows {
  readonly authentication: Authentication | undefined
  /** The recipient of the order's money; undefined when the order paid nothing out. */
  readonly payout: Payout | undefined
}

export const ofOrder = (order: Order, { authentication, payout }: RelatedRows, nowMs: number): Change.Change =>
  Change.all(
    Change.update(Order, order, { cardholder: "", email: "", customer: "", phone: null, ipAddress: "", billing: null }),
    Change.writing(Decision.remove(Card, [order.orderId]), Decision.remove(Cvv, [order.orderId])),
    payout === undefined
      ? undefined
      : Change.update(Payout, payout, {
          encryptedDestination: nothing,
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
          encryptedAuthenticationValue: null
        })
  )

/** Erases a stored card. Its row remains, so that its reference is refused and never assigned to another card. */
export const ofCardRef = (card: CardRef, nowMs: number): Change.Change =>
  Change.update(CardRef, card, {
    encryptedPan: nothing,
    panHash: `erased:${card.cardRefId}`,
    cardholder: "",
    removedAtMs: card.removedAtMs ?? nowMs
  })

export const isErased = (card: CardRef): boolean => card.encryptedPan.length === 0

export const isErasedSubscription = ({ panHash, subscriptionId }: Subscription): boolean =>
  panHash === `erased:${subscriptionId}`

/** Erases a recurring payment that is over: any encrypted number, and the data about the payer. */
export const ofSubscription = (subscription: Subscription): Change.Change =>
  Change.update(Subscription, subscription, {
    encryptedPan: nothing,
    panHash: `erased:${subscription.subscriptionId}`,
    cardholder: "",
    email: "",
    phone: null,
    ipAddress: ""
  })
