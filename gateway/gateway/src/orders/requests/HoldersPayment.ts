/** Whether the holder of a card has paid a merchant with it. */
import { Effect } from "effect"
import type { Store } from "../../kernel/Store.ts"
import { Card } from "../record/Card.ts"
import * as Lifecycle from "../record/Lifecycle.ts"
import { Order } from "../record/Order.ts"

/** Highest number of payments with one card that are searched. */
const mostPayments = 100

/** `sinceMs`: the payment must be newer, in Unix time. */
export const isMade = Effect.fnUntraced(function* (
  store: Store["Service"],
  merchantId: string,
  panHash: string,
  sinceMs = 0
) {
  const sameCards = yield* store.find(Card, "pan", {
    equals: [merchantId, panHash],
    limit: mostPayments,
    descending: true
  })
  for (const { cardId } of sameCards) {
    const order = yield* store.load(Order, [cardId])
    if (order?.initiator === "cardholder" && Lifecycle.isApproved(order.state) && order.createdAtMs > sinceMs)
      return true
  }
  return false
})
