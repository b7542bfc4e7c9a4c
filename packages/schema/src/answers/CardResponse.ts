/** Answers about stored cards. */
import { Schema } from "effect"
import { optionalOrder, optionalText, SerialNumber, text, type } from "./AnswerFields.ts"

const reference = {
  type: type("create-card-ref-response"),
  "serial-number": SerialNumber,
  status: optionalText("Whether the card was stored.", "approved"),
  "card-ref-id": text("The stored card: `cardrefid` of later requests.", "71573"),
  "unq-card-ref-id": optionalText("A reference that equal cards share.", "71573"),
  ...optionalOrder
}

/** The reference to a stored card. Its `type` is `create-card-ref-response`. */
export const CardRefAsyncResponse = Schema.Struct(reference).annotate({ identifier: "CardRefAsyncResponse" })
export type CardRefAsyncResponse = typeof CardRefAsyncResponse.Type

/**
 * The reference to a stored card in version 4, which may also name recurring payments. Its `type` is `create-card-ref-response`.
 */
export const CardRefV4AsyncResponse = Schema.Struct({
  ...reference,
  "recurring-payment-id": optionalText("The card as payer of a transfer.", "10901"),
  "dst-recurring-payment-id": optionalText("The card as receiver of a transfer.", "10902")
}).annotate({ identifier: "CardRefV4AsyncResponse" })
export type CardRefV4AsyncResponse = typeof CardRefV4AsyncResponse.Type

/** What may be shown of a stored card. Its `type` is `get-card-info-response`. */
export const CardInfoAsyncResponse = Schema.Struct({
  type: type("get-card-info-response"),
  "serial-number": SerialNumber,
  bin: text("The card's first six digits.", "444433"),
  "last-four-digits": text("The card's last four digits.", "1111"),
  "card-type": optionalText("The card's brand.", "VISA"),
  "masked-pan": optionalText("First six and last four digits.", "444433******1111"),
  "expire-month": text("The month of expiry.", "12"),
  "expire-year": text("The year of expiry.", "2030"),
  "card-printed-name": optionalText("The name on the card.", "JOHN SMITH")
}).annotate({ identifier: "CardInfoAsyncResponse" })
export type CardInfoAsyncResponse = typeof CardInfoAsyncResponse.Type
