/** Acknowledgements: the outcome comes by `status` or callback (specification, rules 5 and 6). */
import { Schema } from "effect"
import { optionalText, order, text, type } from "./AnswerFields.ts"

const async = { type: type("async-response"), ...order }

/** The request was accepted and is durable. `type` is `async-response`. */
export const AsyncResponse = Schema.Struct(async).annotate({ identifier: "AsyncResponse" })
export type AsyncResponse = typeof AsyncResponse.Type

/** Also tells `transaction-id`, as the specification's signing examples read it; equal to `paynet-order-id`. */
export const TransactionResponse = Schema.Struct({
  ...async,
  "transaction-id": optionalText("Equal to `paynet-order-id`.", "6768788")
}).annotate({ identifier: "TransactionResponse" })
export type TransactionResponse = typeof TransactionResponse.Type

/** Also tells `payout-id`, as the specification's signing examples read it; equal to `paynet-order-id`. */
export const PayoutResponse = Schema.Struct({
  ...async,
  "payout-id": optionalText("Equal to `paynet-order-id`.", "6768788")
}).annotate({ identifier: "PayoutResponse" })
export type PayoutResponse = typeof PayoutResponse.Type

/** Where to send the customer. `type` is `async-form-response`. */
export const AsyncCheckoutFormRedirect = Schema.Struct({
  type: type("async-form-response"),
  ...order,
  status: optionalText("How the order stands.", "processing"),
  "redirect-url": text("Where to send the customer.", "https://gateway.example/form/5f0c9c1e")
}).annotate({ identifier: "AsyncCheckoutFormRedirect" })
export type AsyncCheckoutFormRedirect = typeof AsyncCheckoutFormRedirect.Type
