/**
 * The form with which one thing of the catalogue is bought. Where it is refused, what was typed stands in it again, in this one
 * answer, which nobody keeps; never the security code.
 */

import type { Kept } from "../cards/Wallet.ts"
import { type Product, price } from "../catalogue/Catalogue.ts"
import { type Html, hidden, html } from "../web/Html.ts"
import type { Page } from "../web/Layout.ts"
import type { Form } from "../web/Visitor.ts"
import type { Flaws } from "./CheckoutForm.ts"

export interface View {
  readonly product: Product
  /** The order's name, made with the form: sent twice it is one order. */
  readonly order: string
  readonly token: string
  readonly flaws: Flaws
  /** What was typed in before. */
  readonly typed: Form
  /** Cards that the customer has kept here. */
  readonly cards: ReadonlyArray<Kept>
}

interface Field {
  readonly name: string
  readonly label: string
  /** What browsers fill in by themselves. */
  readonly complete: string
  readonly type?: "text" | "email" | "tel"
  readonly numeric?: boolean
}

const flaw = (flaws: Flaws, name: string) =>
  flaws[name] !== undefined && html`<p class="error" id="${name}-error">${flaws[name]}</p>`

const invalid = (flaws: Flaws, name: string) =>
  flaws[name] !== undefined && html` aria-invalid="true" aria-describedby="${name}-error"`

const input = ({ complete, label, name, numeric, type = "text" }: Field, flaws: Flaws, value = ""): Html => {
  const further = [numeric === true && html` inputmode="numeric"`, invalid(flaws, name)].filter(
    (part) => part !== false
  )
  return html`<div class="field">
    <label for="${name}">${label}</label>
    <input id="${name}" name="${name}" type="${type}" autocomplete="${complete}" value="${value}"${further}>
    ${flaw(flaws, name)}
  </div>`
}

/** Countries that need no state in the address. */
const countries = {
  GB: "United Kingdom",
  IE: "Ireland",
  DE: "Germany",
  FR: "France",
  NL: "Netherlands",
  ES: "Spain",
  IT: "Italy"
}

const country = ({ flaws, typed: { country: chosen = "GB" } }: View): Html => {
  const options = Object.entries(countries).map(
    ([code, name]) => html`<option value="${code}"${code === chosen && html` selected`}>${name}</option>`
  )
  return html`<div class="field">
    <label for="country">Country</label>
    <select id="country" name="country" autocomplete="country"${invalid(flaws, "country")}>${options}</select>
    ${flaw(flaws, "country")}
  </div>`
}

const details = (view: View): Html => {
  const { flaws, typed } = view
  const field = (field: Field) => input(field, flaws, typed[field.name])
  return html`<fieldset><legend>Your details</legend>
    ${field({ name: "email", label: "E-mail", complete: "email", type: "email" })}
    ${field({ name: "phone", label: "Phone", complete: "tel", type: "tel" })}
    ${field({ name: "address1", label: "Street and house number", complete: "address-line1" })}
    <div class="pair">
      ${field({ name: "zip_code", label: "Postcode", complete: "postal-code" })}
      ${field({ name: "city", label: "Town or city", complete: "address-level2" })}
    </div>
    ${country(view)}
  </fieldset>`
}

const ways = ({ cards, product: { charged }, typed }: View): ReadonlyArray<Html> => {
  const kept = charged === "reserve" ? [] : cards.map(({ lastFour, ref }) => [`kept:${ref}`, lastFour] as const)
  const chosen = typed.way ?? kept[0]?.[0] ?? (charged === "monthly" ? "card" : "hosted")
  const way = (value: string, label: string, about: string): Html =>
    html`<label class="way">
      <input type="radio" name="way" value="${value}"${value === chosen && html` checked`}>
      <span>${label}<small>${about}</small></span>
    </label>`
  const withKept = kept.map(([value, lastFour]) =>
    way(value, `Card ending in ${lastFour}`, "The card that you keep with us.")
  )
  const byCard = way("card", "Here, by card", "Your bank may ask you to confirm.")
  if (charged === "monthly") return [...withKept, byCard]
  const hosted = way("hosted", "On the secure payment page", "Our payment partner takes your card; we never see it.")
  return [...withKept, hosted, byCard]
}

/** Shown where it is chosen. */
const card = ({ flaws, typed }: View): Html => {
  const field = (field: Field) => input(field, flaws, typed[field.name])
  const code: Field = { name: "cvv2", label: "Security code", complete: "cc-csc", numeric: true }
  return html`<div class="own">
    ${field({ name: "credit_card_number", label: "Card number", complete: "cc-number", numeric: true })}
    <div class="pair">
      ${field({ name: "expiry", label: "Expiry date (MM/YY)", complete: "cc-exp", numeric: true })}
      ${input(code, flaws)}
    </div>
    ${field({ name: "card_printed_name", label: "Name on card", complete: "cc-name" })}
  </div>`
}

const verbs = { sale: "Pay", reserve: "Reserve", monthly: "Subscribe for" } as const
const promises = {
  sale: "Charged when you order. Thirty days to change your mind.",
  reserve: "Held on your card now, charged on the day we ship.",
  monthly: "Charged today and then every month, until you cancel."
} as const

const form = (view: View): Html => {
  const {
    flaws,
    order,
    product: { amountMinor, charged, currency },
    token
  } = view
  /** What the script of the page fills in. */
  const browser = { colorDepth: "", screenHeight: "", screenWidth: "", timeZone: "" }
  const isWrong = Object.keys(flaws).length > 0
  return html`<form method="post" novalidate>
    ${hidden({ order, token, ...browser })}
    ${isWrong && html`<p class="notice" role="alert">Please check the marked fields. Nothing was charged.</p>`}
    ${details(view)}
    <fieldset><legend>Payment</legend>
      ${ways(view)}
      ${flaws.way !== undefined && html`<p class="error">${flaws.way}</p>`}
      ${card(view)}
    </fieldset>
    <button class="wide">${verbs[charged]} ${price(amountMinor, currency)}${charged === "monthly" && " a month"}</button>
  </form>`
}

export const page = (view: View): Page => {
  const { flaws, product } = view
  const { amountMinor, charged, currency, title } = product
  const isWrong = Object.keys(flaws).length > 0
  const total = price(amountMinor, currency)
  return {
    title: isWrong ? `Please check the form: ${title}` : `Buy: ${title}`,
    status: isWrong ? 422 : 200,
    main: html`<h1>Checkout</h1><div class="two">
      ${form(view)}
      <aside class="card"><h2>${title}</h2>
        <dl>
          <div class="sum"><dt>Price</dt><dd>${total}</dd></div>
          <div class="sum"><dt>Delivery</dt><dd>Free</dd></div>
          <div class="sum total"><dt>Total</dt><dd>${total}</dd></div>
        </dl>
        <p class="note">${promises[charged]}</p>
      </aside>
    </div>`
  }
}
