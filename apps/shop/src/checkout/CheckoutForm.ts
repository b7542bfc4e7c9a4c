/** The fields of the checkout's form. They are read once: behind this module, a payment has typed values. */
import { CardSale } from "@pay/flows/CardPayment"
import * as FlowPayload from "@pay/flows/FlowPayload"
import { isExpired } from "@pay/schema/Card"
import * as CardInput from "@pay/schema/CardInput"
import { Result } from "effect"
import type { Input } from "../web/Page.ts"
import type { Form } from "../web/Routes.ts"
import texts from "./texts.json" with { type: "json" }

/** The wrong fields of the form by name, each with the message that is shown beside it. */
export type Errors = Readonly<Record<string, string>>

export const contactInputs: ReadonlyArray<Input> = texts.contact
export const cardInputs: ReadonlyArray<Input> = texts.card

const remedies = new Map([...texts.contact, ...texts.card].map(({ name, remedy }) => [name, remedy]))

/** Returns a message for each refused field. Problems of fields that the form lacks are shown at the payment method. */
export const errorsOf = (problems: ReadonlyArray<{ readonly field: string }>): Errors =>
  Object.fromEntries(
    problems.map(({ field }) => {
      const name = field.startsWith("expire") ? "expiry" : field
      const remedy = remedies.get(name)
      return remedy === undefined ? ["way", texts.way.remedy] : [name, remedy]
    })
  )

const contactFields = ["email", "phone", "address1", "zipCode", "city", "country"] as const
const cardFields = ["cardPrintedName", "creditCardNumber", "expireMonth", "expireYear", "cvv2"] as const

/** Reads the customer's contact. A phone number may be typed as `+44 (20) 7946-0000`. */
export const contactOf = (form: Form) =>
  Result.mapError(FlowPayload.decodeFields(CardSale, contactFields, form), errorsOf)
export type Contact = Result.Result.Success<ReturnType<typeof contactOf>>

/**
 * Reads the card, whose expiry is one input of the form. An expired card is refused here, before the flow starts, because a flow
 * loses its card fields when the process restarts.
 */
export const cardOf = (form: Form, nowMs: number) => {
  const { cvv2 = "", expiry = "" } = form
  const { month = "", year = "" } = CardInput.expiry(expiry) ?? {}
  const card = FlowPayload.decodeFields(CardSale, cardFields, {
    ...form,
    expireMonth: String(month),
    expireYear: String(year)
  })
  const errors: Errors = {
    ...(Result.isFailure(card) && errorsOf(card.failure)),
    ...(cvv2.trim() === "" && errorsOf([{ field: "cvv2" }])),
    ...(isPast({ month: Number(month), year: Number(year) }, nowMs) && { expiry: texts.cardExpired })
  }
  return Object.keys(errors).length > 0 ? Result.fail(errors) : Result.mapError(card, errorsOf)
}
export type Card = Result.Result.Success<ReturnType<typeof cardOf>>

const isPast = (expiry: { readonly month: number; readonly year: number }, nowMs: number): boolean =>
  expiry.month > 0 && isExpired(expiry, nowMs)
