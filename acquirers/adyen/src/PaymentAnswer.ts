/** Adyen's answers as values. */
import { Schema } from "effect"

/** The body of an answer with an HTTP status of 400 or more. */
export const ServiceError = Schema.Struct({
  status: Schema.Int,
  errorCode: Schema.String,
  message: Schema.String,
  errorType: Schema.optionalKey(Schema.String)
})
export type ServiceError = typeof ServiceError.Type
