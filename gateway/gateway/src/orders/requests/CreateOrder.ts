/**
 * The operations `sale`, `preauth` and `account-verification`. They register a card order durably before they answer
 * (docs/specification.md#endpoints). A verification is a payment of amount 0 in the first currency of its endpoint.
 */

import * as CardRules from "@pay/schema/Card"
import * as Money from "@pay/schema/Money"
import * as PayApi from "@pay/schema/PayApi"
import { Clock, Effect, Redacted, Result } from "effect"
import * as CardFacts from "../../kernel/CardFacts.ts"
import type { Call, Handler } from "../../merchants/Call.ts"
import type { Endpoint } from "../../merchants/Directory.ts"
import { placeOf } from "../../merchants/EndpointRules.ts"
import { AuthenticationGate, redirectFlaw } from "../bank/AuthenticationGate.ts"
import { browserOf } from "../record/CustomerBrowser.ts"
import type { CardKind } from "../record/Order.ts"
import * as Payment from "../record/Payment.ts"
import * as CardOrder from "./CardOrder.ts"
import * as Creation from "./Creation.ts"

/** The kind of order that each operation creates. */
const kinds = {
  SALE: "sale",
  SALE_V4: "sale",
  PREAUTH: "preauth",
  ACCOUNT_VERIFICATION: "verification",
  SYNC_ACCOUNT_VERIFICATION: "verification"
} as const satisfies { readonly [Name in PayApi.Name]?: CardKind }

export const make = Effect.fnUntraced(function* (name: keyof typeof kinds) {
  const { plan } = yield* AuthenticationGate
  const operation = PayApi.operations[name]
  const kind = kinds[name]
  const creation = yield* Creation.make(operation)
  const register = yield* CardOrder.make(creation)

  /**
   * Whether the customer may stay on the gateway's page after 3-D Secure, without an address to which the browser returns. Libraries
   * of the older dialect send none with a verification.
   */
  const endsOnOwnPage = (mode: string, { dialect }: Call): boolean =>
    mode === "gateway" && dialect === "pairs" && kind === "verification"

  const perform = Effect.fnUntraced(function* (call: Call, endpoints: ReadonlyArray<Endpoint>) {
    const { refused, request } = yield* creation.open(operation, call)
    const nowMs = yield* Clock.currentTimeMillis
    if (CardRules.isExpired({ month: request.expire_month, year: request.expire_year }, nowMs)) {
      return yield* refused("cardExpired", "expire_year")
    }
    const place = placeOf(endpoints, call.fields.currency)
    if (place === undefined) return yield* refused("currencyNotEnabled", "currency")
    const { currency, endpoint } = place
    const mode = plan(endpoint)
    const flaw = endsOnOwnPage(mode, call) ? undefined : redirectFlaw(mode, request.redirect_url)
    if (flaw !== undefined) return yield* refused(flaw.error, "redirect_url", flaw.message)
    const amount = call.fields.amount === undefined ? Result.succeed(0) : Money.toMinor(call.fields.amount, currency)
    if (Result.isFailure(amount)) return yield* refused(Money.errorOf(amount.failure), "amount")
    const pan = request.credit_card_number
    const { cardHash: panHash, fingerprint } = creation.identify(call)
    return yield* register(call, {
      kind,
      initiator: "cardholder",
      endpoint,
      payment: Payment.of(request, {
        amountMinor: amount.success,
        currency,
        ...Payment.dialectOf(call),
        ...CardFacts.of(Redacted.value(pan)),
        cardholder: request.card_printed_name,
        expireMonth: request.expire_month,
        expireYear: request.expire_year
      }),
      pan,
      panHash,
      fingerprint,
      cvv: request.cvv2,
      country: request.country,
      threeds: mode === "off" ? undefined : { mode, browser: browserOf(request) }
    })
  })

  const handler: Handler = { operation, replay: creation.replay, perform, reads: false }
  return handler
})
