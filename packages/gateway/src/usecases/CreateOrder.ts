/**
 * `sale`, `preauth` and `account-verification`: registers a card order, durable before it is answered (payment-api.md,
 * Endpoints). A verification is a payment of nothing, in its endpoint's first currency.
 */
import * as CardRules from "@pay/schema/Card"
import * as Money from "@pay/schema/Money"
import type { Request } from "@pay/schema/Operation"
import * as PayApi from "@pay/schema/PayApi"
import { Clock, Effect, Option, Redacted, Result } from "effect"
import { Agenda } from "../Agenda.ts"
import type { Endpoint } from "../Directory.ts"
import type { CardKind } from "../domain/entities/Order.ts"
import * as Register from "../domain/Register.ts"
import { refuse, refuseFields } from "../http/Answer.ts"
import type { Call, Handler } from "../http/Call.ts"
import { Ids } from "../ports/Ids.ts"
import { KeyVault } from "../ports/KeyVault.ts"
import { SecureRandom } from "../ports/SecureRandom.ts"
import { ThreeDSServer } from "../ports/ThreeDSServer.ts"
import * as Creation from "./Creation.ts"
import { browserOf } from "./CustomerBrowser.ts"
import { placeOf } from "./OrderPlace.ts"
import { Screening } from "./Screening.ts"
import * as ThreeDSMode from "./ThreeDSMode.ts"

const sharedOperation = {
  sale: PayApi.operations.SALE,
  preauth: PayApi.operations.PREAUTH,
  verification: PayApi.operations.ACCOUNT_VERIFICATION
} as const satisfies Record<CardKind, unknown>

type CardRequest = Request<(typeof sharedOperation)[CardKind]>

const paymentOf = (request: CardRequest, pan: string, currency: string, amountMinor: number): Register.Payment => ({
  clientOrderId: request.client_orderid,
  amountMinor,
  currency,
  bin: CardRules.bin(pan),
  lastFour: CardRules.lastFour(pan),
  cardType: CardRules.brand(pan) ?? "UNKNOWN",
  cardholder: request.card_printed_name,
  expireMonth: request.expire_month,
  expireYear: request.expire_year,
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
})

export const make = Effect.fnUntraced(function* (kind: CardKind) {
  const vault = yield* KeyVault
  const ids = yield* Ids
  const agenda = yield* Agenda
  const random = yield* SecureRandom
  const screening = yield* Screening
  const hasServer = Option.isSome(yield* Effect.serviceOption(ThreeDSServer))
  const operation = sharedOperation[kind]
  const creation = yield* Creation.make(operation)

  const perform = Effect.fnUntraced(function* (call: Call, endpoints: ReadonlyArray<Endpoint>) {
    const decoded = operation.decodeFields(call.fields)
    const clientOrderId = call.fields.client_orderid
    if (Result.isFailure(decoded)) return yield* refuseFields(decoded.failure, clientOrderId)
    const request: CardRequest = decoded.success
    const refused = (error: Parameters<typeof refuse>[0], field: string, message?: string) =>
      refuse(error, { field, clientOrderId, message })

    const problem = creation.problem(request)
    if (problem !== undefined) return yield* problem
    const nowMs = yield* Clock.currentTimeMillis
    if (CardRules.isExpired({ month: request.expire_month, year: request.expire_year }, nowMs)) {
      return yield* refused("cardExpired", "expire_year")
    }
    const place = placeOf(endpoints, call.fields.currency)
    if (place === undefined) return yield* refused("currencyNotEnabled", "currency")
    const { currency, endpoint } = place
    const mode = ThreeDSMode.of(endpoint, hasServer)
    if (mode !== "off" && request.redirect_url === undefined) {
      return yield* refused("parameterRequired", "redirect_url", "Parameter redirect_url is required")
    }
    const amount = call.fields.amount === undefined ? Result.succeed(0) : Money.toMinor(call.fields.amount, currency)
    if (Result.isFailure(amount)) return yield* refused("amountNotExact", "amount")
    const pan = request.credit_card_number
    const crowded = creation.crowded(call, pan)
    if (crowded !== undefined) return yield* crowded

    const orderId = ids.next()
    const payment = paymentOf(request, Redacted.value(pan), currency, amount.success)
    const { cardHash: panHash, fingerprint } = creation.identify(call)
    const screened = {
      orderId,
      merchantId: call.merchant.login,
      endpoint,
      pan,
      amountMinor: payment.amountMinor,
      currency,
      bin: payment.bin,
      cardHash: panHash,
      email: payment.email,
      address: payment.ipAddress,
      country: request.country
    }
    return yield* screening.screen(screened, (verdict) =>
      creation.commit(
        call,
        Register.decide({
          orderId,
          requestId: ids.next(),
          merchantId: call.merchant.login,
          endpointId: endpoint.id,
          descriptor: endpoint.descriptor,
          operation: operation.name,
          kind,
          initiator: "cardholder",
          fingerprint,
          idempotencyKey: null,
          payment,
          sealedPan: vault.seal(pan, orderId),
          panHash,
          sealedCvv: vault.sealBriefly(request.cvv2, orderId),
          ...verdict,
          threeds:
            mode === "off" ? undefined : { mode, pageToken: random.token(), browser: browserOf(request), attempt: 1 },
          nowMs,
          claim: agenda.claim(nowMs, verdict.filteredBy === undefined ? "bank" : "callback")
        })
      )
    )
  })

  const handler: Handler = { operation, replay: creation.replay, perform, reads: false }
  return handler
})
