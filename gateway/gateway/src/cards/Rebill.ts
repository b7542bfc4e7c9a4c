/**
 * Serves `make-rebill` and the equivalent operations of the protocol family. They charge a stored card while its holder is
 * absent, or reserve money on it (docs/assumptions.md#rebills), without 3-D Secure, and only if the holder has paid with it
 * before.
 */

import * as PayApi from "@pay/schema/PayApi"
import { Effect } from "effect"
import * as Change from "../kernel/Change.ts"
import { Ids } from "../kernel/Ids.ts"
import { Scheduler } from "../kernel/Scheduler.ts"
import { Store } from "../kernel/Store.ts"
import * as Transact from "../kernel/Transact.ts"
import type { Call, Handler } from "../merchants/Call.ts"
import type { Endpoint } from "../merchants/Directory.ts"
import * as CustomerAddress from "../network/CustomerAddress.ts"
import type { AmountSelection } from "../orders/decide/AmountAttempts.ts"
import * as Register from "../orders/decide/Register.ts"
import { selectAmount } from "../orders/outcomes/SelectAmount.ts"
import * as CardKinds from "../orders/record/CardKinds.ts"
import { type CardKind, Order } from "../orders/record/Order.ts"
import * as Payment from "../orders/record/Payment.ts"
import * as StoredCredential from "../orders/record/StoredCredential.ts"
import * as Creation from "../orders/requests/Creation.ts"
import * as FormerOrders from "../orders/requests/FormerOrders.ts"
import { OrderNumbers } from "../orders/requests/OrderNumbers.ts"
import { RiskCheck } from "../orders/requests/RiskCheck.ts"
import { KeyVault } from "../vault/KeyVault.ts"
import * as RebillRequest from "./RebillRequest.ts"

/** The kind of order that each operation creates. */
const kinds = {
  REBILL: "sale",
  REBILL_SALE: "sale",
  REBILL_PREAUTH: "preauth"
} as const satisfies { readonly [Name in PayApi.Name]?: CardKind }

export const make = Effect.fnUntraced(function* (name: keyof typeof kinds) {
  const operation = PayApi.operations[name]
  const kind = kinds[name]
  const store = yield* Store
  const vault = yield* KeyVault
  const ids = yield* Ids
  const numbers = yield* OrderNumbers
  const scheduler = yield* Scheduler
  const riskCheck = yield* RiskCheck
  const creation = yield* Creation.make(operation)
  const read = yield* RebillRequest.make(operation, creation)
  const adopt = yield* FormerOrders.orRefuse

  const perform = Effect.fnUntraced(function* (call: Call, endpoints: ReadonlyArray<Endpoint>) {
    const { amountsMinor, card, endpoint, nowMs, pan, request } = yield* read(call, endpoints)
    /** The order from which the card was stored, for the payer's e-mail and phone. */
    const source = card.orderId === null ? undefined : yield* store.load(Order, [card.orderId])
    const { bin, cardType, cardholder, expireMonth, expireYear, lastFour, panHash } = card
    const { currency, cvv2 } = request
    const ipAddress = CustomerAddress.of(request.ipaddress)
    const email = source?.email ?? ""
    const merchantId = call.merchant.login
    const adoption = yield* adopt(merchantId, request.client_orderid, {
      action: CardKinds.kinds[kind].action,
      amountsMinor,
      currency
    })
    const orderId = adoption?.orderId ?? (yield* numbers.next(merchantId))
    const riskPayment = {
      ...{ orderId, merchantId, endpoint, pan, currency, bin, email },
      address: ipAddress,
      country: undefined,
      storedCard: panHash
    }
    const listed = amountsMinor.length > 1
    const register = ({ next, stopped }: AmountSelection) => {
      const last = stopped.at(-1)
      const filteredBy = next === undefined ? last?.filteredBy : undefined
      const attempts = stopped.length + (next === undefined ? 0 : 1)
      const registered = Register.decide({
        orderId,
        requestId: ids.next(),
        merchantId,
        ...Register.ofEndpoint(endpoint, currency, adoption),
        operation: operation.name,
        kind,
        initiator: "merchant",
        credential: StoredCredential.of({ ...card, use: "use", series: "unscheduled" }),
        fingerprint: creation.identify(call).fingerprint,
        idempotencyKey: null,
        payment: Payment.of(request, {
          ...Payment.dialectOf(call),
          amountMinor: next?.amountMinor ?? last?.amountMinor ?? 0,
          currency,
          bin,
          lastFour,
          cardType,
          cardholder,
          expireMonth,
          expireYear,
          email,
          phone: source?.phone ?? null,
          billing: source?.billing ?? null,
          ipAddress
        }),
        encryptedPan: vault.encrypt(pan, orderId),
        panHash,
        encryptedCvv: cvv2 === undefined ? undefined : vault.encryptShortLived(cvv2, orderId),
        filteredBy,
        amounts: listed ? { leftMinor: amountsMinor.slice(attempts), stopped } : undefined,
        velocityEntries: next?.velocityEntries ?? Change.none,
        gate: undefined,
        nowMs,
        createdAtMs: adoption?.createdAtMs,
        claim: scheduler.claim(nowMs, filteredBy === undefined ? "bank" : "callback", merchantId)
      })
      return creation.commitScreened(call, adoption === undefined ? registered : adoption.complete(registered, nowMs))
    }
    return yield* Transact.noneLost(
      adoption === undefined
        ? selectAmount(riskCheck, ids, riskPayment, amountsMinor, register)
        : register({ stopped: [], next: { amountMinor: amountsMinor[0] ?? 0, velocityEntries: Change.none } })
    )
  })

  const handler: Handler = { operation, replay: creation.replay, perform, reads: false }
  return handler
})
