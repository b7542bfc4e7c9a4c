/**
 * `payout-form`: registers a payout whose recipient says on the gateway's page where the money goes, holds its amount, and
 * answers the page's address (payment-api.md, Endpoints).
 */

import * as Money from "@pay/schema/Money"
import * as PayApi from "@pay/schema/PayApi"
import { Clock, Effect, Result } from "effect"
import { HostedSession } from "../hosted/HostedSession.ts"
import * as OpenHostedSession from "../hosted/OpenHostedSession.ts"
import { refuse } from "../kernel/Answer.ts"
import * as Decision from "../kernel/Decision.ts"
import { Ids } from "../kernel/Ids.ts"
import { Scheduler } from "../kernel/Scheduler.ts"
import { Settings } from "../kernel/Settings.ts"
import type { Call, Handler } from "../merchants/Call.ts"
import type { Endpoint } from "../merchants/Directory.ts"
import * as Creation from "../orders/Creation.ts"
import { OrderNumbers } from "../orders/OrderNumbers.ts"
import * as Payment from "../orders/Payment.ts"
import * as AdoptBooking from "../orders/restored/AdoptBooking.ts"
import * as Adoption from "../orders/restored/Adoption.ts"
import * as PayoutRegister from "./PayoutRegister.ts"
import * as PayoutRisk from "./PayoutRisk.ts"

const operation = PayApi.operations.PAYOUTFORM

export const make = Effect.gen(function* () {
  const ids = yield* Ids
  const numbers = yield* OrderNumbers
  const scheduler = yield* Scheduler
  const settings = yield* Settings
  const opening = yield* OpenHostedSession.make(operation)
  const { orRefuse: adopt } = yield* AdoptBooking.make

  const perform = Effect.fnUntraced(function* (call: Call, endpoints: ReadonlyArray<Endpoint>) {
    const { clientOrderId, request } = yield* Creation.open(operation, call, settings)
    const endpoint = endpoints.find(({ currencies }) => currencies.has(request.currency))
    if (endpoint === undefined) return yield* refuse("currencyNotEnabled", { field: "currency", clientOrderId })
    const amount = Money.toMinor(request.amount, request.currency)
    if (Result.isFailure(amount)) return yield* refuse("amountNotExact", { field: "amount", clientOrderId })

    const nowMs = yield* Clock.currentTimeMillis
    const merchantId = call.merchant.login
    const adoption = yield* adopt(merchantId, request.client_orderid, {
      action: "pay",
      amountsMinor: [amount.success],
      currency: request.currency
    })
    const orderId = adoption?.orderId ?? (yield* numbers.next(merchantId))
    const payment = Payment.of(request, {
      amountMinor: amount.success,
      currency: request.currency,
      ...Payment.dialectOf(call)
    })
    const session = {
      ...opening.session(orderId, nowMs, { kind: "payout", country: null, purpose: request.purpose ?? null }),
      // A page whose payout the rail has already booked expires at once. Its end asks the rail what was paid.
      ...(adoption?.isPaid === true ? { expiresAtMs: nowMs } : {})
    }
    const begun: PayoutRegister.PayoutStart = {
      opening: {
        kind: "payout",
        orderId,
        requestId: ids.next(),
        merchantId,
        endpointId: endpoint.id,
        operation: operation.name,
        descriptor: endpoint.descriptor,
        fingerprint: opening.fingerprint(call),
        idempotencyKey: null,
        payment,
        filteredBy:
          adoption === undefined
            ? PayoutRisk.judge(endpoint, { ...payment, bin: "", cardHashes: [] }, nowMs)
            : undefined,
        nowMs,
        createdAtMs: adoption?.createdAtMs
      },
      claim: (kind) => scheduler.claim(nowMs, kind, call.merchant.login)
    }
    const page = (ended: boolean) =>
      ended
        ? [Decision.append(HostedSession, { ...session, endedAtMs: nowMs })]
        : OpenHostedSession.rows(call.merchant.login, session, nowMs)
    const registered = PayoutRegister.openForm(begun, page)
    return yield* opening.open(
      call,
      adoption === undefined ? registered : Adoption.adopted(registered, adoption, nowMs),
      session.token
    )
  })

  const handler: Handler = { operation, replay: opening.replay, perform, reads: false }
  return handler
})
