/** The fields of the checkout's form, and their conversion to fields of the gateway's requests. */
import { isExpired } from "@pay/schema/Card"
import * as CardInput from "@pay/schema/CardInput"
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

/** Returns the fields of the contact. The gateway reads a phone number such as `+44 (20) 7946-0000`. */
export const contactOf = (form: Form): Form =>
  Object.fromEntries(contactInputs.map(({ name }) => [name, form[name] ?? ""]))

/** Returns the fields of the card, as the gateway's own pages read them. */
export const cardOf = ({ cardPrintedName = "", creditCardNumber = "", cvv2 = "", expiry = "" }: Form) => {
  const date = CardInput.expiry(expiry)
  return {
    cardPrintedName,
    cvv2: CardInput.code(cvv2),
    creditCardNumber: CardInput.number(creditCardNumber),
    expireMonth: date === undefined ? "" : String(date.month),
    expireYear: date === undefined ? "" : String(date.year)
  }
}

/**
 * Returns the missing fields of the card, and whether the card has expired. The form is checked before the flow starts, because a
 * flow loses its card fields when the process restarts.
 */
export const cardErrorsOf = (form: Form, nowMs: number): Errors => {
  const card = cardOf(form)
  const missing = Object.entries(card).filter(([, value]) => value === "")
  const expiry = { month: Number(card.expireMonth), year: Number(card.expireYear.padStart(4, "20")) }
  const expired = card.expireMonth !== "" && isExpired(expiry, nowMs)
  return { ...errorsOf(missing.map(([field]) => ({ field }))), ...(expired ? { expiry: texts.cardExpired } : {}) }
}
