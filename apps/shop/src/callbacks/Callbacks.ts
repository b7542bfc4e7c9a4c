/**
 * Handles the gateway's callbacks. The toolkit's inbox verifies each callback and requests the status of the order from the
 * gateway; the shop records that status, and never the content of the callback.
 */
import type { OrderStatus } from "@pay/flows/OrderStatus"
import * as GatewayStatus from "@pay/schema/Status"
import { Clock, Effect } from "effect"
import * as Orders from "../orders/Orders.ts"
import * as Payouts from "../payouts/Payouts.ts"
import * as Subscriptions from "../subscriptions/Subscriptions.ts"

/** Returns the subscription of a charge that the gateway made by itself. Such charges are named `{subscription}:{n}`. */
const subscriptionOf = (clientOrderId: string): string | undefined => /^(\d+):\d+$/.exec(clientOrderId)?.[1]

/** Returns whether the shop has the order, the payout, or the subscription that the gateway has charged. */
export const isKnown = Effect.fnUntraced(function* (clientOrderId: string) {
  const recurringId = subscriptionOf(clientOrderId)
  if (recurringId !== undefined) return (yield* Subscriptions.find(recurringId)) !== undefined
  return ((yield* Orders.find(clientOrderId)) ?? (yield* Payouts.find(clientOrderId))) !== undefined
})

/** Records the state of the subscription, and adds an order for a charge that the gateway made by itself. */
const recordSubscription = Effect.fnUntraced(function* (report: OrderStatus) {
  const { amount, clientOrderId: id, currency = "", nextChargeDate, recurringPaymentId = "" } = report
  const subscription = yield* Subscriptions.find(recurringPaymentId)
  if (subscription === undefined) return
  const { recurringPaymentStatus: state } = report
  yield* Subscriptions.change(recurringPaymentId, (entry) => Subscriptions.changesBy(entry, state, nextChargeDate))
  if (subscriptionOf(id) !== recurringPaymentId || !GatewayStatus.isFinal(report.status)) return
  const { owner, product } = subscription
  const amountMinor = Orders.reportedMinor(amount, currency)
  if (amountMinor === undefined) return yield* Effect.logError(`charge ${id} has no amount: ${amount} ${currency}`)
  const placedAtMs = yield* Clock.currentTimeMillis
  const charge = { id, owner, product, amountMinor, currency, placedAtMs, recurringId: recurringPaymentId }
  const order = { ...charge, way: "kept" } as const
  yield* Orders.add(Orders.Order.make(order))
})

/**
 * Records the final status of an order or payout. The flow of an open order records two outcomes itself, because it has the
 * details: a failure with its reason, and the start of a subscription.
 */
export const record = Effect.fnUntraced(function* (report: OrderStatus) {
  yield* recordSubscription(report)
  if (!GatewayStatus.isFinal(report.status)) return
  const { clientOrderId: id, errorMessage, recurringPaymentId, status } = report
  const isApproved = status === "approved"
  yield* Payouts.change(id, (payout) => Payouts.changesBy(payout, isApproved, errorMessage ?? status))
  yield* Orders.change(id, (order) => {
    const hasFlow = order.status === "open" && subscriptionOf(id) === undefined
    const isForFlow = hasFlow && (!isApproved || recurringPaymentId !== undefined)
    if (isForFlow) return undefined
    return { ...Orders.changesBy(order, report), status: isApproved ? "approved" : "declined", reason: errorMessage }
  })
})
