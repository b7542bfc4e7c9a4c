/** The fields of the checkout's form, and how they become fields of the gateway's requests. */
import { isExpired } from "@pay/schema/Card"
import type { Input } from "../web/Page.ts"
import type { Form } from "../web/Visitor.ts"

/** The fields of the form that are wrong, each with what to say beside it. */
export type Flaws = Readonly<Record<string, string>>

export const contactInputs: ReadonlyArray<Input> = [
  { name: "email", label: "E-mail", autocomplete: "email", inputmode: "email" },
  { name: "phone", label: "Phone", autocomplete: "tel", inputmode: "tel" },
  { name: "address1", label: "Street and house number", autocomplete: "address-line1" },
  { name: "zipCode", label: "Postcode", autocomplete: "postal-code" },
  { name: "city", label: "Town or city", autocomplete: "address-level2" },
  { name: "country", label: "Country (two letters)", autocomplete: "country", value: "GB" }
]

export const cardInputs: ReadonlyArray<Input> = [
  { name: "creditCardNumber", label: "Card number", autocomplete: "cc-number", inputmode: "numeric", way: "card" },
  { name: "expiry", label: "Expiry date (MM/YY)", autocomplete: "cc-exp", inputmode: "numeric", way: "card" },
  { name: "cvv2", label: "Security code", autocomplete: "cc-csc", inputmode: "numeric", way: "card" },
  { name: "cardPrintedName", label: "Name on card", autocomplete: "cc-name", way: "card" }
]

/** What to say beside a field that the gateway would refuse. */
const remedies: Flaws = {
  email: "Enter an e-mail address, such as ada@example.com.",
  phone: "Enter a phone number with its country code, such as +44 20 7946 0000.",
  address1: "Enter the street and the house number.",
  zipCode: "Enter the postcode.",
  city: "Enter the town or city.",
  country: "Enter the two letters of the country, such as GB.",
  creditCardNumber: "This is not a card number. Please check its digits.",
  expiry: "Enter the month and the year, such as 12/34.",
  cvv2: "Enter the 3 or 4 digits of the security code.",
  cardPrintedName: "Enter the name as it is on the card."
}

/** Returns what to say beside the fields that the gateway would refuse. What has no field is said at the choice of the way. */
export const flawsOf = (problems: ReadonlyArray<{ readonly field: string }>): Flaws =>
  Object.fromEntries(
    problems.map(({ field }) => {
      const name = field.startsWith("expire") ? "expiry" : field
      const remedy = remedies[name]
      return remedy === undefined
        ? ["way", "This way to pay does not work here. Please choose another."]
        : [name, remedy]
    })
  )

/** A phone number as people write it: `+44 (20) 7946-0000`. */
export const contactOf = (form: Form): Form => ({
  ...Object.fromEntries(contactInputs.map(({ name }) => [name, form[name] ?? ""])),
  phone: (form.phone ?? "").replace(/[\s().-]/g, "")
})

/** The card as people type it: spaces in the number, `12/30` or `12 / 2030`. */
export const cardOf = (form: Form) => {
  const [, month = "", year = ""] = /^(\d{1,2}) {0,3}\/? {0,3}(\d{4}|\d{2})$/.exec(form.expiry?.trim() ?? "") ?? []
  return {
    cardPrintedName: form.cardPrintedName ?? "",
    cvv2: form.cvv2 ?? "",
    creditCardNumber: (form.creditCardNumber ?? "").replace(/[\s-]/g, ""),
    expireMonth: month,
    expireYear: year
  }
}

/** Returns what is missing of the card, and whether it has expired. The flow cannot tell: a restart loses its card fields. */
export const cardFlawsOf = (form: Form, nowMs: number): Flaws => {
  const { expireMonth: month, expireYear: year, ...card } = cardOf(form)
  const missing = Object.entries({ ...card, expiry: month }).filter(([, value]) => value === "")
  const expiry = { month: Number(month), year: Number(year) + (year.length === 2 ? 2000 : 0) }
  return {
    ...flawsOf(missing.map(([field]) => ({ field }))),
    ...(month !== "" && isExpired(expiry, nowMs) ? { expiry: "This card has expired. Please use another one." } : {})
  }
}
