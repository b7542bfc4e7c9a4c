import * as Money from "@pay/schema/Money"
import * as PayApi from "@pay/schema/PayApi"
import { Clock, Effect, type Redacted, Result } from "effect"
import type { Refused } from "../kernel/Answer.ts"
import * as Decision from "../kernel/Decision.ts"
import { Ids } from "../kernel/Ids.ts"
import { Settings } from "../kernel/Settings.ts"
import type { StoreUnavailable } from "../kernel/Store.ts"
import type { Call, Handler } from "../merchants/Call.ts"
import type { Endpoint } from "../merchants/Directory.ts"
import { placeOf } from "../merchants/EndpointRules.ts"
import * as CardKinds from "../orders/CardKinds.ts"
import * as Creation from "../orders/Creation.ts"
import { type Kind, Order } from "../orders/Order.ts"
import { OrderNumbers } from "../orders/OrderNumbers.ts"
import { OrderRequest } from "../orders/OrderRequest.ts"
import * as Payment from "../orders/Payment.ts"
import * as Register from "../orders/Register.ts"
import * as AdoptBooking from "../orders/restored/AdoptBooking.ts"
import * as Adoption from "../orders/restored/Adoption.ts"
import { KeyVault } from "../vault/KeyVault.ts"
import * as OpenHostedSession from "./OpenHostedSession.ts"

/** What each operation's order becomes once it is paid. A universal form offers the one method there is: a card. */
const kinds = {
  SALEFORM: "sale",
  PREAUTHFORM: "preauth",
  PAYMENTFORM: "sale",
  ACCOUNT_VERIFICATION_FORM: "verification",
  TRANSFERFORM: "transfer"
} as const satisfies { readonly [Name in PayApi.Name]?: Kind }

/** The card that receives the money of a transfer, where the request names one. */
export type Receiver = (call: Call) => Effect.Effect<Redacted.Redacted<string> | undefined, Refused | StoreUnavailable>

export const make = Effect.fnUntraced(function* (
  name: keyof typeof kinds,
  receiverOf: Receiver = () => Effect.undefined
) {
  const vault = yield* KeyVault
  const ids = yield* Ids
  const numbers = yield* OrderNumbers
  const settings = yield* Settings
  const operation = PayApi.operations[name]
  const opening = yield* OpenHostedSession.make(operation)
  const kind = kinds[name]
  const { orRefuse: adopt } = yield* AdoptBooking.make

  const perform = Effect.fnUntraced(function* (call: Call, endpoints: ReadonlyArray<Endpoint>) {
    const { refused, request } = yield* Creation.open(operation, call, settings)
    const place = placeOf(endpoints, call.fields.currency)
    if (place === undefined) return yield* refused("currencyNotEnabled", "currency")
    const { currency, endpoint } = place
    const amount = call.fields.amount === undefined ? Result.succeed(0) : Money.toMinor(call.fields.amount, currency)
    if (Result.isFailure(amount)) return yield* refused("amountNotExact", "amount")

    const receiver = yield* receiverOf(call)
    const nowMs = yield* Clock.currentTimeMillis
    const merchantId = call.merchant.login
    const adoption = yield* adopt(merchantId, request.client_orderid, {
      action: CardKinds.kinds[kind].action,
      amountsMinor: [amount.success],
      currency
    })
    const registration: Register.Opening = {
      orderId: adoption?.orderId ?? (yield* numbers.next(merchantId)),
      requestId: ids.next(),
      merchantId,
      endpointId: endpoint.id,
      descriptor: endpoint.descriptor,
      operation: operation.name,
      kind,
      initiator: "cardholder",
      fingerprint: opening.fingerprint(call),
      idempotencyKey: null,
      payment: Payment.of(request, { amountMinor: amount.success, currency, ...Payment.dialectOf(call) }),
      sealedCvv: undefined,
      filteredBy: undefined,
      gate: undefined,
      nowMs,
      createdAtMs: adoption?.createdAtMs
    }
    const order: Order = { ...Register.orderOf(registration), state: "registered" }
    const session = {
      ...opening.session(order.orderId, nowMs, { kind, country: request.country ?? null, purpose: null }),
      // A page whose payment the bank has already booked expires at once. Its end asks the bank what was paid.
      ...(adoption?.isPaid === true ? { expiresAtMs: nowMs } : {})
    }
    const decision: Decision.Decision = {
      guards: [Decision.absent(Order, "clientOrder", [order.merchantId, order.clientOrderId])],
      writes: [
        Decision.append(Order, order),
        Decision.append(OrderRequest, Register.requestOf(registration, order)),
        ...(receiver === undefined ? [] : [Register.receiverRow(vault, receiver, order, nowMs)]),
        ...OpenHostedSession.rows(call.merchant.login, session, nowMs)
      ]
    }
    const registered: Register.Registered = { order, decision, started: [] }
    return yield* opening.open(
      call,
      adoption === undefined ? registered : Adoption.adopted(registered, adoption, nowMs),
      session.token
    )
  })

  const handler: Handler = { operation, replay: opening.replay, perform, reads: false }
  return handler
})
