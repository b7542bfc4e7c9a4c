/**
 * The operations `payout` (v2 and v4) and `payout-check`: register a payout and reserve its amount durably before they answer
 * (docs/assumptions.md#payout-operations). A job then requests the check or the payment from the rail.
 */
import * as CardRules from "@pay/schema/Card"
import * as Money from "@pay/schema/Money"
import type { FieldProblem, Request } from "@pay/schema/Operation"
import * as PayApi from "@pay/schema/PayApi"
import { Clock, Effect, Result } from "effect"
import { refuse, refuseFields } from "../kernel/Answer.ts"
import { type Call, clientOrderIdOf, type Handler } from "../merchants/Call.ts"
import type { Endpoint } from "../merchants/Directory.ts"
import * as EndpointRules from "../merchants/EndpointRules.ts"
import type { RailAction } from "../orders/record/Actions.ts"
import * as Payment from "../orders/record/Payment.ts"
import * as ActOnOrder from "../orders/requests/ActOnOrder.ts"
import * as Creation from "../orders/requests/Creation.ts"
import * as Destination from "../recipients/Destination.ts"
import * as PayoutPlan from "./decide/PayoutPlan.ts"
import * as PayoutOrder from "./PayoutOrder.ts"
import { PayoutRail } from "./PayoutRail.ts"

/** The first action that is requested from the rail. */
const actions = {
  PAYOUT: "pay",
  PAYOUT_V4: "pay",
  PAYOUT_V4_CHECK: "check"
} as const satisfies { readonly [Name in PayApi.Name]?: RailAction }

type PayoutRequest = Request<(typeof PayApi.operations)[keyof typeof actions]>

export const make = Effect.fnUntraced(function* (name: keyof typeof actions) {
  const { capabilities } = yield* PayoutRail
  const operation = PayApi.operations[name]
  const creation = yield* Creation.make(operation)
  const register = yield* PayoutOrder.make(creation)

  const perform = Effect.fnUntraced(function* (call: Call, endpoints: ReadonlyArray<Endpoint>) {
    const clientOrderId = clientOrderIdOf(call.fields)
    const decoded: Result.Result<PayoutRequest, ReadonlyArray<FieldProblem>> = operation.decodeFields(call.fields)
    if (Result.isFailure(decoded)) return yield* refuseFields(decoded.failure, clientOrderId)
    const request = decoded.success
    const refused = (error: Parameters<typeof refuse>[0], field: string, message?: string) =>
      refuse(error, { field, clientOrderId, message })

    yield* Effect.fromResult(creation.check({ ...request, client_orderid: clientOrderId ?? "" }))
    const destination = Destination.of(call.fields)
    if (destination === undefined) {
      const names = Object.values(Destination.fieldOf).join(", ")
      return yield* refused("parameterRequired", Destination.fieldOf.card, `One of ${names} is required`)
    }
    const field = Destination.fieldOf[destination.kind]
    if (!capabilities.destinations.has(destination.kind)) {
      return yield* refused("parameterInvalid", field, `Parameter ${field} names a recipient that cannot be paid here`)
    }
    const nowMs = yield* Clock.currentTimeMillis
    const { expire_month: month, expire_year: year } = request
    const expiry = month === undefined || year === undefined ? undefined : { month, year }
    if (expiry !== undefined && CardRules.isExpired(expiry, nowMs)) {
      return yield* refused("cardExpired", "expire_year")
    }
    const endpoint = endpoints.find(({ currencies }) => currencies.has(request.currency))
    if (endpoint === undefined) return yield* refused("currencyNotEnabled", "currency")
    const amount = Money.toMinor(request.amount, request.currency)
    if (Result.isFailure(amount)) return yield* refused(Money.errorOf(amount.failure), "amount")
    return yield* register(call, {
      kind: "payout",
      action: actions[name],
      endpoint,
      destination,
      purpose: request.purpose ?? null,
      fingerprint: creation.identify(call).fingerprint,
      payment: Payment.of(request, {
        ...Payment.dialectOf(call),
        amountMinor: amount.success,
        currency: request.currency,
        clientOrderId: clientOrderId ?? ""
      })
    })
  })

  const handler: Handler = { operation, replay: creation.replay, perform, reads: false }
  return handler
})

/**
 * The operation `payout-pay`: pays a payout that payout-check registered, at once or after a second approver has
 * approved it.
 */
export const payChecked = Effect.gen(function* () {
  const approvalUntilMs = yield* EndpointRules.approvalUntilMs
  return yield* ActOnOrder.make({
    name: "PAYOUT_V4_PAY",
    plan: (order, _, { nowMs }) =>
      PayoutPlan.pay(order, { nowMs, approvalUntilMs: approvalUntilMs(order.endpointId, nowMs) }),
    once: true
  })
})
