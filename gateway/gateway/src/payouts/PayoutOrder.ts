/**
 * Registers an order that the merchant's balance pays: applies its endpoint's limit and block lists, and commits the
 * order with its amount reserved and the recipient encrypted. If the endpoint requires a second approver, the approval
 * comes before the rail.
 */
import { Clock, Effect } from "effect"
import { Ids } from "../kernel/Ids.ts"
import { Scheduler } from "../kernel/Scheduler.ts"
import { Settings } from "../kernel/Settings.ts"
import type { Call } from "../merchants/Call.ts"
import type { Endpoint } from "../merchants/Directory.ts"
import * as EndpointRules from "../merchants/EndpointRules.ts"
import * as Register from "../orders/decide/Register.ts"
import type { RailAction } from "../orders/record/Actions.ts"
import type { PayoutKind } from "../orders/record/Order.ts"
import type * as Payment from "../orders/record/Payment.ts"
import * as CardIdentity from "../orders/requests/CardIdentity.ts"
import type * as Creation from "../orders/requests/Creation.ts"
import * as FormerOrders from "../orders/requests/FormerOrders.ts"
import { OrderNumbers } from "../orders/requests/OrderNumbers.ts"
import type * as Destination from "../recipients/Destination.ts"
import * as Recipient from "../recipients/Recipient.ts"
import { KeyVault } from "../vault/KeyVault.ts"
import * as PayoutRegister from "./decide/PayoutRegister.ts"

export interface PayoutOrder {
  readonly kind: PayoutKind
  /** The first action that is requested from the rail. */
  readonly action: RailAction
  readonly endpoint: Endpoint
  readonly destination: Destination.Destination
  readonly purpose: string | null
  /** Fingerprint of the request; see `Creation.Identity`. */
  readonly fingerprint: string
  readonly payment: Payment.Payment
}

export const make = Effect.fnUntraced(function* (creation: Creation.Creation) {
  const vault = yield* KeyVault
  const ids = yield* Ids
  const numbers = yield* OrderNumbers
  const scheduler = yield* Scheduler
  const { payoutCheckMs } = yield* Settings
  const approvalUntilMs = yield* EndpointRules.approvalUntilMs
  const adopt = yield* FormerOrders.orRefuse

  return Effect.fnUntraced(function* (call: Call, order: PayoutOrder) {
    const { action, destination, endpoint, fingerprint, kind, payment, purpose } = order
    if (destination.kind === "card") yield* creation.countTry(call, destination.number)
    const nowMs = yield* Clock.currentTimeMillis
    const merchantId = call.merchant.login
    const { amountMinor, clientOrderId, currency } = payment
    const adoption = yield* adopt(merchantId, clientOrderId, { action, amountsMinor: [amountMinor], currency })
    const orderId = adoption?.orderId ?? (yield* numbers.next(merchantId))
    const payout = Recipient.facts(vault, destination, { orderId, merchantId, purpose })
    const cardHashes =
      destination.kind === "card" ? CardIdentity.listed(vault, endpoint.risk, merchantId, destination.number) : []
    const filteredBy =
      adoption === undefined
        ? PayoutRegister.judge(endpoint, { ...payment, bin: payout.bin, cardHashes }, nowMs)
        : undefined
    const registered = PayoutRegister.decide({
      opening: {
        kind,
        orderId,
        requestId: ids.next(),
        merchantId,
        ...Register.ofEndpoint(endpoint, currency),
        operation: call.operation.name,
        fingerprint,
        idempotencyKey: null,
        payment: { ...payment, billing: null },
        filteredBy,
        nowMs,
        createdAtMs: adoption?.createdAtMs
      },
      payout,
      action,
      // The payout is already made, so an approver can no longer reject it.
      approvalUntilMs: adoption === undefined ? approvalUntilMs(endpoint.id, nowMs) : undefined,
      lapsesAtMs: nowMs + payoutCheckMs,
      claim: (kind) => scheduler.claim(nowMs, kind, call.merchant.login)
    })
    return yield* creation.commit(call, adoption === undefined ? registered : adoption.complete(registered, nowMs))
  })
})
