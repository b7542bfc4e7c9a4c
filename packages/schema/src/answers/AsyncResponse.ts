/** Acknowledgements: the outcome comes by `status` or callback (specification, rules 5 and 6). */
import { Schema } from "effect"
import { optionalText, order, Text } from "./AnswerFields.ts"

/** The request was accepted and is durable. `type` is `async-response`. */
export const AsyncResponse = Schema.Struct(order).annotate({ identifier: "AsyncResponse" })
export type AsyncResponse = typeof AsyncResponse.Type

/** Also tells `transaction-id`, as the specification's signing examples read it; equal to `paynet-order-id`. */
export const TransactionResponse = Schema.Struct({ ...order, "transaction-id": optionalText }).annotate({
  identifier: "TransactionResponse"
})
export type TransactionResponse = typeof TransactionResponse.Type

/** Also tells `payout-id`, as the specification's signing examples read it; equal to `paynet-order-id`. */
export const PayoutResponse = Schema.Struct({ ...order, "payout-id": optionalText }).annotate({
  identifier: "PayoutResponse"
})
export type PayoutResponse = typeof PayoutResponse.Type

/** Where to send the customer. `type` is `async-form-response`. */
export const AsyncCheckoutFormRedirect = Schema.Struct({
  ...order,
  status: optionalText,
  "redirect-url": Text
}).annotate({ identifier: "AsyncCheckoutFormRedirect" })
export type AsyncCheckoutFormRedirect = typeof AsyncCheckoutFormRedirect.Type
