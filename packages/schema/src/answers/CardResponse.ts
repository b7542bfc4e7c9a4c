/** Answers about stored cards. */
import { Schema } from "effect"
import { optionalText, Text } from "./AnswerFields.ts"

const reference = {
  type: Schema.String,
  "serial-number": Text,
  status: optionalText,
  "card-ref-id": Text,
  "unq-card-ref-id": optionalText,
  "paynet-order-id": optionalText,
  "merchant-order-id": optionalText,
  "end-point-id": optionalText
}

/** `type` is `create-card-ref-response`. */
export const CardRefAsyncResponse = Schema.Struct(reference).annotate({ identifier: "CardRefAsyncResponse" })
export type CardRefAsyncResponse = typeof CardRefAsyncResponse.Type

/** The same from version 4, which may also name a recurring payment. */
export const CardRefV4AsyncResponse = Schema.Struct({
  ...reference,
  "recurring-payment-id": optionalText,
  "dst-recurring-payment-id": optionalText
}).annotate({ identifier: "CardRefV4AsyncResponse" })
export type CardRefV4AsyncResponse = typeof CardRefV4AsyncResponse.Type

/** `type` is `get-card-info-response`. */
export const CardInfoAsyncResponse = Schema.Struct({
  type: Schema.String,
  "serial-number": Text,
  bin: Text,
  "last-four-digits": Text,
  "card-type": optionalText,
  "masked-pan": optionalText,
  "expire-month": Text,
  "expire-year": Text,
  "card-printed-name": optionalText,
  "end-point-id": optionalText
}).annotate({ identifier: "CardInfoAsyncResponse" })
export type CardInfoAsyncResponse = typeof CardInfoAsyncResponse.Type
