/** Answers about recurring payments. */
import { Schema } from "effect"
import { EndPointId, optionalOrder, optionalText, SerialNumber, text, type } from "./AnswerFields.ts"

const recurring = {
  "serial-number": SerialNumber,
  status: optionalText("How the recurring payment stands.", "active"),
  "recurring-payment-id": text("The recurring payment.", "10901"),
  "next-charge-date": optionalText("The day of the next scheduled charge.", "2030-02-28")
}

/**
 * A recurring payment that was created. `type` is `create-recurring-payment-response`. `paynet-order-id` is the first charge, if
 * it was made at once.
 */
export const CreateRecurringPaymentResponse = Schema.Struct({
  type: type("create-recurring-payment-response"),
  ...recurring,
  ...optionalOrder
}).annotate({ identifier: "CreateRecurringPaymentResponse" })
export type CreateRecurringPaymentResponse = typeof CreateRecurringPaymentResponse.Type

/** A recurring payment that was changed. Its `type` is `update-recurring-payment-response`. */
export const UpdateRecurringPaymentResponse = Schema.Struct({
  type: type("update-recurring-payment-response"),
  ...recurring,
  "end-point-id": Schema.optionalKey(EndPointId)
}).annotate({ identifier: "UpdateRecurringPaymentResponse" })
export type UpdateRecurringPaymentResponse = typeof UpdateRecurringPaymentResponse.Type
