/** The content of a callback about a request that became final, with the names of the contract. */
import * as Callback from "@pay/schema/Callback"
import * as Money from "@pay/schema/Money"
import * as Form from "@pay/signing/Form"
import { Result } from "effect"
import * as SerialNumber from "../../kernel/SerialNumber.ts"
import * as BankDetails from "../record/BankDetails.ts"
import * as Lifecycle from "../record/Lifecycle.ts"
import type { Order } from "../record/Order.ts"
import type { OrderRequest } from "../record/OrderRequest.ts"
import * as TransactionType from "./TransactionType.ts"

/**
 * Returns the amount as the merchant wrote it, if it equals the given amount: clients of the older dialect compare it as text
 * with the amount that they sent.
 */
const amountOf = ({ amountText, currency }: Order, amountMinor: number): string =>
  amountText !== null && Result.getOrUndefined(Money.toMinor(amountText, currency)) === amountMinor
    ? amountText
    : Money.fromMinor(amountMinor, currency)

const retrievalReference = ({ bankDetails }: Order) => {
  const rrn = BankDetails.column.read(bankDetails)?.retrievalReference
  return rrn === undefined ? {} : { "processor-rrn": rrn }
}

/** The parameters about the order, the card and the bank's answer. */
const facts = (order: Order) => ({
  currency: order.currency,
  ...(order.descriptor === null ? {} : { descriptor: order.descriptor }),
  ...(order.bin === "" ? {} : { bin: order.bin, "last-four-digits": order.lastFour, "card-type": order.cardType }),
  ...(order.approvalCode === null ? {} : { "approval-code": order.approvalCode }),
  ...(order.processorTxId === null ? {} : { "processor-tx-id": order.processorTxId }),
  ...retrievalReference(order),
  ...(order.subscriptionId === null ? {} : { "recurring-payment-id": order.subscriptionId })
})

const errors = (code: number | null, message: string | null) => ({
  ...(code === null ? {} : { error_code: String(code) }),
  ...(message === null ? {} : { error_message: message })
})

/** Returns the parameters about a request that became final. */
export const ofRequest = (order: Order, request: OrderRequest): Callback.Callback => ({
  status: request.progress,
  orderid: order.orderId,
  client_orderid: order.clientOrderId,
  type: TransactionType.ofRequest(request, order),
  amount: amountOf(order, request.amountMinor),
  "serial-number": SerialNumber.first(request.requestId),
  ...errors(request.errorCode, request.errorMessage),
  ...facts(order)
})

/**
 * Returns the parameters about an order that its customer's browser brings to the shop: those of a callback. The reason why a
 * rule of the endpoint stopped the payment does not pass through the browser.
 */
export const ofOrder = (order: Order, status: string): Callback.Callback => ({
  status,
  orderid: order.orderId,
  client_orderid: order.clientOrderId,
  type: TransactionType.ofOrder(order),
  amount: amountOf(order, order.amountMinor),
  "serial-number": SerialNumber.first(order.requestId),
  ...(order.filteredBy === null ? errors(order.errorCode, order.errorMessage) : {}),
  ...facts(order)
})

/** Returns the parameters about a dispute that took money of an approved order, or that the merchant has won. */
export const ofDispute = (order: Order, { amountMinor, isTaken, reasonCode }: Disputed): Callback.Callback => ({
  ...ofOrder(order, Lifecycle.states[order.state].wire),
  ...(isTaken ? { amount: amountOf(order, amountMinor) } : {}),
  ...(isTaken && reasonCode !== undefined ? { "reason-code": reasonCode } : {})
})

export interface Disputed {
  readonly amountMinor: number
  /** Whether the money was taken from the merchant; otherwise he got it back, and the callback shows the order. */
  readonly isTaken: boolean
  readonly reasonCode?: string | undefined
}

/**
 * Returns the query of the callback without its `control`, which is computed for each delivery, with the keys of that
 * time.
 */
export const query = (content: Callback.Callback): string =>
  Form.write(Callback.parameters(content, "").filter(([name]) => name !== "control"))
