/** Refusals and failures (specification, Errors). One shape for every HTTP status that is not 200. */
import { Schema } from "effect"
import { optionalText, Text } from "./AnswerFields.ts"

const fields = {
  type: Schema.String,
  "serial-number": optionalText,
  "error-code": optionalText,
  "error-message": Text,
  "merchant-order-id": optionalText,
  "paynet-order-id": optionalText
}

/** One problem of one field, our addition to the public body. */
export const Problem = Schema.Struct({ field: Schema.String, code: Text, message: Schema.String }).annotate({
  identifier: "Problem"
})

/** `type` is `validation-error`. `errors` lists all problems at once. */
export const ValidationErrorResponse = Schema.Struct({
  ...fields,
  errors: Schema.optionalKey(Schema.Array(Problem))
}).annotate({ identifier: "ValidationErrorResponse" })
export type ValidationErrorResponse = typeof ValidationErrorResponse.Type

/** `type` is `error`. Nothing of the gateway's insides is told. */
export const ServerErrorResponse = Schema.Struct(fields).annotate({ identifier: "ServerErrorResponse" })
export type ServerErrorResponse = typeof ServerErrorResponse.Type
