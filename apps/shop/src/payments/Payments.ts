/**
 * All payments of the shop: flows of `@pay/flows`, each with its outcome in the shop's books as its last step. They are
 * durable: whatever was under way when the process ended goes on when it starts again.
 */
import { Authorization, CardSale } from "@pay/flows/CardPayment"
import * as CustomerBrowser from "@pay/flows/CustomerBrowser"
import * as Durable from "@pay/flows/durable"
import type { Cipher } from "@pay/flows/durable/Cipher"
import * as Flow from "@pay/flows/Flow"
import type { FlowError } from "@pay/flows/FlowError"
import { HostedAuthorization, HostedSale } from "@pay/flows/HostedCheckout"
import { Capture, Refund, Void } from "@pay/flows/OrderAction"
import { CheckPayOut, PayChecked } from "@pay/flows/PayOut"
import { Rebill, Tokenize } from "@pay/flows/StoredCard"
import { ChangeSubscription, Subscribe } from "@pay/flows/Subscription"
import { Effect, Layer, Result, Schema } from "effect"
import { Wallet } from "../cards/Wallet.ts"
import { Actions } from "../office/Actions.ts"
import { Orders } from "../orders/Orders.ts"
import { Payouts } from "../payout/Payouts.ts"
import { isState, Subscriptions } from "../subscription/Subscriptions.ts"
import { booked, type Ended, paid, unkept, withoutCard, withUnkeptCard } from "./Booked.ts"
import * as Outcomes from "./Outcomes.ts"

export const hosted = { sale: booked(HostedSale, paid), reserve: booked(HostedAuthorization, paid) }

/** An action of the back office has ended: what became of it, and of its order. */
const acted = Effect.fnUntraced(function* (
  { client_orderid, name }: { readonly client_orderid: string; readonly name: string },
  ended: Ended
) {
  const { conclude } = yield* Actions
  if (Result.isFailure(ended)) {
    const status = Outcomes.isUnclear(ended.failure) ? "unclear" : "refused"
    return yield* conclude(name, status, Outcomes.reasonOf(ended.failure))
  }
  yield* (yield* Orders).conclude(client_orderid, Outcomes.ofFlow(ended))
  return yield* conclude(name, "done")
})

export const capture = booked(Capture, acted)
export const refund = booked(Refund, acted)
/** Under a name of its own, as the others: one that was refused may be asked for again. */
export const release = booked(
  Flow.make({
    ...Void,
    payload: Schema.Struct({ ...Void.payload.fields, name: Capture.payload.fields.name }),
    idempotencyKey: Capture.idempotencyKey,
    run: ({ name: _, ...payload }) => Void.run(payload)
  }),
  Effect.fnUntraced(function* (payload, ended) {
    if (Result.isSuccess(ended)) yield* (yield* Orders).released(payload.client_orderid)
    return yield* acted(payload, ended)
  })
)

/** The card of an order that was paid is the customer's to use again. */
export const keep = booked(
  Tokenize,
  Effect.fnUntraced(function* ({ client_orderid }, ended) {
    const order = yield* (yield* Orders).find(client_orderid)
    if (Result.isFailure(ended) || order === undefined || order.lastFour === null) return false
    return yield* (yield* Wallet).keep(order.visitor, { ref: ended.success.cardRefId, lastFour: order.lastFour })
  })
)

/** A subscription begins with the payment of an order. */
const begun = Effect.fnUntraced(function* (
  payload: { readonly client_orderid: string },
  ended: Result.Result<typeof Subscribe.success.Type, FlowError>
) {
  const orders = yield* Orders
  const order = yield* orders.find(payload.client_orderid)
  if (Result.isSuccess(ended) && order !== undefined) {
    const { nextChargeDate: nextDay = null, order: paidOrder, recurringPaymentId: id } = ended.success
    const { begin } = yield* Subscriptions
    const { id: orderId, product, visitor } = order
    yield* begin({ id, orderId, visitor, product, nextDay, lastFour: paidOrder.lastFour ?? null })
    yield* orders.subscribed(orderId, id)
  }
  return yield* paid(
    payload,
    Result.map(ended, ({ order }) => order)
  )
})

/** With a card that is kept: nobody sits at a browser. */
export const kept = {
  sale: booked(Rebill, paid),
  monthly: booked(Flow.make({ ...Subscribe, payload: Schema.Struct(withoutCard(Subscribe.payload.fields)) }), begun)
}

/** With the card of the shop's own form, which no file of the shop ever holds. */
export const byCard = {
  sale: withUnkeptCard(CardSale),
  reserve: withUnkeptCard(Authorization),
  monthly: unkept(booked(Flow.make({ ...Subscribe, name: "SubscribeByCard" }), begun))
}

/** Another card, a pause, the end of a subscription. */
export const change = booked(
  Flow.make({ ...ChangeSubscription, payload: Schema.Struct(withoutCard(ChangeSubscription.payload.fields)) }),
  Effect.fnUntraced(function* ({ cardrefid, "recurring-payment-id": id }, ended) {
    const { changed, find, stands } = yield* Subscriptions
    if (Result.isFailure(ended)) return yield* changed(id, { problem: ended.failure.message })
    const { nextChargeDate = null, status } = ended.success
    const cards = yield* (yield* Wallet).of((yield* find(id))?.visitor ?? "")
    if (isState(status)) yield* stands(id, status, nextChargeDate)
    return yield* changed(id, { lastFour: cards.find(({ ref }) => ref === cardrefid)?.lastFour ?? null })
  })
)

/** The supplier's account is good and the money set aside, or why not. */
const checked = Effect.fnUntraced(function* ({ client_orderid }: { readonly client_orderid: string }, ended: Ended) {
  const payouts = yield* Payouts
  return Result.isSuccess(ended)
    ? yield* payouts.checked(client_orderid, ended.success.orderId)
    : yield* payouts.conclude(client_orderid, "refused", Outcomes.reasonOf(ended.failure))
})

const paidOut = Effect.fnUntraced(function* ({ client_orderid }: { readonly client_orderid: string }, ended: Ended) {
  const { conclude } = yield* Payouts
  if (Result.isSuccess(ended)) return yield* conclude(client_orderid, "paid")
  const status = Outcomes.isUnclear(ended.failure) ? "unclear" : ended.failure.retryable ? "checked" : "refused"
  return yield* conclude(client_orderid, status, Outcomes.reasonOf(ended.failure))
})

export const payout = { check: booked(CheckPayOut, checked), pay: booked(PayChecked, paidOut) }

/** Whether the payment of this order was begun. */
export const isBegun = Effect.fnUntraced(function* (id: string) {
  const { result } = yield* Durable.Durable
  const checks = [
    Effect.isSuccess(result(hosted.sale, id)),
    Effect.isSuccess(result(hosted.reserve, id)),
    Effect.isSuccess(result(byCard.sale, id)),
    Effect.isSuccess(result(byCard.reserve, id)),
    Effect.isSuccess(result(byCard.monthly, id)),
    Effect.isSuccess(result(kept.sale, id)),
    Effect.isSuccess(result(kept.monthly, id))
  ]
  return (yield* Effect.all(checks)).includes(true)
})

/** The port to the customer's browser: the next page of the order sends it there. */
const customerBrowser = Layer.effect(
  CustomerBrowser.CustomerBrowser,
  Effect.map(Orders, (orders) => ({
    send: ({ clientOrderId, errand: nextAction }: CustomerBrowser.Visit) =>
      Effect.asVoid(orders.send(clientOrderId, nextAction))
  }))
)

/** The flows under way, in a file of their own, sealed: who gets money stands in it. */
export const layer = (path: string, cipher: Cipher) =>
  Durable.layer({
    path,
    cipher,
    flows: Layer.mergeAll(
      Durable.flow(hosted.sale),
      Durable.flow(hosted.reserve),
      Durable.flow(byCard.sale),
      Durable.flow(byCard.reserve),
      Durable.flow(byCard.monthly),
      Durable.flow(capture),
      Durable.flow(release),
      Durable.flow(refund),
      Durable.flow(keep),
      Durable.flow(kept.sale),
      Durable.flow(kept.monthly),
      Durable.flow(change),
      Durable.flow(payout.check),
      Durable.flow(payout.pay)
    ).pipe(Layer.provide(customerBrowser))
  })
