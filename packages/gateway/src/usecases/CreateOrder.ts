/** `sale` and `preauth`: registers a card payment, durable before it is answered (payment-api.md, Endpoints). */
import * as Canonical from "@pay/schema/Canonical"
import * as CardRules from "@pay/schema/Card"
import * as Money from "@pay/schema/Money"
import type { Request } from "@pay/schema/Operation"
import * as PayApi from "@pay/schema/PayApi"
import { Clock, Effect, Option, Redacted, Result } from "effect"
import { Agenda } from "../Agenda.ts"
import type { Endpoint } from "../Directory.ts"
import { Order } from "../domain/entities/Order.ts"
import { OrderRequest } from "../domain/entities/OrderRequest.ts"
import * as Register from "../domain/Register.ts"
import * as SerialNumber from "../domain/SerialNumber.ts"
import { type Answer, refuse, refuseFields } from "../http/Answer.ts"
import { type Call, type Handler, nonceUsed, spend, withNonce } from "../http/Call.ts"
import { Ids } from "../ports/Ids.ts"
import { KeyVault } from "../ports/KeyVault.ts"
import { SecureRandom } from "../ports/SecureRandom.ts"
import { type GuardFailed, Store } from "../ports/Store.ts"
import { ThreeDSServer } from "../ports/ThreeDSServer.ts"
import { Settings } from "../Settings.ts"
import { acknowledge } from "./Acknowledge.ts"
import { browserOf } from "./CustomerBrowser.ts"
import * as MerchantUrls from "./MerchantUrls.ts"
import * as ThreeDSMode from "./ThreeDSMode.ts"

type PaymentRequest = Request<typeof PayApi.operations.SALE>

const sharedOperation = { sale: PayApi.operations.SALE, preauth: PayApi.operations.PREAUTH } as const

const paymentOf = (request: PaymentRequest, pan: string, amountMinor: number): Register.Payment => ({
  clientOrderId: request.client_orderid,
  amountMinor,
  currency: request.currency,
  bin: CardRules.bin(pan),
  lastFour: CardRules.lastFour(pan),
  cardType: CardRules.brand(pan) ?? "UNKNOWN",
  cardholder: request.card_printed_name,
  expireMonth: request.expire_month,
  expireYear: request.expire_year,
  description: request.order_desc,
  email: request.email,
  phone: request.phone,
  ipAddress: request.ipaddress,
  merchantData: request.merchant_data ?? null,
  redirectUrl: request.redirect_url ?? null,
  redirectSuccessUrl: request.redirect_success_url ?? null,
  redirectFailUrl: request.redirect_fail_url ?? null,
  callbackUrl: request.server_callback_url ?? null,
  notifyUrl: request.notify_url ?? null
})

/** Above the endpoint's limit for one payment: a risk rule, so the order exists and ends `filtered`. */
export const limitBroken = (endpoint: Endpoint, amountMinor: number, currency: string): string | undefined => {
  const limit = endpoint.maxAmount[currency]
  if (limit === undefined) return undefined
  const limitMinor = Money.toMinor(limit, currency)
  return Result.isSuccess(limitMinor) && amountMinor > limitMinor.success ? "max-amount" : undefined
}

/** The same reserved form that subscriptions number their charges by: `123:4`. */
export const reserved = /^\d+:\d+$/

export const make = Effect.fnUntraced(function* (kind: keyof typeof sharedOperation) {
  const store = yield* Store
  const vault = yield* KeyVault
  const ids = yield* Ids
  const agenda = yield* Agenda
  const settings = yield* Settings
  const random = yield* SecureRandom
  const hasServer = Option.isSome(yield* Effect.serviceOption(ThreeDSServer))
  const operation = sharedOperation[kind]

  const fingerprintOf = (call: Call, like?: string): string =>
    vault.fingerprint(
      call.merchant.login,
      `${call.route.pathId}\n${Canonical.content(operation, call.fields)}\n${cardHashOf(call, like)}`,
      like
    )
  const cardHashOf = (call: Call, like?: string): string =>
    vault.cardHash(call.merchant.login, Redacted.make(Canonical.card(operation, call.fields)), like)

  const replay = Effect.fnUntraced(function* (call: Call) {
    const clientOrderId = call.fields.client_orderid
    if (clientOrderId === undefined) return undefined
    const order = yield* store.load(Order, [call.merchant.login, clientOrderId], "clientOrder")
    return order === undefined ? undefined : yield* answerAgain(call, order)
  })
  const answerAgain = Effect.fnUntraced(function* (call: Call, order: Order) {
    const first = yield* store.load(OrderRequest, [order.requestId])
    if (first?.fingerprint !== fingerprintOf(call, first?.fingerprint)) {
      return yield* refuse("contentDiffers", {
        field: "client_orderid",
        clientOrderId: order.clientOrderId,
        orderId: order.orderId
      })
    }
    return acknowledge(order, SerialNumber.again(order.requestId, ids.salt()))
  })

  const perform = Effect.fnUntraced(function* (call: Call, endpoints: ReadonlyArray<Endpoint>) {
    const decoded = operation.decodeFields(call.fields)
    const clientOrderId = call.fields.client_orderid
    if (Result.isFailure(decoded)) return yield* refuseFields(decoded.failure, clientOrderId)
    const request = decoded.success
    const refused = (error: Parameters<typeof refuse>[0], field: string, message?: string) =>
      refuse(error, { field, clientOrderId, message })

    if (reserved.test(request.client_orderid)) {
      return yield* refused(
        "parameterInvalid",
        "client_orderid",
        "Parameter client_orderid must not be two numbers joined by a colon"
      )
    }
    const badUrl = MerchantUrls.problem(request, settings)
    if (badUrl !== undefined) return yield* refused("parameterInvalid", badUrl.field, badUrl.message)
    const nowMs = yield* Clock.currentTimeMillis
    if (CardRules.isExpired({ month: request.expire_month, year: request.expire_year }, nowMs)) {
      return yield* refused("cardExpired", "expire_year")
    }
    const endpoint = endpoints.find(({ currencies }) => currencies.has(request.currency))
    if (endpoint === undefined) return yield* refused("currencyNotEnabled", "currency")
    const mode = ThreeDSMode.of(endpoint, hasServer)
    if (mode !== "off" && request.redirect_url === undefined) {
      return yield* refused("parameterRequired", "redirect_url", "Parameter redirect_url is required")
    }
    const amount = Money.toMinor(request.amount, request.currency)
    if (Result.isFailure(amount)) return yield* refused("amountNotExact", "amount")

    const filteredBy = limitBroken(endpoint, amount.success, request.currency)
    const orderId = ids.next()
    const registered = Register.decide({
      orderId,
      requestId: ids.next(),
      merchantId: call.merchant.login,
      endpointId: endpoint.id,
      operation: operation.name,
      kind,
      initiator: "cardholder",
      fingerprint: fingerprintOf(call),
      idempotencyKey: null,
      payment: paymentOf(request, Redacted.value(request.credit_card_number), amount.success),
      sealedPan: vault.seal(request.credit_card_number, orderId),
      panHash: cardHashOf(call),
      sealedCvv: vault.sealBriefly(request.cvv2, orderId),
      filteredBy,
      threeds:
        mode === "off" ? undefined : { mode, pageToken: random.token(), browser: browserOf(request), attempt: 1 },
      nowMs,
      claim: agenda.claim(nowMs, filteredBy === undefined ? "bank" : "callback")
    })
    const accepted = withNonce(registered.decision, call)
    const lost = yield* store.commit(accepted).pipe(
      Effect.as<GuardFailed | undefined>(undefined),
      Effect.catchTag("GuardFailed", (failed) => Effect.succeed(failed))
    )
    if (lost === undefined) {
      agenda.start(registered.started)
      return acknowledge(registered.order, SerialNumber.first(registered.order.requestId))
    }
    return yield* loser(call, lost)
  })

  /** Somebody was faster: with the same order, which makes this a replay, or with the same nonce. */
  const loser = Effect.fnUntraced(function* (call: Call, { guard }: GuardFailed) {
    if (guard._tag === "Absent" && guard.entity === Order) {
      const answer: Answer | undefined = yield* replay(call)
      if (answer !== undefined) return yield* Effect.as(spend(store, call.nonce), answer)
    }
    return yield* nonceUsed()
  })

  const handler: Handler = { operation, replay, perform, reads: false }
  return handler
})
