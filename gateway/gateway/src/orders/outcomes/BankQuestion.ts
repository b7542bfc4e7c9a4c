/** What requests and inquiries to the bank say about an order. A repeated request says the same, because an order's columns do not change. */

import { Effect } from "effect"
import type { Store } from "../../kernel/Store.ts"
import * as Terminal from "../../merchants/Terminal.ts"
import type { Inquiry, Original } from "../bank/BankRequest.ts"
import * as Actions from "../record/Actions.ts"
import { referenceOf as attempt } from "../record/Booking.ts"
import type { Order } from "../record/Order.ts"
import { isOfBank, OrderRequest, referenceOf } from "../record/OrderRequest.ts"

/** An order as far as questions about it name it. A restored copy may lack the rest of its row. */
export type NamedOrder = Pick<Order, "amountMinor" | "clientOrderId" | "currency" | "merchantId" | "orderId"> &
  Partial<Pick<Order, "acquirer" | "descriptor" | "processorTxId" | "requestId" | "terminal">>

/** A request as far as an inquiry names it. */
export type NamedRequest = Pick<OrderRequest, "orderId" | "sequence"> & {
  readonly action: Actions.BankAction
} & Partial<Pick<OrderRequest, "acceptedAtMs" | "processorTxId">>

/** Returns the names that every request and every inquiry has. */
export const placed = (order: NamedOrder, requestedAtMs: number | undefined) => ({
  orderId: order.orderId,
  clientOrderId: order.clientOrderId,
  merchantId: order.merchantId,
  currency: order.currency,
  terminal: Terminal.column.read(order.terminal ?? null),
  descriptor: order.descriptor ?? undefined,
  requestedAtMs
})

/** Loads the payment that follow-ups of the order act on: on a hosted page, the attempt that succeeded. */
export const originalOf = Effect.fnUntraced(function* (store: Store["Service"], order: NamedOrder) {
  const creation = order.requestId === undefined ? undefined : yield* store.load(OrderRequest, [order.requestId])
  if (creation === undefined || !isOfBank(creation)) return undefined
  const original: Original = {
    reference: referenceOf(creation),
    kind: Actions.facts[creation.action].kind,
    processorTxId: order.processorTxId || undefined,
    amountMinor: order.amountMinor,
    requestedAtMs: creation.acceptedAtMs
  }
  return original
})

/** Returns the inquiry about a request. `amountMinor`: the amount that the bank is requested to move. */
export const inquiryOf = (
  order: NamedOrder,
  request: NamedRequest,
  { amountMinor, original }: Pick<Inquiry, "amountMinor" | "original">
): Inquiry => {
  const { kind } = Actions.facts[request.action]
  return {
    ...placed(order, request.acceptedAtMs),
    reference: attempt({ kind, orderId: request.orderId, sequence: request.sequence }),
    kind,
    amountMinor,
    processorTxId: request.processorTxId ?? undefined,
    original
  }
}
