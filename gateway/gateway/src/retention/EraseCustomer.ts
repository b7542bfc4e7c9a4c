/**
 * Erases what is stored of one customer, found by e-mail address: orders with their cards and recipients, stored cards, and recurring
 * payments that are over. What is still needed is left, and says why.
 */
import * as EmailAddress from "@pay/schema/EmailAddress"
import { Effect } from "effect"
import { CardRef } from "../cards/decide/CardRef.ts"
import type { Actor } from "../kernel/Audit.ts"
import * as KeysetPage from "../kernel/KeysetPage.ts"
import { Store } from "../kernel/Store.ts"
import { Card } from "../orders/record/Card.ts"
import { Order } from "../orders/record/Order.ts"
import { Subscription } from "../recurring/decide/Subscription.ts"
import * as SubscriptionLifecycle from "../recurring/decide/SubscriptionLifecycle.ts"
import * as Erasure from "./decide/Erasure.ts"
import * as EraseCards from "./EraseCards.ts"

/** Number of orders that one page reads. */
const pageSize = 100

export interface Customer {
  readonly email: string
  /** Only the orders of this merchant. `undefined`: of all merchants. */
  readonly merchantId: string | undefined
  readonly after: KeysetPage.Cursor | undefined
}

export const make = Effect.gen(function* () {
  const store = yield* Store
  const erase = yield* EraseCards.make

  /** Returns the recurring payment that the order charges, or with which it was created. */
  const subscriptionOf = ({ orderId, subscriptionId }: Order) =>
    subscriptionId === null ? store.load(Subscription, [orderId], "order") : store.load(Subscription, [subscriptionId])

  /** Returns the stored card of the order's card. */
  const storedCardOf = Effect.fnUntraced(function* ({ merchantId, orderId }: Order) {
    const card = yield* store.load(Card, [orderId])
    return card && (yield* store.load(CardRef, [merchantId, card.panHash], "card"))
  })

  /**
   * Erases an order last, because it leads to the others. The order that created a recurring payment waits until that is over: it is the
   * one by which the payment is found again.
   */
  const eraseOrder = Effect.fnUntraced(function* (order: Order, actor: Actor) {
    const subscription = yield* subscriptionOf(order)
    const isNeeded = subscription !== undefined && !SubscriptionLifecycle.isOver(subscription.state)
    if (subscription !== undefined && !Erasure.isErasedSubscription(subscription))
      if (!isNeeded || subscription.orderId === order.orderId)
        yield* erase.ofSubscription(subscription.subscriptionId, actor)
    const storedCard = yield* storedCardOf(order)
    if (storedCard !== undefined) yield* erase.ofCardRef(storedCard.cardRefId, actor)
    yield* erase.ofOrder(order.orderId, actor)
  })

  return Effect.fn("EraseCustomer")(function* ({ after, email, merchantId }: Customer, actor: Actor) {
    const page = yield* KeysetPage.newest(store, Order, "customer", {
      equals: [EmailAddress.customer(email)],
      after,
      limit: pageSize
    })
    const own = page.filter((order) => merchantId === undefined || order.merchantId === merchantId)
    const left = yield* Effect.forEach(own, (order) =>
      eraseOrder(order, actor).pipe(
        Effect.as([]),
        Effect.catchTag("EraseRefused", ({ message }) => Effect.succeed([{ order: order.orderId, reason: message }]))
      )
    )
    const next = KeysetPage.nextOf(page, pageSize, ({ createdAtMs, orderId }) => ({ atMs: createdAtMs, key: orderId }))
    const kept = left.flat()
    return { erased: own.length - kept.length, kept, next }
  })
})
