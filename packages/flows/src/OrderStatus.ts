/** The status of an order as flows return it: the answer to `status` without the customer's personal data. */
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

/** The names of the optional fields in the answer to `status`. */
const names = {
  transactionType: "transaction-type",
  orderStage: "order-stage",
  amount: "amount",
  currency: "currency",
  authorizedAmount: "authorized-amount",
  capturedAmount: "captured-amount",
  returnedAmount: "returned-amount",
  remainingAmount: "remaining-amount",
  bin: "bin",
  lastFour: "last-four-digits",
  cardType: "card-type",
  recurringPaymentId: "recurring-payment-id",
  recurringPaymentStatus: "recurring-payment-status",
  nextChargeDate: "next-charge-date",
  approvalCode: "approval-code",
  processorTxId: "processor-tx-id",
  descriptor: "descriptor",
  verified3dStatus: "verified-3d-status",
  errorCode: "error-code",
  errorMessage: "error-message"
} as const satisfies { readonly [Name in keyof OrderStatus]?: keyof StatusResponse }

type Optional = { -readonly [Name in keyof typeof names]?: string }

const isName = (name: string): name is keyof typeof names => name in names

/** Returns the status of an order from the answer to `status`. */
export const of = (answer: StatusResponse): OrderStatus => {
  const optional: Optional = {}
  for (const name of Object.keys(names)) {
    if (!isName(name)) continue
    const value = answer[names[name]]
    if (value !== undefined) optional[name] = value
  }
  // Gateways of other vendors return the amount only as `total-reversal-amount`.
  const returned = answer["returned-amount"] ?? answer["total-reversal-amount"]
  if (returned !== undefined) optional.returnedAmount = returned
  return {
    clientOrderId: answer["merchant-order-id"],
    orderId: answer["paynet-order-id"],
    status: answer.status,
    ...optional
  }
}
