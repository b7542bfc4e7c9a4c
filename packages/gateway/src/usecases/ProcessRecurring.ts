/**
 * `process-recurring-payment`: charges a recurring payment's card now, as an order of its own (payment-api.md, Resources,
 * "later process and update calls"). The schedule does not move, and the outcome suspends nothing.
 */
import * as CardRules from "@pay/schema/Card"
import * as Money from "@pay/schema/Money"
import * as PayApi from "@pay/schema/PayApi"
import { Clock, Effect, Result } from "effect"
import { Agenda } from "../Agenda.ts"
import type { Endpoint } from "../Directory.ts"
import * as BillingPayment from "../domain/BillingPayment.ts"
import * as Register from "../domain/Register.ts"
import * as SubscriptionLife from "../domain/SubscriptionLife.ts"
import { refuse, refuseFields } from "../http/Answer.ts"
import type { Call, Handler } from "../http/Call.ts"
import { Ids } from "../ports/Ids.ts"
import { KeyVault } from "../ports/KeyVault.ts"
import { Store } from "../ports/Store.ts"
import * as Creation from "./Creation.ts"
import { ownSubscription } from "./OwnSubscription.ts"
import { Screening } from "./Screening.ts"

const operation = PayApi.operations.PROCESS_RP_V4

export const make = Effect.gen(function* () {
  const store = yield* Store
  const vault = yield* KeyVault
  const ids = yield* Ids
  const agenda = yield* Agenda
  const screening = yield* Screening
  const creation = yield* Creation.make(operation)

  const perform = Effect.fnUntraced(function* (call: Call, endpoints: ReadonlyArray<Endpoint>) {
    const decoded = operation.decodeFields(call.fields)
    const clientOrderId = call.fields.client_orderid
    if (Result.isFailure(decoded)) return yield* refuseFields(decoded.failure, clientOrderId)
    const request = decoded.success
    const refused = (error: Parameters<typeof refuse>[0], field: string, message?: string) =>
      refuse(error, { field, clientOrderId, message })

    const problem = creation.problem(request)
    if (problem !== undefined) return yield* problem
    const subscription = yield* ownSubscription(store, call.merchant.login, request["recurring-payment-id"])
    if (subscription === undefined) return yield* refused("subscriptionNotFound", "recurring-payment-id")
    const { merchantId, state, subscriptionId } = subscription
    if (!SubscriptionLife.hasCard(state)) {
      const message = `Recurring payment ${subscriptionId} is ${state}; only an active or paused one is charged`
      return yield* refused("orderState", "recurring-payment-id", message)
    }
    const { currency } = subscription
    if (request.currency !== undefined && request.currency !== currency) {
      return yield* refused("currencyMismatch", "currency", `The recurring payment is in ${currency}`)
    }
    const nowMs = yield* Clock.currentTimeMillis
    if (CardRules.isExpired({ month: subscription.expireMonth, year: subscription.expireYear }, nowMs)) {
      return yield* refused("cardExpired", "recurring-payment-id")
    }
    const endpoint = endpoints.find(({ currencies }) => currencies.has(currency))
    if (endpoint === undefined) return yield* refused("currencyNotEnabled", "recurring-payment-id")
    const amount =
      request.amount === undefined ? Result.succeed(subscription.amountMinor) : Money.toMinor(request.amount, currency)
    if (Result.isFailure(amount)) return yield* refused("amountNotExact", "amount")
    const pan = yield* Effect.orDie(vault.open(subscription.sealedPan, subscriptionId))
    const crowded = creation.crowded(call, pan)
    if (crowded !== undefined) return yield* crowded

    const orderId = ids.next()
    const payment = BillingPayment.of(subscription, {
      clientOrderId: request.client_orderid,
      amountMinor: amount.success,
      description: request.order_desc ?? subscription.description,
      ipAddress: request.ipaddress ?? subscription.ipAddress,
      callbackUrl: request.server_callback_url ?? subscription.callbackUrl,
      notifyUrl: request.notify_url ?? subscription.notifyUrl
    })
    const screened = {
      orderId,
      merchantId,
      endpoint,
      pan,
      amountMinor: payment.amountMinor,
      currency,
      bin: payment.bin,
      cardHash: subscription.panHash,
      email: payment.email,
      address: payment.ipAddress,
      country: subscription.country
    }
    return yield* screening.screen(screened, (verdict) =>
      creation.commit(
        call,
        Register.decide({
          orderId,
          requestId: ids.next(),
          merchantId,
          endpointId: endpoint.id,
          descriptor: endpoint.descriptor,
          operation: operation.name,
          kind: "sale",
          initiator: "merchant",
          fingerprint: creation.identify(call).fingerprint,
          idempotencyKey: null,
          payment,
          subscriptionId,
          sealedPan: vault.seal(pan, orderId),
          panHash: subscription.panHash,
          sealedCvv: request.cvv2 === undefined ? undefined : vault.sealBriefly(request.cvv2, orderId),
          ...verdict,
          threeds: undefined,
          nowMs,
          claim: agenda.claim(nowMs, verdict.filteredBy === undefined ? "bank" : "callback")
        })
      )
    )
  })

  const handler: Handler = { operation, replay: creation.replay, perform, reads: false }
  return handler
})
