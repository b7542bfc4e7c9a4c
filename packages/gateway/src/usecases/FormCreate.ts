/**
 * `sale-form`, `preauth-form`, `payment-form`, `account-verification-form`: registers an order whose card the customer
 * enters on the gateway's page, and answers the page's address (payment-api.md, Endpoints).
 */
import type { AsyncCheckoutFormRedirect } from "@pay/schema/AsyncResponse"
import * as Money from "@pay/schema/Money"
import * as PayApi from "@pay/schema/PayApi"
import { Clock, Effect, Result } from "effect"
import type { Endpoint } from "../Directory.ts"
import * as Callbacks from "../domain/Callbacks.ts"
import * as Decision from "../domain/Decision.ts"
import { AgendaItem } from "../domain/entities/AgendaItem.ts"
import { FormSession } from "../domain/entities/FormSession.ts"
import { type Kind, Order } from "../domain/entities/Order.ts"
import { OrderRequest } from "../domain/entities/OrderRequest.ts"
import * as Lifecycle from "../domain/Lifecycle.ts"
import * as Register from "../domain/Register.ts"
import * as SerialNumber from "../domain/SerialNumber.ts"
import { type Answer, ok, refuse, refuseFields } from "../http/Answer.ts"
import { type Call, type Handler, withNonce } from "../http/Call.ts"
import { PublicAddress } from "../http/PublicAddress.ts"
import { Ids } from "../ports/Ids.ts"
import { KeyVault } from "../ports/KeyVault.ts"
import { SecureRandom } from "../ports/SecureRandom.ts"
import { type GuardFailed, Store } from "../ports/Store.ts"
import { Settings } from "../Settings.ts"
import * as ContentFingerprint from "./ContentFingerprint.ts"
import * as Creation from "./Creation.ts"
import { placeOf } from "./OrderPlace.ts"

/** What each operation's order becomes once it is paid. A universal form offers the one method there is: a card. */
const kinds = {
  SALEFORM: "sale",
  PREAUTHFORM: "preauth",
  PAYMENTFORM: "sale",
  ACCOUNT_VERIFICATION_FORM: "verification"
} as const satisfies { readonly [Name in PayApi.Name]?: Kind }

export const make = Effect.fnUntraced(function* (name: keyof typeof kinds) {
  const store = yield* Store
  const vault = yield* KeyVault
  const ids = yield* Ids
  const random = yield* SecureRandom
  const settings = yield* Settings
  const publicAddress = yield* PublicAddress
  const operation = PayApi.operations[name]
  const kind = kinds[name]

  const redirect = (order: Order, token: string, serialNumber: string): Answer => {
    const body: AsyncCheckoutFormRedirect = {
      type: "async-form-response",
      "serial-number": serialNumber,
      "merchant-order-id": order.clientOrderId,
      "paynet-order-id": order.orderId,
      "end-point-id": order.endpointId,
      status: Lifecycle.states[order.state].wire,
      "redirect-url": `${publicAddress.baseUrl()}/pay/${token}`
    }
    return ok(body)
  }

  const fingerprint = (call: Call, like?: string) => ContentFingerprint.of(vault, operation, call, like)

  /** The same page again: it shows how the payment stands. */
  const replay = Effect.fnUntraced(function* (call: Call) {
    const order = yield* Creation.known(store, call, fingerprint)
    if (order === undefined) return undefined
    const session = yield* store.load(FormSession, [order.orderId], "order")
    if (session === undefined) return yield* Effect.die(new Error(`order ${order.orderId} has no hosted session`))
    return redirect(order, session.token, SerialNumber.again(order.requestId, ids.salt()))
  })

  const perform = Effect.fnUntraced(function* (call: Call, endpoints: ReadonlyArray<Endpoint>) {
    const decoded = operation.decodeFields(call.fields)
    const clientOrderId = call.fields.client_orderid
    if (Result.isFailure(decoded)) return yield* refuseFields(decoded.failure, clientOrderId)
    const request = decoded.success
    const refused = (error: Parameters<typeof refuse>[0], field: string, message?: string) =>
      refuse(error, { field, clientOrderId, message })
    const problem = Creation.problem(request, settings)
    if (problem !== undefined) return yield* problem
    const found = placeOf(endpoints, call.fields.currency)
    if (found === undefined) return yield* refused("currencyNotEnabled", "currency")
    const { currency, endpoint } = found
    const amount = call.fields.amount === undefined ? Result.succeed(0) : Money.toMinor(call.fields.amount, currency)
    if (Result.isFailure(amount)) return yield* refused("amountNotExact", "amount")

    const nowMs = yield* Clock.currentTimeMillis
    const opening: Register.Opening = {
      orderId: ids.next(),
      requestId: ids.next(),
      merchantId: call.merchant.login,
      endpointId: endpoint.id,
      descriptor: endpoint.descriptor,
      operation: operation.name,
      kind,
      initiator: "cardholder",
      fingerprint: fingerprint(call),
      idempotencyKey: null,
      payment: {
        clientOrderId: request.client_orderid,
        amountMinor: amount.success,
        currency,
        ...noCard,
        description: request.order_desc,
        email: request.email,
        phone: request.phone ?? null,
        ipAddress: request.ipaddress,
        merchantData: request.merchant_data ?? null,
        redirectUrl: request.redirect_url ?? null,
        redirectSuccessUrl: request.redirect_success_url ?? null,
        redirectFailUrl: request.redirect_fail_url ?? null,
        callbackUrl: request.server_callback_url ?? null,
        notifyUrl: request.notify_url ?? null
      },
      sealedCvv: undefined,
      filteredBy: undefined,
      threeds: undefined,
      nowMs
    }
    const order: Order = { ...Register.orderOf(opening), state: "registered" }
    const session: FormSession = {
      token: random.token(),
      version: 1,
      orderId: order.orderId,
      kind,
      country: request.country ?? null,
      attempts: 0,
      attemptsAllowed: settings.sessionAttempts,
      attemptId: null,
      paying: 0,
      expiresAtMs: nowMs + settings.sessionMs,
      endedAtMs: null
    }
    const decision: Decision.Decision = {
      guards: [Decision.absent(Order, "clientOrder", [order.merchantId, order.clientOrderId])],
      writes: [
        Decision.append(Order, order),
        Decision.append(OrderRequest, Register.requestOf(opening, order)),
        Decision.append(FormSession, session),
        Decision.append(AgendaItem, Callbacks.newItem("session", order.orderId, session.expiresAtMs, nowMs, undefined))
      ]
    }
    const lost = yield* store.commit(withNonce(decision, call)).pipe(
      Effect.as<GuardFailed | undefined>(undefined),
      Effect.catchTag("GuardFailed", (failed) => Effect.succeed(failed))
    )
    if (lost === undefined) return redirect(order, session.token, SerialNumber.first(order.requestId))
    return yield* Creation.loser(store, call, lost, replay)
  })

  const handler: Handler = { operation, replay, perform, reads: false }
  return handler
})

/** Until the customer has entered one. */
const noCard = { bin: "", lastFour: "", cardType: "", cardholder: "", expireMonth: 0, expireYear: 0 } as const
