/** The content of a callback about a request that became final, with the names of the contract. */
import * as Callback from "@pay/schema/Callback"
import * as Money from "@pay/schema/Money"
import * as Form from "@pay/signing/Form"
import { Result } from "effect"
import * as SerialNumber from "../kernel/SerialNumber.ts"
import type { Order } from "./Order.ts"
import type { OrderRequest } from "./OrderRequest.ts"
import * as TransactionType from "./TransactionType.ts"

/**
 * Returns the amount as the merchant wrote it, if it equals the amount of the request: clients of the older dialect
 * compare it as text with the amount that they sent.
 */
const amountOf = ({ amountText, currency }: Order, { amountMinor }: OrderRequest): string =>
  amountText !== null && Result.getOrUndefined(Money.toMinor(amountText, currency)) === amountMinor
    ? amountText
    : Money.fromMinor(amountMinor, currency)

const callback = (order: Order, request: OrderRequest): Callback.Callback => ({
  status: request.progress,
  orderid: order.orderId,
  client_orderid: order.clientOrderId,
  type: TransactionType.ofRequest(request, order),
  amount: amountOf(order, request),
  currency: order.currency,
  "serial-number": SerialNumber.first(request.requestId),
  ...(order.descriptor === null ? {} : { descriptor: order.descriptor }),
  ...(request.errorCode === null ? {} : { error_code: String(request.errorCode) }),
  ...(request.errorMessage === null ? {} : { error_message: request.errorMessage }),
  ...(order.bin === "" ? {} : { bin: order.bin, "last-four-digits": order.lastFour, "card-type": order.cardType }),
  ...(order.approvalCode === null ? {} : { "approval-code": order.approvalCode }),
  ...(order.processorTxId === null ? {} : { "processor-tx-id": order.processorTxId }),
  ...(order.subscriptionId === null ? {} : { "recurring-payment-id": order.subscriptionId })
})

/**
 * Returns the query of the callback without its `control`, which is computed for each delivery, with the keys of that
 * time.
 */
export const query = (order: Order, request: OrderRequest): string =>
  Form.write(Callback.parameters(callback(order, request), "").filter(([name]) => name !== "control"))
