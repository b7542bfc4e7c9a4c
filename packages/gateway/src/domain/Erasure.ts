/**
 * Forgetting a person's data: the sealed number and its hash, and how the customer could be reached. What remains is what the
 * books need: amounts, states, first six and last four digits. Follow-ups name the bank's own reference and need no number.
 */
import * as Decision from "./Decision.ts"
import { Authentication } from "./entities/Authentication.ts"
import { Card, Cvv } from "./entities/Card.ts"
import { CardRef } from "./entities/CardRef.ts"
import { Order } from "./entities/Order.ts"
import type { OrderRequest } from "./entities/OrderRequest.ts"

/** When the last request about an order ended; undefined: one is under way, and may need the card. */
export const endedAtMs = (requests: ReadonlyArray<OrderRequest>): number | undefined => {
  let last = 0
  for (const { finishedAtMs } of requests) {
    if (finishedAtMs === null) return undefined
    last = Math.max(last, finishedAtMs)
  }
  return last
}

export const ofOrder = (order: Order, authentication: Authentication | undefined): Decision.Decision => ({
  guards: [
    Decision.versionIs(Order, [order.orderId], order.version),
    ...(authentication === undefined
      ? []
      : [Decision.versionIs(Authentication, [order.orderId], authentication.version)])
  ],
  writes: [
    Decision.put(Order, {
      ...order,
      version: order.version + 1,
      cardholder: "",
      email: "",
      phone: null,
      ipAddress: ""
    }),
    Decision.remove(Card, [order.orderId]),
    Decision.remove(Cvv, [order.orderId]),
    ...(authentication === undefined
      ? []
      : [
          Decision.put(Authentication, {
            ...authentication,
            version: authentication.version + 1,
            browser: null,
            creq: null,
            pareq: null,
            sealedAuthenticationValue: null
          })
        ])
  ]
})

const nothing = new Uint8Array(0)

/** A stored card's row stays, so that its reference is refused and never given to another card. */
export const ofCardRef = (card: CardRef, nowMs: number): Decision.Decision => ({
  guards: [Decision.versionIs(CardRef, [card.cardRefId], card.version)],
  writes: [
    Decision.put(CardRef, {
      ...card,
      version: card.version + 1,
      sealedPan: nothing,
      panHash: `erased:${card.cardRefId}`,
      cardholder: "",
      removedAtMs: card.removedAtMs ?? nowMs
    })
  ]
})

export const isErased = (card: CardRef): boolean => card.sealedPan.length === 0
