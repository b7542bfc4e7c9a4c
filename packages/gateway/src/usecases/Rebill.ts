/**
 * `make-rebill`: charges a stored card while its holder is absent (payment-api.md, Endpoints): without 3-D Secure, and
 * only where the holder has paid with it before.
 */
import * as CardRules from "@pay/schema/Card"
import * as Money from "@pay/schema/Money"
import * as PayApi from "@pay/schema/PayApi"
import { Clock, Effect, Result } from "effect"
import { Agenda } from "../Agenda.ts"
import type { Endpoint } from "../Directory.ts"
import { Order } from "../domain/entities/Order.ts"
import * as Register from "../domain/Register.ts"
import { refuse, refuseFields } from "../http/Answer.ts"
import type { Call, Handler } from "../http/Call.ts"
import { Ids } from "../ports/Ids.ts"
import { KeyVault } from "../ports/KeyVault.ts"
import { Store } from "../ports/Store.ts"
import { ownCard } from "./AnswerCardInfo.ts"
import * as Creation from "./Creation.ts"
import { Screening } from "./Screening.ts"

const operation = PayApi.operations.REBILL

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
    if (request.enumerate_amounts !== undefined) {
      const message = "Parameter enumerate_amounts is not supported; send one request for each amount"
      return yield* refused("parameterInvalid", "enumerate_amounts", message)
    }
    const card = yield* ownCard(store, call.merchant.login, request.cardrefid)
    if (card === undefined) return yield* refused("cardNotFound", "cardrefid")
    if (card.cardholderInitiated === 0) {
      const message = `Card ${card.cardRefId} has no approved payment by its holder yet; only such a card is charged without them`
      return yield* refused("orderState", "cardrefid", message)
    }
    const nowMs = yield* Clock.currentTimeMillis
    if (CardRules.isExpired({ month: card.expireMonth, year: card.expireYear }, nowMs)) {
      return yield* refused("cardExpired", "cardrefid")
    }
    const endpoint = endpoints.find(({ currencies }) => currencies.has(request.currency))
    if (endpoint === undefined) return yield* refused("currencyNotEnabled", "currency")
    const amount = Money.toMinor(request.amount, request.currency)
    if (Result.isFailure(amount)) return yield* refused("amountNotExact", "amount")
    const pan = yield* Effect.orDie(vault.open(card.sealedPan, card.cardRefId))
    const crowded = creation.crowded(call, pan)
    if (crowded !== undefined) return yield* crowded

    /** Whose card it is, as they said when they paid with it. */
    const source = card.orderId === null ? undefined : yield* store.load(Order, [card.orderId])
    const { bin, cardType, cardholder, expireMonth, expireYear, lastFour, panHash } = card
    const { currency, cvv2, ipaddress } = request
    const email = source?.email ?? ""
    const orderId = ids.next()
    const screened = {
      orderId,
      merchantId: call.merchant.login,
      endpoint,
      pan,
      amountMinor: amount.success,
      currency,
      bin,
      cardHash: panHash,
      email,
      address: ipaddress,
      country: undefined
    }
    return yield* screening.screen(screened, (verdict) =>
      creation.commit(
        call,
        Register.decide({
          orderId,
          requestId: ids.next(),
          merchantId: call.merchant.login,
          endpointId: endpoint.id,
          operation: operation.name,
          kind: "sale",
          initiator: "merchant",
          fingerprint: creation.fingerprint(call),
          idempotencyKey: null,
          payment: {
            clientOrderId: request.client_orderid,
            amountMinor: amount.success,
            currency,
            bin,
            lastFour,
            cardType,
            cardholder,
            expireMonth,
            expireYear,
            description: request.order_desc,
            email,
            phone: source?.phone ?? null,
            ipAddress: ipaddress,
            merchantData: null,
            redirectUrl: request.redirect_url ?? null,
            redirectSuccessUrl: null,
            redirectFailUrl: null,
            callbackUrl: request.server_callback_url ?? null,
            notifyUrl: request.notify_url ?? null
          },
          sealedPan: vault.seal(pan, orderId),
          panHash,
          sealedCvv: cvv2 === undefined ? undefined : vault.sealBriefly(cvv2, orderId),
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
