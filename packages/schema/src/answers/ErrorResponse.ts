/** Refusals and failures (docs/specification.md#errors). One shape for every HTTP status that is not 200. */
import { Schema } from "effect"
import { MerchantOrderId, OrderId, optionalText, SerialNumber, text, type } from "./AnswerFields.ts"

const problem = {
  "serial-number": Schema.optionalKey(SerialNumber),
  "error-code": optionalText("The first problem's code.", "1"),
  "error-message": text("What is wrong, for a person.", "Parameter orderid is required"),
  "merchant-order-id": Schema.optionalKey(MerchantOrderId),
  "paynet-order-id": Schema.optionalKey(OrderId)
}

/** One problem of one field. This project adds the list of problems to the public body. */
const Problem = Schema.Struct({
  field: text("The field's primary name.", "orderid"),
  code: text("The problem's code.", "1"),
  message: text("What is wrong.", "Parameter orderid is required")
}).annotate({ identifier: "Problem" })

/** A refused request. Its `type` is `validation-error`. `errors` lists all problems at once. */
export const ValidationErrorResponse = Schema.Struct({
  type: type("validation-error"),
  ...problem,
  errors: Schema.optionalKey(Schema.Array(Problem))
}).annotate({ identifier: "ValidationErrorResponse" })
export type ValidationErrorResponse = typeof ValidationErrorResponse.Type

/** A failure of the gateway. Its `type` is `error`. It contains no internal details of the gateway. */
export const ServerErrorResponse = Schema.Struct({ type: type("error"), ...problem }).annotate({
  identifier: "ServerErrorResponse"
})
export type ServerErrorResponse = typeof ServerErrorResponse.Type
