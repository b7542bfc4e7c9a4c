/** Answers about recurring payments. */
import { Schema } from "effect"
import { optionalText, Text } from "./AnswerFields.ts"

const recurring = {
  type: Schema.String,
  "serial-number": Text,
  status: optionalText,
  "recurring-payment-id": Text,
  "next-charge-date": optionalText,
  "end-point-id": optionalText
}

/** `type` is `create-recurring-payment-response`. `paynet-order-id` is the first charge, where one was made at once. */
export const CreateRecurringPaymentResponse = Schema.Struct({
  ...recurring,
  "paynet-order-id": optionalText,
  "merchant-order-id": optionalText
}).annotate({ identifier: "CreateRecurringPaymentResponse" })
export type CreateRecurringPaymentResponse = typeof CreateRecurringPaymentResponse.Type

/** `type` is `update-recurring-payment-response`. */
export const UpdateRecurringPaymentResponse = Schema.Struct(recurring).annotate({
  identifier: "UpdateRecurringPaymentResponse"
})
export type UpdateRecurringPaymentResponse = typeof UpdateRecurringPaymentResponse.Type
