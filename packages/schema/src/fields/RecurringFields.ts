/** Fields of recurring payments. */
import { Schema } from "effect"
import * as Field from "../Field.ts"
import * as RecurringSchedule from "../RecurringSchedule.ts"

/** Makes a field for a recurring payment, or for a card by the recurring payment to which it belongs. */
export const recurringPaymentId = (about: string) =>
  Field.text({
    about,
    max: 20,
    pattern: /^\d{1,20}$/,
    must: "must be a number of at most 20 digits",
    sample: "10901"
  })

export const RecurringPaymentId = recurringPaymentId(
  "A recurring payment (`recurring-payment-id` of the answer that created it)."
)

const Period = Field.oneOf(RecurringSchedule.periods, {
  about: `The unit of the schedule: ${RecurringSchedule.periods.join(", ")}.`,
  sample: "monthly"
})

const count = (about: string, sample: string) =>
  Field.integer({
    about,
    max: 4,
    pattern: /^[1-9]\d*$/,
    must: "must be a whole number from 1 to 9999",
    sample
  })

const date = (about: string, sample: string) =>
  Field.text({
    about,
    max: 10,
    sample,
    rule: (text) => (RecurringSchedule.parseDay(text) === undefined ? "must be a day, YYYY-MM-DD" : undefined),
    json: { format: "date" }
  })

/** The fields of a schedule. Days are calendar days in the endpoint's time zone. */
export const schedule = {
  period: Period,
  interval: count("The number of periods between two charges.", "1"),
  "start-date": Schema.optionalKey(date("The day of the first charge. Without it: today.", "2030-01-31")),
  "finish-date": Schema.optionalKey(date("The last day on which a charge is made.", "2031-01-31")),
  occurrences: Schema.optionalKey(count("The number of charges in all.", "12"))
}

export const CardType = Field.oneOf(["SRC", "DST"], {
  about: "Whether the card pays (SRC) or receives (DST, which this gateway refuses).",
  sample: "SRC"
})

export const Change = Field.oneOf(["pause", "resume", "cancel"], {
  about: "What happens to the recurring payment: pause, resume or cancel.",
  sample: "pause"
})
