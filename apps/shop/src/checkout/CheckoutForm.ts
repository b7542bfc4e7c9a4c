/** The fields of the checkout's form, and how they become fields of the gateway's requests. */
import { isExpired } from "@pay/schema/Card"
import type { Input } from "../web/Page.ts"
import type { Form } from "../web/Routes.ts"
import texts from "./texts.json" with { type: "json" }

/** The fields of the form that are wrong, each with what to say beside it. */
export type Flaws = Readonly<Record<string, string>>

export const contactInputs: ReadonlyArray<Input> = texts.contact
export const cardInputs: ReadonlyArray<Input> = texts.card

const remedies = new Map([...texts.contact, ...texts.card].map(({ name, remedy }) => [name, remedy]))

/** Returns what to say beside the fields that the gateway would refuse. What has no field is said at the choice of the way. */
export const flawsOf = (problems: ReadonlyArray<{ readonly field: string }>): Flaws =>
  Object.fromEntries(
    problems.map(({ field }) => {
      const name = field.startsWith("expire") ? "expiry" : field
      const remedy = remedies.get(name)
      return remedy === undefined ? ["way", texts.way.remedy] : [name, remedy]
    })
  )

/** A phone number as people write it: `+44 (20) 7946-0000`. */
export const contactOf = (form: Form): Form => ({
  ...Object.fromEntries(contactInputs.map(({ name }) => [name, form[name] ?? ""])),
  phone: (form.phone ?? "").replace(/[\s().-]/g, "")
})

/** The card as people type it: spaces in the number, `12/30` or `12 / 2030`. */
export const cardOf = ({ cardPrintedName = "", creditCardNumber = "", cvv2 = "", expiry = "" }: Form) => {
  const [, month = "", year = ""] = /^(\d{1,2}) {0,3}\/? {0,3}(\d{4}|\d{2})$/.exec(expiry.trim()) ?? []
  const digits = creditCardNumber.replace(/[\s-]/g, "")
  return { cardPrintedName, cvv2, creditCardNumber: digits, expireMonth: month, expireYear: year }
}

/** Returns what is missing of the card, and whether it has expired. The flow cannot tell: a restart loses its card fields. */
export const cardFlawsOf = (form: Form, nowMs: number): Flaws => {
  const card = cardOf(form)
  const missing = Object.entries(card).filter(([, value]) => value === "")
  const expiry = { month: Number(card.expireMonth), year: Number(card.expireYear.padStart(4, "20")) }
  const expired = card.expireMonth !== "" && isExpired(expiry, nowMs)
  return { ...flawsOf(missing.map(([field]) => ({ field }))), ...(expired ? { expiry: texts.cardExpired } : {}) }
}
