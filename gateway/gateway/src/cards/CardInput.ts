/** Reads a card that a merchant stores: that of an approved order, or the one in the request. */

import * as Canonical from "@pay/schema/Canonical"
import * as CardRules from "@pay/schema/Card"
import type { Operation } from "@pay/schema/Operation"
import * as PayApi from "@pay/schema/PayApi"
import { Clock, Effect, Redacted, Result } from "effect"
import { refuse, refuseFields } from "../kernel/Answer.ts"
import type { Call } from "../merchants/Call.ts"
import { Card } from "../orders/record/Card.ts"
import * as Lifecycle from "../orders/record/Lifecycle.ts"
import type { Order } from "../orders/record/Order.ts"
import { namedOrder } from "../orders/requests/NamedOrder.ts"
import { KeyVault } from "../vault/KeyVault.ts"
import type { CardRef } from "./decide/CardRef.ts"

/** A card to store, from an order or from the request. */
export interface CardInput
  extends Pick<CardRef, "panHash" | "cardholder" | "expireMonth" | "expireYear" | "cardholderInitiated"> {
  readonly pan: Redacted.Redacted<string>
  readonly order: Order | undefined
}

export const make = Effect.fnUntraced(function* (operation: Operation) {
  const vault = yield* KeyVault

  const ofOrder = Effect.fnUntraced(function* (call: Call) {
    const order = yield* namedOrder(call.rows, call)
    if (order === undefined) return yield* refuse("orderNotFound")
    const names = { clientOrderId: order.clientOrderId, orderId: order.orderId }
    if (!Lifecycle.isApproved(order.state)) {
      const message = Lifecycle.isFinal(order.state)
        ? `Order ${order.orderId} was not approved; only an approved order's card is stored`
        : `Order ${order.orderId} has no final outcome yet; ask status and try again once it is approved`
      return yield* refuse("orderState", { ...names, message })
    }
    const card = yield* call.rows.load(Card, [order.orderId])
    if (card === undefined) return yield* refuse("cardNotFound", { ...names, message: "The order's card is erased" })
    if (order.expireYear === 0) {
      return yield* refuse("orderState", {
        ...names,
        message: "The order's card came without its expiry: it cannot be stored"
      })
    }
    return {
      pan: yield* Effect.orDie(vault.decrypt(card.encryptedPan, order.orderId)),
      panHash: card.panHash,
      cardholder: order.cardholder,
      expireMonth: order.expireMonth,
      expireYear: order.expireYear,
      cardholderInitiated: order.initiator === "cardholder" ? 1 : 0,
      order
    } satisfies CardInput
  })

  const ofRequest = Effect.fnUntraced(function* (call: Call) {
    const decoded = PayApi.operations.CARDREF_V4.decodeFields(call.fields)
    if (Result.isFailure(decoded)) return yield* refuseFields(decoded.failure, call.fields.client_orderid)
    const { card_printed_name, credit_card_number: pan, expire_month: month, expire_year: year } = decoded.success
    if (pan === undefined || month === undefined || year === undefined) return yield* ofOrder(call)
    if (CardRules.isExpired({ month, year }, yield* Clock.currentTimeMillis))
      return yield* refuse("cardExpired", { field: "expire_year", clientOrderId: call.fields.client_orderid })
    return {
      pan,
      panHash: vault.cardHash(call.merchant.login, Redacted.make(Canonical.card(operation, call.fields))),
      cardholder: card_printed_name ?? "",
      expireMonth: month,
      expireYear: year,
      cardholderInitiated: 0,
      order: undefined
    } satisfies CardInput
  })

  return { ofOrder, ofRequest }
})
