/** The checkout's form, read: what goes into the gateway's requests, and what to say beside a field that is wrong. */
import { isExpired } from "@pay/schema/Card"
import type { Form } from "../web/Visitor.ts"

/** The buyer's data that is not in the form. */
export interface Buyer {
  readonly visitor: string
  readonly ipAddress: string
  /** The browser's headers, for 3-D Secure. */
  readonly accept: string
  readonly userAgent: string
}

/** Fields of the form that are wrong, with what to do about each. */
export type Flaws = Readonly<Record<string, string>>

const says: Flaws = {
  card_printed_name: "Enter the name as it is on the card.",
  credit_card_number: "This is not a card number. Please check the digits.",
  expiry: "Enter month and year, as on the card: 12/30.",
  cvv2: "Enter the three or four digits from the back of the card.",
  email: "Enter your e-mail address.",
  phone: "Enter your phone number, with digits only.",
  address1: "Enter street and house number.",
  city: "Enter your town or city.",
  zip_code: "Enter your postcode.",
  country: "Choose your country."
}

/** What the form has no field for is said at the choice of how to pay. */
export const flawsOf = (problems: ReadonlyArray<{ readonly field: string }>): Flaws =>
  Object.fromEntries(
    problems.map(({ field }) => {
      const name = field.startsWith("expire_") ? "expiry" : field
      const here = says[name]
      return here === undefined ? ["way", "This way to pay does not work here. Please choose another."] : [name, here]
    })
  )

/** A card that is good no more; what cannot be read says so itself. */
export const expiredOf = (form: Form, nowMs: number): Flaws => {
  const { expire_month: month, expire_year: year } = cardOf(form)
  if (month === "") return {}
  const card = { month: Number(month), year: Number(year) + (year.length === 2 ? 2000 : 0) }
  return isExpired(card, nowMs) ? { expiry: "This card has expired. Please use another one." } : {}
}

const given = (form: Form, names: ReadonlyArray<string>) =>
  Object.fromEntries(names.flatMap((name) => (form[name]?.trim() ? [[name, form[name].trim()]] : [])))

/** A phone number as people write it: `+44 (20) 7946-0000`. */
export const contactOf = (form: Form) =>
  given({ ...form, phone: (form.phone ?? "").replace(/[\s().-]/g, "") }, [
    ...["email", "phone", "address1", "city", "zip_code", "country"]
  ])

/** The card as typed: spaces in the number, `12/30` or `12 / 2030`. */
export const cardOf = (form: Form) => {
  const [, month = "", year = ""] = /^(\d{1,2}) {0,3}\/? {0,3}(\d{4}|\d{2})$/.exec(form.expiry?.trim() ?? "") ?? []
  return {
    ...given(form, ["card_printed_name", "cvv2"]),
    credit_card_number: (form.credit_card_number ?? "").replace(/[\s-]/g, ""),
    expire_month: month,
    expire_year: year
  }
}

/** Screens have others too, 30 for one; told is the next lower (EMV 3-D Secure, table A.1). */
const depths = [48, 32, 24, 16, 15, 8, 4, 1]
const depthOf = (text: string | undefined) => depths.find((depth) => depth <= Number(text))?.toString()

const whole = (text = "", pattern = /^\d{1,6}$/) => (pattern.test(text) ? text : undefined)

/**
 * Returns the facts about the browser that 3-D Secure wants. The script of the page fills in what only it can know. The customer
 * cannot correct these fields, so an unusable value is left out.
 */
export const browserOf = (form: Form, { accept, userAgent }: Buyer): Form => {
  const facts = {
    customer_browser_color_depth: depthOf(form.colorDepth),
    customer_browser_screen_height: whole(form.screenHeight),
    customer_browser_screen_width: whole(form.screenWidth),
    customer_browser_time_zone: whole(form.timeZone, /^-?\d{1,4}$/)
  }
  return {
    customer_browser_info: "true",
    customer_browser_accept_header: accept.slice(0, 2048),
    customer_browser_user_agent: userAgent.slice(0, 2048),
    customer_browser_javascript_enabled: form.colorDepth ? "true" : "false",
    customer_browser_java_enabled: "false",
    customer_browser_accept_language: "en",
    ...Object.fromEntries(
      Object.entries(facts).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
    )
  }
}
