/** The fields of the checkout's form, and how they become the fields of the gateway's requests. */
import * as BrowserData from "@pay/flows/BrowserData"
import { isExpired } from "@pay/schema/Card"
import type { Input } from "../web/Html.ts"
import type { Form } from "../web/Visitor.ts"

/** The fields of the form that are wrong, each with what to say beside it. */
export type Flaws = Readonly<Record<string, string>>

export const contactInputs: ReadonlyArray<Input> = [
  { name: "email", label: "E-mail", autocomplete: "email" },
  { name: "phone", label: "Phone", autocomplete: "tel" },
  { name: "address1", label: "Street and house number", autocomplete: "address-line1" },
  { name: "zip_code", label: "Postcode", autocomplete: "postal-code" },
  { name: "city", label: "Town or city", autocomplete: "address-level2" },
  { name: "country", label: "Country (two letters)", autocomplete: "country", value: "GB" }
]

export const cardInputs: ReadonlyArray<Input> = [
  { name: "credit_card_number", label: "Card number", autocomplete: "cc-number", numeric: true },
  { name: "expiry", label: "Expiry date (MM/YY)", autocomplete: "cc-exp", numeric: true },
  { name: "cvv2", label: "Security code", autocomplete: "cc-csc", numeric: true },
  { name: "card_printed_name", label: "Name on card", autocomplete: "cc-name" }
]

const inputs = [...contactInputs, ...cardInputs].map(({ name }) => name)

/** Returns what to say beside the fields that the gateway would refuse. What has no field is said at the choice of the way. */
export const flawsOf = (problems: ReadonlyArray<{ readonly field: string }>): Flaws =>
  Object.fromEntries(
    problems.map(({ field }) => {
      const name = field.startsWith("expire_") ? "expiry" : field
      return inputs.includes(name)
        ? [name, "Please check this field."]
        : ["way", "This way to pay does not work here. Please choose another."]
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
    card_printed_name: form.card_printed_name ?? "",
    cvv2: form.cvv2 ?? "",
    credit_card_number: (form.credit_card_number ?? "").replace(/[\s-]/g, ""),
    expire_month: month,
    expire_year: year
  }
}

/** Returns what is missing of the card, and whether it has expired. The flow cannot tell: a restart loses its card fields. */
export const cardFlawsOf = (form: Form, nowMs: number): Flaws => {
  const { expire_month: month, expire_year: year, ...card } = cardOf(form)
  const missing = Object.entries({ ...card, expiry: month }).filter(([, value]) => value === "")
  const expiry = { month: Number(month), year: Number(year) + (year.length === 2 ? 2000 : 0) }
  return {
    ...flawsOf(missing.map(([field]) => ({ field }))),
    ...(month !== "" && isExpired(expiry, nowMs) ? { expiry: "This card has expired. Please use another one." } : {})
  }
}

/** The names of the browser's data in the request of a payment. */
const browserFields = {
  browserAcceptHeader: "customer_browser_accept_header",
  browserColorDepth: "customer_browser_color_depth",
  browserJavaEnabled: "customer_browser_java_enabled",
  browserJavascriptEnabled: "customer_browser_javascript_enabled",
  browserLanguage: "customer_browser_accept_language",
  browserScreenHeight: "customer_browser_screen_height",
  browserScreenWidth: "customer_browser_screen_width",
  browserTZ: "customer_browser_time_zone",
  browserUserAgent: "customer_browser_user_agent"
} as const

/** What the shop reports for a browser that leaves these out. Without them the gateway asks the browser once more. */
const defaults = {
  customer_browser_accept_header: "*/*",
  customer_browser_accept_language: "en",
  customer_browser_java_enabled: "false",
  customer_browser_user_agent: "unknown"
}

/** Returns what 3-D Secure asks about the browser. The customer cannot correct these fields, so unusable values are left out. */
export const browserOf = (form: Form, headers: Readonly<Record<string, string | undefined>>): Form => {
  const data = BrowserData.read(BrowserData.withHeaders(form, headers))
  const fields = Object.entries(data).flatMap(([name, value]) =>
    isBrowserField(name) ? [[browserFields[name], String(value)]] : []
  )
  return { customer_browser_info: "true", ...defaults, ...Object.fromEntries(fields) }
}

const isBrowserField = (name: string): name is keyof typeof browserFields => name in browserFields
