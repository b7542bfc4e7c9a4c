/** The parameters of a callback, in the order of the contract and without `control`, which is made when it is sent. */
import * as Money from "@pay/schema/Money"
import type { Order } from "./entities/Order.ts"
import type { OrderRequest, Progress } from "./entities/OrderRequest.ts"
import * as SerialNumber from "./SerialNumber.ts"
import * as TransactionType from "./TransactionType.ts"

/** The wire's word for how far a request is. */
export const wireProgress: Readonly<Record<Progress, string>> = {
  moving: "processing",
  unknown: "unknown",
  approved: "approved",
  declined: "declined",
  filtered: "filtered",
  error: "error"
}

export const parameters = (order: Order, request: OrderRequest): ReadonlyArray<readonly [string, string]> => {
  const creation = request.action === "authorize" || request.action === "sale"
  const amountMinor = creation ? order.amountMinor : request.amountMinor
  const pairs: Array<readonly [string, string | number | null]> = [
    ["status", wireProgress[request.progress]],
    ["orderid", order.orderId],
    ["client_orderid", order.clientOrderId],
    ["merchant_order", order.clientOrderId],
    ["type", TransactionType.ofAction(request.action, order)],
    ["amount", Money.fromMinor(amountMinor, order.currency)],
    ["currency", order.currency],
    ["serial-number", SerialNumber.first(request.requestId)],
    ["error_code", request.errorCode],
    ["error_message", request.errorMessage],
    ["bin", order.bin],
    ["last-four-digits", order.lastFour],
    ["card-type", order.cardType],
    ["approval-code", order.approvalCode],
    ["processor-tx-id", order.processorTxId],
    ["merchantdata", order.merchantData]
  ]
  const known: Array<readonly [string, string]> = []
  for (const [name, value] of pairs) if (value !== null) known.push([name, String(value)])
  return known
}
