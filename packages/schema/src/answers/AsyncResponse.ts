/** Acknowledgements: the outcome comes by `status` or callback (docs/specification.md#common-rules). */
import { Schema } from "effect"
import { optionalText, order, text, type } from "./AnswerFields.ts"

const further = (operations: string) => optionalText(`Equal to \`paynet-order-id\`, for ${operations}.`, "6768788")

/**
 * The answer to a request that was accepted and stored durably. Its `type` is `async-response`. The signing examples of the
 * specification read `transaction-id` and `payout-id`.
 */
export const AsyncResponse = Schema.Struct({
  type: type("async-response"),
  ...order,
  "transaction-id": further("transfers and questions about cards"),
  "payout-id": further("payouts")
}).annotate({ identifier: "AsyncResponse" })
export type AsyncResponse = typeof AsyncResponse.Type

/** The answer that says where to send the customer. Its `type` is `async-form-response`. */
export const AsyncCheckoutFormRedirect = Schema.Struct({
  type: type("async-form-response"),
  ...order,
  status: optionalText("The status of the order.", "processing"),
  "redirect-url": text("The address to which you send the customer.", "https://gateway.example/form/5f0c9c1e")
}).annotate({ identifier: "AsyncCheckoutFormRedirect" })
export type AsyncCheckoutFormRedirect = typeof AsyncCheckoutFormRedirect.Type
