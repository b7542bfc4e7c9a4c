/**
 * The shop's payments: flows of `@pay/flows`, each with one more step that writes its outcome into the book of orders. They
 * are durable: whatever was under way when the process ended goes on when it starts again.
 */
import { CardSale, Reserve } from "@pay/flows/CardPayment"
import * as Durable from "@pay/flows/durable"
import type { Cipher } from "@pay/flows/durable/Cipher"
import * as Flow from "@pay/flows/Flow"
import type { FlowError } from "@pay/flows/FlowError"
import { HostedReserve, HostedSale } from "@pay/flows/HostedCheckout"
import { Capture, GiveBack } from "@pay/flows/OrderAction"
import type { OrderStatus } from "@pay/flows/OrderStatus"
import { CheckPayOut, PayChecked } from "@pay/flows/PayOut"
import * as Shopper from "@pay/flows/Shopper"
import * as Steps from "@pay/flows/Steps"
import { Rebill, Tokenize } from "@pay/flows/StoredCard"
import { ChangeSubscription, Subscribe } from "@pay/flows/Subscription"
import * as Money from "@pay/schema/Money"
import * as GatewayStatus from "@pay/schema/Status"
import { Effect, Layer, Redacted, Result, Schema } from "effect"
import { Actions } from "./Actions.ts"
import { Orders, type Outcome, type Status } from "./Orders.ts"
import { Payouts } from "./Payouts.ts"

const minor = (amount: string | undefined, currency: string | undefined): number =>
  amount === undefined || currency === undefined ? 0 : Result.getOrElse(Money.toMinor(amount, currency), () => 0)

/** What the gateway says of an order, in the shop's words. */
const outcomeOf = (status: Status, order: OrderStatus | undefined, reason?: string): Outcome =>
  order === undefined
    ? { status, reason }
    : {
        status,
        reason,
        gatewayId: order.orderId,
        capturedMinor: minor(order.capturedAmount, order.currency),
        returnedMinor: minor(order.returnedAmount, order.currency),
        lastFour: order.lastFour
      }

const ends: Readonly<Record<FlowError["_tag"], Status>> = {
  Declined: "declined",
  Filtered: "declined",
  NotAuthenticated: "declined",
  Abandoned: "abandoned",
  Failed: "failed",
  Refused: "failed",
  Unreachable: "failed",
  NeverHappened: "failed",
  StillUnknown: "unclear",
  NeedsAPerson: "unclear"
}

const failed = (error: FlowError): Outcome =>
  outcomeOf(ends[error._tag], "order" in error ? error.order : undefined, error.message)

/** A callback came: how the order stands, as `status` tells it. Before it is final, its flow knows better. */
export const told = Effect.fnUntraced(function* (order: OrderStatus) {
  if (!GatewayStatus.isFinal(order.status)) return
  const orders = yield* Orders
  const known = yield* orders.find(order.clientOrderId)
  // The flow tells apart why a payment failed; the callback only helps where no flow is left to do so.
  if (order.status !== "approved" && known?.status === "open") return
  const status = order.status === "approved" ? "approved" : "declined"
  yield* orders.conclude(order.clientOrderId, outcomeOf(status, order, order.errorMessage))
})

type Ended = Result.Result<OrderStatus, FlowError>

/** The outcome of a payment. */
const paid = (payload: { readonly client_orderid: string }, ended: Ended) =>
  Effect.flatMap(Orders, ({ conclude }) =>
    conclude(
      payload.client_orderid,
      Result.match(ended, { onSuccess: (order) => outcomeOf("approved", order), onFailure: failed })
    )
  )

/** What became of an action, and of its order. */
const acted = Effect.fnUntraced(function* (
  { client_orderid, name }: { readonly client_orderid: string; readonly name: string },
  ended: Ended
) {
  const { conclude } = yield* Actions
  const orders = yield* Orders
  if (Result.isFailure(ended)) return yield* conclude(name, "refused", ended.failure.message)
  yield* orders.conclude(client_orderid, outcomeOf("approved", ended.success))
  return yield* conclude(name, "done")
})

/** The flow, with one more step as its last: its outcome in the book. */
const booked = <N extends string, P extends Flow.Fields, A extends Flow.Written, E extends Flow.Written, R>(
  flow: Flow.Flow<N, P, A, E, R>,
  write: (
    payload: Schema.Struct.Type<P>,
    ended: Result.Result<A["Type"], E["Type"]>
  ) => Effect.Effect<boolean, never, Orders | Actions | Payouts>
) =>
  Flow.make({
    ...flow,
    run: Effect.fnUntraced(function* (payload) {
      const ended = yield* Effect.result(flow.run(payload))
      yield* Steps.step("book", { success: Schema.Boolean, error: Schema.Never }, write(payload, ended))
      return yield* Effect.fromResult(ended)
    })
  })

/**
 * A payment whose card no file of the shop ever holds, not even sealed: number and expiry go to the flow's first run and
 * are forgotten, as the security code is. Started again before the gateway had the order, the flow sends nothing: it asks
 * `status`, and without the order ends `NeverHappened`.
 */
const unkept = <N extends string>(
  flow: Flow.Flow<N, CardFields, typeof CardSale.success, typeof CardSale.error, Needs>
) => {
  const { credit_card_number, "destination-card-no": _, expire_month, expire_year, ...fields } = flow.payload.fields
  const card = {
    credit_card_number: Schema.optionalKey(credit_card_number),
    expire_month: Schema.optionalKey(expire_month),
    expire_year: Schema.optionalKey(expire_year)
  }
  const gone = { credit_card_number: Redacted.make(""), expire_month: 1, expire_year: 2000 }
  const made = Flow.make({
    ...flow,
    payload: Schema.Struct({ ...fields, ...card }),
    idempotencyKey: ({ client_orderid }) => client_orderid,
    run: (payload) => flow.run({ ...gone, ...payload })
  })
  return { ...booked(made, paid), neverKept: [...made.neverKept, ...Object.keys(card)], keptSealed: [] }
}

type CardFields = typeof CardSale.payload.fields
type Needs = Effect.Services<ReturnType<typeof CardSale.run>>

/** Begins a subscription with a card that is kept. */
const begun = Effect.fnUntraced(function* (
  payload: { readonly client_orderid: string },
  ended: Result.Result<typeof Subscribe.success.Type, FlowError>
) {
  const { subscribed } = yield* Orders
  if (Result.isSuccess(ended)) yield* subscribed(payload.client_orderid, ended.success.recurringPaymentId)
  return yield* paid(
    payload,
    Result.map(ended, ({ order }) => order)
  )
})

/** Fields of a request that is about a kept card. */
export const withoutCard = <F extends Partial<Record<CardField | "login", unknown>>>(
  fields: F
): Omit<F, CardField | "login"> => {
  const {
    card_printed_name: _n,
    credit_card_number: _c,
    cvv2: _v,
    expire_month: _m,
    expire_year: _y,
    login: _l,
    ...others
  } = fields
  return others
}

type CardField = "card_printed_name" | "credit_card_number" | "cvv2" | "expire_month" | "expire_year"

export const kept = {
  sale: booked(Rebill, paid),
  monthly: booked(Flow.make({ ...Subscribe, payload: Schema.Struct(withoutCard(Subscribe.payload.fields)) }), begun)
}
export const change = Flow.make({
  ...ChangeSubscription,
  payload: Schema.Struct(withoutCard(ChangeSubscription.payload.fields))
})

/** The account is good and the money set aside, or why not. */
const checked = Effect.fnUntraced(function* ({ client_orderid }: { readonly client_orderid: string }, ended: Ended) {
  const payouts = yield* Payouts
  return Result.isSuccess(ended)
    ? yield* payouts.checked(client_orderid, ended.success.orderId)
    : yield* payouts.conclude(client_orderid, "refused", ended.failure.message)
})

const paidOut = Effect.fnUntraced(function* ({ client_orderid }: { readonly client_orderid: string }, ended: Ended) {
  const { conclude } = yield* Payouts
  if (Result.isSuccess(ended)) return yield* conclude(client_orderid, "paid")
  const { message, retryable } = ended.failure
  return yield* conclude(client_orderid, retryable ? "checked" : "refused", message)
})

export const payout = { check: booked(CheckPayOut, checked), pay: booked(PayChecked, paidOut) }

export const hosted = { sale: booked(HostedSale, paid), reserve: booked(HostedReserve, paid) }
export const byCard = { sale: unkept(CardSale), reserve: unkept(Reserve) }

export const capture = booked(Capture, acted)
export const refund = booked(GiveBack, acted)

/** Whether the payment of this order was begun. */
export const isBegun = Effect.fnUntraced(function* (id: string) {
  const { result } = yield* Durable.Durable
  const asked = [
    Effect.isSuccess(result(hosted.sale, id)),
    Effect.isSuccess(result(hosted.reserve, id)),
    Effect.isSuccess(result(byCard.sale, id)),
    Effect.isSuccess(result(byCard.reserve, id)),
    Effect.isSuccess(result(kept.sale, id)),
    Effect.isSuccess(result(kept.monthly, id))
  ]
  return (yield* Effect.all(asked)).includes(true)
})

/** The port to the customer's browser: the next page of the order sends it there. */
const shopper = Layer.effect(
  Shopper.Shopper,
  Effect.map(Orders, (orders) => ({
    send: ({ clientOrderId, errand }: Shopper.Visit) => Effect.asVoid(orders.send(clientOrderId, errand))
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
      Durable.flow(capture),
      Durable.flow(refund),
      Durable.flow(kept.sale),
      Durable.flow(kept.monthly),
      Durable.flow(change),
      Durable.flow(Tokenize),
      Durable.flow(payout.check),
      Durable.flow(payout.pay)
    ).pipe(Layer.provide(shopper))
  })
