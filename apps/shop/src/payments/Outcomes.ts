/** What became of payments, in the shop's words: as a flow ends, or as the gateway says when a callback came. */
import type { FlowError } from "@pay/flows/FlowError"
import type { OrderStatus } from "@pay/flows/OrderStatus"
import * as Money from "@pay/schema/Money"
import * as GatewayStatus from "@pay/schema/Status"
import { Effect, Result } from "effect"
import { Orders, type Outcome, type Status } from "../orders/Orders.ts"
import { type Payout, Payouts } from "../payout/Payouts.ts"
import { isState, Subscriptions } from "../subscription/Subscriptions.ts"

const minor = (amount: string | undefined, currency: string | undefined): number =>
  amount === undefined || currency === undefined ? 0 : Result.getOrElse(Money.toMinor(amount, currency), () => 0)

const outcomeOf = (status: Status, order: OrderStatus | undefined, reason?: string): Outcome =>
  order === undefined
    ? { status, reason }
    : {
        status,
        reason,
        gatewayId: order.orderId,
        capturedMinor: minor(order.capturedAmount, order.currency),
        returnedMinor: minor(order.returnedAmount, order.currency),
        released: order.transactionType === "cancel",
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

/** Money may have moved, or not. */
export const isUnclear = ({ _tag }: FlowError): boolean => ends[_tag] === "unclear"

/** For the people of the shop. */
export const reasonOf = (error: FlowError): string => ("reason" in error ? error.reason : error.message)

/** Returns the outcome that a flow's result means for the shop. */
export const ofFlow = (ended: Result.Result<OrderStatus, FlowError>): Outcome =>
  Result.match(ended, {
    onSuccess: (order) => outcomeOf("approved", order),
    onFailure: (error) => outcomeOf(ends[error._tag], "order" in error ? error.order : undefined, reasonOf(error))
  })

/** Charges of a subscription that the gateway makes by itself are named `{subscription}:{n}`. */
const subscriptionOf = (clientOrderId: string): string | undefined => /^(\d+):\d+$/.exec(clientOrderId)?.[1]

/** Whether the shop knows the order, the payout, or the subscription that the gateway has charged. */
export const isKnown = Effect.fnUntraced(function* (clientOrderId: string) {
  const recurringId = subscriptionOf(clientOrderId)
  return recurringId === undefined
    ? ((yield* (yield* Orders).find(clientOrderId)) ?? (yield* (yield* Payouts).find(clientOrderId))) !== undefined
    : (yield* (yield* Subscriptions).find(recurringId)) !== undefined
})

/** How its subscription stands; and the payment, if it is one that the gateway made by itself, as an order of its own. */
const recurring = Effect.fnUntraced(function* (order: OrderStatus) {
  const { clientOrderId: id, nextChargeDate = null, recurringPaymentId = "", recurringPaymentStatus } = order
  const subscriptions = yield* Subscriptions
  const subscription = yield* subscriptions.find(recurringPaymentId)
  if (subscription === undefined) return
  if (isState(recurringPaymentStatus)) {
    yield* subscriptions.stands(recurringPaymentId, recurringPaymentStatus, nextChargeDate)
  }
  if (subscriptionOf(id) !== recurringPaymentId || !GatewayStatus.isFinal(order.status)) return
  const { add } = yield* Orders
  const { product, visitor } = subscription
  const { currency = "" } = order
  const amountMinor = minor(order.amount, currency)
  yield* add({ id, visitor, product, amountMinor, currency, way: "kept", recurringId: recurringPaymentId })
})

/** A payout that nobody confirmed in time has lapsed; one that was confirmed may come back. */
const paidOut = Effect.fnUntraced(function* ({ id, status }: Payout, order: OrderStatus) {
  const { conclude } = yield* Payouts
  if (order.status === "approved") return yield* conclude(id, "paid")
  const hasFlow = status === "checking" || status === "paying"
  return hasFlow || (yield* conclude(id, "refused", order.errorMessage ?? order.status))
})

/** A callback came: how the order stands, as `status` tells it. Before it is final, its flow knows better. */
export const record = Effect.fnUntraced(function* (order: OrderStatus) {
  yield* recurring(order)
  if (!GatewayStatus.isFinal(order.status)) return
  const { clientOrderId: id } = order
  const payout = yield* (yield* Payouts).find(id)
  if (payout !== undefined) return yield* Effect.asVoid(paidOut(payout, order))
  const orders = yield* Orders
  const existingOrder = yield* orders.find(id)
  // The flow tells apart why a payment failed, and writes the subscription that it begins; the callback only helps where no
  // flow is left to do so, or never was one.
  const hasFlow = existingOrder?.status === "open" && subscriptionOf(id) === undefined
  if (hasFlow && (order.status !== "approved" || order.recurringPaymentId !== undefined)) return
  const status = order.status === "approved" ? "approved" : "declined"
  yield* orders.conclude(id, outcomeOf(status, order, order.errorMessage))
})
