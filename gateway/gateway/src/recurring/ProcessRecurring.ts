/**
 * The operation `process-recurring-payment`: charges the card of a recurring payment now, with a separate order
 * (docs/assumptions.md#schedules). The schedule does not move, and the outcome does not suspend the recurring payment.
 */
import * as CardRules from "@pay/schema/Card"
import * as Money from "@pay/schema/Money"
import * as PayApi from "@pay/schema/PayApi"
import { Clock, Effect, Result } from "effect"
import { Store } from "../kernel/Store.ts"
import type { Call, Handler } from "../merchants/Call.ts"
import type { Endpoint } from "../merchants/Directory.ts"
import * as CustomerAddress from "../network/CustomerAddress.ts"
import * as Payment from "../orders/record/Payment.ts"
import * as CardOrder from "../orders/requests/CardOrder.ts"
import * as Creation from "../orders/requests/Creation.ts"
import { KeyVault } from "../vault/KeyVault.ts"
import * as BillingDays from "./decide/BillingDays.ts"
import * as BillingPayment from "./decide/BillingPayment.ts"
import * as SubscriptionLifecycle from "./decide/SubscriptionLifecycle.ts"
import { dialectOf, ownSubscription } from "./LoadSubscription.ts"

const operation = PayApi.operations.PROCESS_RP_V4

export const make = Effect.gen(function* () {
  const store = yield* Store
  const vault = yield* KeyVault
  const creation = yield* Creation.make(operation)
  const register = yield* CardOrder.make(creation)

  const perform = Effect.fnUntraced(function* (call: Call, endpoints: ReadonlyArray<Endpoint>) {
    const { refused, request } = yield* creation.open(operation, call)
    const subscription = yield* ownSubscription(store, call.merchant.login, request["recurring-payment-id"])
    if (subscription === undefined) return yield* refused("subscriptionNotFound", "recurring-payment-id")
    const { state, subscriptionId } = subscription
    if (!SubscriptionLifecycle.hasCard(state)) {
      const message = `Recurring payment ${subscriptionId} is ${state}; only an active or paused one is charged`
      return yield* refused("orderState", "recurring-payment-id", message)
    }
    const { currency } = subscription
    if (request.currency !== undefined && request.currency !== currency) {
      return yield* refused("currencyMismatch", "currency", `The recurring payment is in ${currency}`)
    }
    const nowMs = yield* Clock.currentTimeMillis
    if (nowMs >= BillingDays.overAtMs(subscription)) {
      const message = `Recurring payment ${subscriptionId} is over: its finish-date was ${subscription.finishDay}`
      return yield* refused("orderState", "recurring-payment-id", message)
    }
    if (CardRules.isExpired({ month: subscription.expireMonth, year: subscription.expireYear }, nowMs)) {
      return yield* refused("cardExpired", "recurring-payment-id")
    }
    const endpoint = endpoints.find(({ currencies }) => currencies.has(currency))
    if (endpoint === undefined) return yield* refused("currencyNotEnabled", "recurring-payment-id")
    const amount =
      request.amount === undefined ? Result.succeed(subscription.amountMinor) : Money.toMinor(request.amount, currency)
    if (Result.isFailure(amount)) return yield* refused(Money.errorOf(amount.failure), "amount")
    const hasOriginalAmount = call.dialect === "pairs" && request.amount === undefined
    const pan = yield* Effect.orDie(vault.decrypt(subscription.encryptedPan, subscriptionId))
    return yield* register(call, {
      kind: "sale",
      initiator: "merchant",
      endpoint,
      payment: BillingPayment.of(subscription, {
        ...Payment.dialectOf(call),
        ...(hasOriginalAmount && { amountText: (yield* dialectOf(store, subscription)).amountText }),
        clientOrderId: request.client_orderid,
        amountMinor: amount.success,
        description: request.order_desc ?? subscription.description,
        ipAddress: CustomerAddress.of(request.ipaddress ?? subscription.ipAddress),
        callbackUrl: request.server_callback_url ?? subscription.callbackUrl,
        notifyUrl: request.notify_url ?? subscription.notifyUrl
      }),
      pan,
      panHash: subscription.panHash,
      cvv: request.cvv2,
      country: subscription.country,
      threeds: undefined,
      subscriptionId
    })
  })

  const handler: Handler = { operation, replay: creation.replay, perform, reads: false }
  return handler
})
