/**
 * The operation `create-recurring-payment`: a card, an amount and a schedule (docs/specification.md#version-4). It creates an
 * order with the merchant's `client_orderid`: the first charge if the schedule starts today, else a verification of the card.
 * This order is processed like any other; when it is approved, the recurring payment is active.
 */

import * as CardRules from "@pay/schema/Card"
import * as Money from "@pay/schema/Money"
import type { Request } from "@pay/schema/Operation"
import * as PayApi from "@pay/schema/PayApi"
import type { CreateRecurringPaymentResponse } from "@pay/schema/RecurringResponse"
import { Clock, Effect, Result } from "effect"
import { ok } from "../kernel/Answer.ts"
import { Store } from "../kernel/Store.ts"
import type { Call, Handler } from "../merchants/Call.ts"
import type { Endpoint } from "../merchants/Directory.ts"
import * as CustomerAddress from "../network/CustomerAddress.ts"
import { AuthenticationGate, redirectFlaw } from "../orders/bank/AuthenticationGate.ts"
import type { Order } from "../orders/record/Order.ts"
import * as Payment from "../orders/record/Payment.ts"
import * as StoredCredential from "../orders/record/StoredCredential.ts"
import * as CardOrder from "../orders/requests/CardOrder.ts"
import * as Creation from "../orders/requests/Creation.ts"
import { OrderNumbers } from "../orders/requests/OrderNumbers.ts"
import * as BrowserFacts from "../threeds/decide/BrowserFacts.ts"
import { KeyVault } from "../vault/KeyVault.ts"
import * as ChargeNumber from "./ChargeNumber.ts"
import * as RequestedSchedule from "./decide/RequestedSchedule.ts"
import { Subscription } from "./decide/Subscription.ts"
import * as SubscriptionBegin from "./decide/SubscriptionBegin.ts"
import * as RecurringCard from "./RecurringCard.ts"
import * as SubscriptionStatus from "./SubscriptionStatus.ts"

const operation = PayApi.operations.CREATE_RP_V4

/** Returns the browser data of the request, which has only an address. */
const browserOf = ({ ipaddress }: Request<typeof operation>) => ({
  ...BrowserFacts.none,
  ip: CustomerAddress.addressOf(ipaddress)
})

export const make = Effect.gen(function* () {
  const store = yield* Store
  const vault = yield* KeyVault
  const numbers = yield* OrderNumbers
  const cards = yield* RecurringCard.make(operation)
  const { plan } = yield* AuthenticationGate

  const respond = Effect.fnUntraced(function* (order: Order, serialNumber: string) {
    const subscription = yield* store.load(Subscription, [order.orderId], "order")
    if (subscription === undefined) return yield* Effect.die(new Error(`order ${order.orderId} began nothing`))
    const body: CreateRecurringPaymentResponse = {
      type: "create-recurring-payment-response",
      "serial-number": serialNumber,
      ...(yield* SubscriptionStatus.of(store, subscription)),
      "merchant-order-id": order.clientOrderId,
      "paynet-order-id": order.orderId,
      "end-point-id": order.endpointId
    }
    return ok(body)
  })
  const creation = yield* Creation.make(operation, respond)
  const register = yield* CardOrder.make(creation)

  const perform = Effect.fnUntraced(function* (call: Call, endpoints: ReadonlyArray<Endpoint>) {
    const { refused, request } = yield* creation.open(operation, call)
    if (request.rp_card_type === "DST") {
      return yield* refused("parameterInvalid", "rp_card_type", "Parameter rp_card_type must be SRC: the card pays")
    }
    const endpoint = endpoints.find(({ currencies }) => currencies.has(request.currency))
    if (endpoint === undefined) return yield* refused("currencyNotEnabled", "currency")
    const amount = Money.toMinor(request.amount, request.currency)
    if (Result.isFailure(amount)) return yield* refused(Money.errorOf(amount.failure), "amount")

    const nowMs = yield* Clock.currentTimeMillis
    const requested = RequestedSchedule.read(request, endpoint.timeZone, nowMs)
    if (Result.isFailure(requested)) {
      const { field, message } = requested.failure
      return yield* refused("parameterCombination", field, message)
    }
    const { firstAtMs, schedule, startsToday } = requested.success
    const card = yield* cards.read(call, request)
    if (CardRules.isExpired({ month: card.expireMonth, year: card.expireYear }, firstAtMs)) {
      const field = request.cardrefid === undefined ? "expire_year" : "cardrefid"
      const message = "The card is expired by the day of the first charge"
      return yield* refused("cardExpired", field, startsToday ? undefined : message)
    }
    const mode = card.stored ? "off" : plan(endpoint)
    const flaw = redirectFlaw(mode, request.redirect_url)
    if (flaw !== undefined) return yield* refused(flaw.error, "redirect_url", flaw.message)
    const subscriptionId = yield* numbers.next(call.merchant.login)
    const { bin, cardType, expireMonth, expireYear, lastFour, pan, panHash } = card
    const { currency, cvv2, first_name = "", last_name = "" } = request
    const cardholder = card.cardholder === "" ? `${first_name} ${last_name}`.trim() : card.cardholder
    const newSubscription: SubscriptionBegin.NewSubscription = {
      ...schedule,
      subscriptionId,
      amountMinor: amount.success,
      encryptedPan: vault.encrypt(pan, subscriptionId),
      panHash,
      schemeReference: card.schemeReference,
      country: request.country,
      ...ChargeNumber.reserved(yield* numbers.reserve(call.merchant.login, ChargeNumber.reservedAtOnce), 0)
    }
    return yield* register(call, {
      kind: startsToday ? "sale" : "verification",
      initiator: card.stored ? "merchant" : "cardholder",
      credential: StoredCredential.of({
        use: card.stored ? "use" : "store",
        series: "recurring",
        cardType,
        schemeReference: card.schemeReference
      }),
      endpoint,
      payment: Payment.of(request, {
        ...Payment.dialectOf(call),
        amountMinor: startsToday ? amount.success : 0,
        currency,
        bin,
        lastFour,
        cardType,
        cardholder,
        expireMonth,
        expireYear
      }),
      pan,
      panHash,
      cvv: cvv2,
      country: request.country,
      threeds: mode === "off" ? undefined : { mode, browser: browserOf(request) },
      subscriptionId,
      complete: (registered, nowMs) => SubscriptionBegin.decide(newSubscription, registered, nowMs)
    })
  })

  const handler: Handler = { operation, replay: creation.replay, perform, reads: false }
  return handler
})
