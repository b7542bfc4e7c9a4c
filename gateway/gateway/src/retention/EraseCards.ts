/**
 * Erases card data and recipients: of an order, a stored card or a recurring payment at a person's request, and of orders
 * that ended long ago automatically.
 */

import { Clock, Data, Effect } from "effect"
import { CardRef } from "../cards/decide/CardRef.ts"
import type { Actor } from "../kernel/Audit.ts"
import * as Audit from "../kernel/Audit.ts"
import { Ids } from "../kernel/Ids.ts"
import { Store } from "../kernel/Store.ts"
import * as Transact from "../kernel/Transact.ts"
import { Order } from "../orders/record/Order.ts"
import { OrderRequest } from "../orders/record/OrderRequest.ts"
import * as PayoutLifecycle from "../orders/record/PayoutLifecycle.ts"
import { Payout } from "../recipients/Recipient.ts"
import { Subscription } from "../recurring/decide/Subscription.ts"
import * as SubscriptionLifecycle from "../recurring/decide/SubscriptionLifecycle.ts"
import { Authentication } from "../threeds/decide/Authentication.ts"
import * as Erasure from "./decide/Erasure.ts"

/** Nothing was erased. The message contains the reason. */
export class EraseRefused extends Data.TaggedError("EraseRefused")<{
  readonly what: "missing" | "conflict"
  readonly message: string
}> {}

const missing = (message: string) => new EraseRefused({ what: "missing", message })
const conflict = (message: string) => new EraseRefused({ what: "conflict", message })
const changed = () => conflict("it has changed meanwhile: ask again")

const mostRequests = 1000

/**
 * Returns the erasure of an order. Undefined if a request about the order is in flight or ended after `untilMs`, or if a
 * checked payout may still be paid.
 */
export const erasureOf = Effect.fnUntraced(function* (
  store: Store["Service"],
  order: Order,
  untilMs: number,
  nowMs: number
) {
  const requests = yield* store.find(OrderRequest, "order", { equals: [order.orderId], limit: mostRequests })
  const ended = Erasure.endedAtMs(requests)
  if (ended === undefined || ended > untilMs || PayoutLifecycle.isUnpaid(order.state)) return undefined
  const authentication = yield* store.load(Authentication, [order.orderId])
  const payout = yield* store.load(Payout, [order.orderId])
  return Erasure.ofOrder(order, { authentication, payout }, nowMs)
})

export const make = Effect.gen(function* () {
  const store = yield* Store
  const ids = yield* Ids

  const auditEntry = (
    actor: Actor,
    atMs: number,
    action: string,
    subject: Audit.Audited["subject"],
    detail: Audit.Audited["detail"] = {}
  ) => Audit.entry({ auditId: ids.next(), atMs, actor, action, subject, detail })

  const ofOrder = Effect.fn("EraseCards.ofOrder")(function* (orderId: string, actor: Actor) {
    const order = yield* store.load(Order, [orderId])
    if (order === undefined) return yield* missing("there is no such order")
    const atMs = yield* Clock.currentTimeMillis
    const decision = yield* erasureOf(store, order, atMs, atMs)
    if (decision === undefined)
      return yield* conflict(
        PayoutLifecycle.isUnpaid(order.state)
          ? "this payout may still be paid and needs its recipient: ask when it is paid, or when its check has lapsed, a day after it was made"
          : "a request about this order is under way and may need what would be erased: ask when it has ended"
      )
    const row = auditEntry(actor, atMs, "card.erase", { kind: "order", id: orderId })
    yield* Transact.commitOr(store, { ...decision, writes: [...decision.writes, row] }, changed)
  })

  const ofCardRef = Effect.fn("EraseCards.ofCardRef")(function* (cardRefId: string, actor: Actor) {
    const card = yield* store.load(CardRef, [cardRefId])
    if (card === undefined) return yield* missing("there is no such stored card")
    if (Erasure.isErased(card)) return
    const atMs = yield* Clock.currentTimeMillis
    const decision = Erasure.ofCardRef(card, atMs)
    const row = auditEntry(actor, atMs, "card.erase", { kind: "card-ref", id: cardRefId })
    yield* Transact.commitOr(store, { ...decision, writes: [...decision.writes, row] }, changed)
  })

  const ofSubscription = Effect.fn("EraseCards.ofSubscription")(function* (subscriptionId: string, actor: Actor) {
    const subscription = yield* store.load(Subscription, [subscriptionId])
    if (subscription === undefined) return yield* missing("there is no such recurring payment")
    const { state } = subscription
    if (!SubscriptionLifecycle.isOver(state))
      return yield* conflict(
        `this recurring payment is ${state} and needs its card: its merchant cancels it first, by update-recurring-payment`
      )
    const atMs = yield* Clock.currentTimeMillis
    const decision = Erasure.ofSubscription(subscription)
    const row = auditEntry(actor, atMs, "card.erase", { kind: "subscription", id: subscriptionId })
    yield* Transact.commitOr(store, { ...decision, writes: [...decision.writes, row] }, changed)
  })

  return { ofOrder, ofCardRef, ofSubscription }
})
