/**
 * Erases card data and recipients: of an order, a stored card or a recurring payment at a person's request, and of orders
 * that ended long ago automatically.
 */

import { Cause, Clock, Data, Effect, Layer } from "effect"
import { CardRef } from "../cards/decide/CardRef.ts"
import type { Actor } from "../kernel/Audit.ts"
import * as Audit from "../kernel/Audit.ts"
import { ClockTrust } from "../kernel/ClockTrust.ts"
import * as Decision from "../kernel/Decision.ts"
import { Ids } from "../kernel/Ids.ts"
import type { Cursor, Range } from "../kernel/KeysetPage.ts"
import * as KeysetPage from "../kernel/KeysetPage.ts"
import { Settings } from "../kernel/Settings.ts"
import { Store } from "../kernel/Store.ts"
import * as Transact from "../kernel/Transact.ts"
import { Card } from "../orders/record/Card.ts"
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
const batchRows = 200

export const make = Effect.gen(function* () {
  const store = yield* Store
  const ids = yield* Ids
  const { cardRetentionMs } = yield* Settings

  /** Lists orders that still have encrypted data, oldest first. */
  const withData = {
    cards: (range: Range) =>
      Effect.map(KeysetPage.oldest(store, Card, "created", range), (rows) =>
        rows.map(({ cardId, createdAtMs }): Cursor => ({ atMs: createdAtMs, key: cardId }))
      ),
    payouts: (range: Range) =>
      Effect.map(KeysetPage.oldest(store, Payout, "erased", { ...range, equals: [null] }), (rows) =>
        rows.map(({ createdAtMs, orderId }): Cursor => ({ atMs: createdAtMs, key: orderId }))
      )
  }
  const next = { cards: "payouts", payouts: "cards" } as const
  /** The position of the sweep. After its end it starts again, and then reaches the rows that were still in use before. */
  let sweepPosition: { kind: keyof typeof withData; after: Cursor | undefined } = { kind: "cards", after: undefined }

  const auditEntry = (
    actor: Actor,
    atMs: number,
    action: string,
    subject: Audit.Audited["subject"],
    detail: Audit.Audited["detail"] = {}
  ) => Audit.entry({ auditId: ids.next(), atMs, actor, action, subject, detail })

  /**
   * Returns the erasure of an order. Undefined if a request about the order is in flight or ended after `untilMs`, or if a
   * checked payout may still be paid.
   */
  const decisionOf = Effect.fnUntraced(function* (order: Order, untilMs: number, nowMs: number) {
    const requests = yield* store.find(OrderRequest, "order", { equals: [order.orderId], limit: mostRequests })
    const ended = Erasure.endedAtMs(requests)
    if (ended === undefined || ended > untilMs || PayoutLifecycle.isUnpaid(order.state)) return undefined
    const authentication = yield* store.load(Authentication, [order.orderId])
    const payout = yield* store.load(Payout, [order.orderId])
    return Erasure.ofOrder(order, { authentication, payout }, nowMs)
  })

  const ofOrder = Effect.fn("EraseCards.ofOrder")(function* (orderId: string, actor: Actor) {
    const order = yield* store.load(Order, [orderId])
    if (order === undefined) return yield* missing("there is no such order")
    const atMs = yield* Clock.currentTimeMillis
    const decision = yield* decisionOf(order, atMs, atMs)
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

  /** Erases one batch of orders that ended long enough ago. Returns false once the sweep has reached its end. */
  const expired = Effect.gen(function* () {
    const nowMs = yield* Clock.currentTimeMillis
    const untilMs = nowMs - cardRetentionMs
    const { after, kind } = sweepPosition
    const rows = yield* withData[kind]({ toMs: untilMs, after, limit: batchRows })
    const last = rows.at(-1)
    sweepPosition = last === undefined ? { kind: next[kind], after: undefined } : { kind, after: last }
    let erased = 0
    for (const { key: orderId } of rows) {
      const order = yield* store.load(Order, [orderId])
      const decision =
        order === undefined
          ? { guards: [], writes: [Decision.remove(Card, [orderId])] }
          : yield* decisionOf(order, untilMs, nowMs)
      if (decision === undefined) continue
      if ((yield* Transact.lostGuardOf(store, decision)) === undefined) erased += 1
    }
    if (erased > 0) {
      const row = auditEntry("gateway", nowMs, "card.expire", { kind: "cards", id: "all" }, { erased })
      yield* Transact.record(store, [row])
    }
    return last !== undefined || sweepPosition.kind !== "cards"
  })

  return { ofOrder, ofCardRef, ofSubscription, expired }
})

const every = "1 hour"

/** Erases card data and recipients of orders that ended longer ago than the retention time, in batches, once an hour, unless the time is uncertain. */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { expired } = yield* make
    const clockTrust = yield* ClockTrust
    yield* Effect.suspend(() => (clockTrust.isTrusted() ? expired : Effect.succeed(false))).pipe(
      Effect.tap(() => Effect.yieldNow),
      Effect.repeat({ while: (more) => more }),
      Effect.catchCause((cause) =>
        Cause.hasInterruptsOnly(cause)
          ? Effect.failCause(cause)
          : Effect.as(Effect.logWarning("Card data has to wait for its erasure", cause), 0)
      ),
      Effect.delay(every),
      Effect.forever,
      Effect.forkScoped
    )
  })
)
