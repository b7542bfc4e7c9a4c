/** The status of an order as flows return it: the answer to `status` without the customer's personal data. */
import { payoutWaitingApproval } from "@pay/schema/OrderStage"
import type { StatusResponse } from "@pay/schema/StatusResponse"
import { Schema } from "effect"

const text = Schema.optionalKey(Schema.String)

/** The status of an order, or of one request about it. Amounts are decimal text in `currency`, as on the wire. */
export const OrderStatus = Schema.Struct({
  clientOrderId: Schema.String,
  orderId: Schema.String,
  /** `processing`, `unknown`, `approved`, `declined`, `error`, `filtered`, or another value of the gateway. */
  status: Schema.String,
  transactionType: text,
  orderStage: text,
  amount: text,
  currency: text,
  authorizedAmount: text,
  capturedAmount: text,
  returnedAmount: text,
  remainingAmount: text,
  bin: text,
  lastFour: text,
  cardType: text,
  recurringPaymentId: text,
  /** The status of the recurring payment: `active`, `paused`, `suspended`, `finished`, `cancelled`. */
  recurringPaymentStatus: text,
  /** The date of the next charge of the recurring payment, as `YYYY-MM-DD`. */
  nextChargeDate: text,
  approvalCode: text,
  processorTxId: text,
  descriptor: text,
  verified3dStatus: text,
  errorCode: text,
  errorMessage: text
})
export type OrderStatus = typeof OrderStatus.Type

/** The names of the fields in the answer to `status`. Fields that are not listed have the same name. */
const names = {
  clientOrderId: "merchant-order-id",
  orderId: "paynet-order-id",
  transactionType: "transaction-type",
  orderStage: "order-stage",
  authorizedAmount: "authorized-amount",
  capturedAmount: "captured-amount",
  returnedAmount: "returned-amount",
  remainingAmount: "remaining-amount",
  lastFour: "last-four-digits",
  cardType: "card-type",
  recurringPaymentId: "recurring-payment-id",
  recurringPaymentStatus: "recurring-payment-status",
  nextChargeDate: "next-charge-date",
  approvalCode: "approval-code",
  processorTxId: "processor-tx-id",
  verified3dStatus: "verified-3d-status",
  errorCode: "error-code",
  errorMessage: "error-message"
} as const satisfies { readonly [Name in keyof OrderStatus]?: keyof StatusResponse }

const read = Schema.decodeUnknownSync(OrderStatus.pipe(Schema.encodeKeys(names)))

/** Describes an order in a message: its number, its status, and for what it waits. */
export const describe = ({ orderId, orderStage, status }: OrderStatus): string => {
  const waits = orderStage === payoutWaitingApproval ? ": it waits until a second person has approved it" : ""
  return `order ${orderId} is ${status}${orderStage === undefined ? "" : ` (${orderStage})`}${waits}`
}

/** Returns the status of an order from the answer to `status`. */
export const of = (answer: StatusResponse): OrderStatus => {
  // Gateways of other vendors return the amount only as `total-reversal-amount`.
  const returned = answer["returned-amount"] ?? answer["total-reversal-amount"]
  return read(returned === undefined ? answer : { ...answer, "returned-amount": returned })
}
