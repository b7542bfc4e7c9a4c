/** The catalogue, and the form with which one thing of it is bought. */

import { type Product, price, products } from "./Catalogue.ts"
import type { Flaws } from "./Checkout.ts"
import { type Html, hidden, html } from "./Html.ts"
import type { Page } from "./Layout.ts"
import type { Form } from "./Visitor.ts"
import type { Kept } from "./Wallet.ts"

const picture = ({ picture: { ground, path } }: Product): Html =>
  html`<svg viewBox="0 0 180 140" role="presentation"><path fill="${ground}" d="M0 0h180v140H0z"/><path fill="#24302a" fill-opacity=".82" d="${path}"/></svg>`

export const catalogue: Page = {
  title: "Garden things made to last",
  main: html`<h1>Garden things made to last</h1><p class="lead">Small runs from our own workshop. Pay on our payment partner's secure page or right here, with your bank's confirmation.</p><ul class="goods">${products.map(
    (product) =>
      html`<li>${picture(product)}<div><h2>${product.title}</h2><p>${product.about}</p><div class="foot"><span class="price">${price(product.amountMinor, product.currency)}</span><a class="button" href="/buy/${product.id}">Buy<span class="unseen"> ${product.title}</span></a></div></div></li>`
  )}</ul>`
}

interface Field {
  readonly name: string
  readonly label: string
  readonly complete: string
  readonly type?: "text" | "email" | "tel"
  readonly numeric?: boolean
  readonly hint?: string
}

const flaw = (flaws: Flaws, name: string) =>
  flaws[name] !== undefined && html`<p class="error" id="${name}-error">${flaws[name]}</p>`

const invalid = (flaws: Flaws, name: string) =>
  flaws[name] !== undefined && html` aria-invalid="true" aria-describedby="${name}-error"`

const input = ({ complete, label, name, numeric, type = "text" }: Field, flaws: Flaws, value = ""): Html =>
  html`<div class="field"><label for="${name}">${label}</label><input id="${name}" name="${name}" type="${type}" autocomplete="${complete}" value="${value}"${numeric === true && html` inputmode="numeric"`}${invalid(flaws, name)}>${flaw(flaws, name)}</div>`

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

const country = (flaws: Flaws, chosen = "GB"): Html =>
  html`<div class="field"><label for="country">Country</label><select id="country" name="country" autocomplete="country"${invalid(flaws, "country")}>${Object.entries(
    countries
  ).map(
    ([code, name]) => html`<option value="${code}"${code === chosen && html` selected`}>${name}</option>`
  )}</select>${flaw(flaws, "country")}</div>`

const way = (value: string, chosen: string, label: string, about: string): Html =>
  html`<label class="way"><input type="radio" name="way" value="${value}"${value === chosen && html` checked`}><span>${label}<small>${about}</small></span></label>`

export interface Checkout {
  readonly product: Product
  /** The order's name, made with the form: sent twice it is one order. */
  readonly order: string
  readonly token: string
  readonly flaws: Flaws
  /** What was typed in before; of the card nothing comes back. */
  readonly typed: Form
  /** Cards that the customer has kept here. */
  readonly cards: ReadonlyArray<Kept>
}

const ways = ({ cards, flaws, product: { charged }, typed }: Checkout): ReadonlyArray<Html> => {
  const kept = charged === "reserve" ? [] : cards.map(({ lastFour, ref }) => [`kept:${ref}`, lastFour] as const)
  const [first] = kept
  const chosen = typed.way ?? first?.[0] ?? "hosted"
  const none = charged === "monthly" && kept.length === 0
  return [
    ...kept.map(([value, lastFour]) =>
      way(value, chosen, `Card ending in ${lastFour}`, "The card that you keep with us.")
    ),
    ...(charged === "monthly"
      ? []
      : [
          way("hosted", chosen, "On the secure payment page", "Our payment partner takes your card; we never see it."),
          way("card", chosen, "Here, by card", "Your bank may ask you to confirm.")
        ]),
    ...(none
      ? [
          html`<p class="note">A subscription needs a card that you keep with us: pay for something first, and keep the card on the page of that order.</p>`
        ]
      : []),
    ...(flaws.way === undefined ? [] : [html`<p class="error">${flaws.way}</p>`])
  ]
}

const verbs = { sale: "Pay", reserve: "Reserve", monthly: "Subscribe for" } as const
const promises = {
  sale: "Charged when you order. Thirty days to change your mind.",
  reserve: "Held on your card now, charged on the day we ship.",
  monthly: "Charged today and then every month, until you cancel."
} as const

export const checkout = (view: Checkout): Page => {
  const { flaws, order, product, token, typed } = view
  const wrong = Object.keys(flaws).length > 0
  const total = price(product.amountMinor, product.currency)
  const field = (field: Field) => input(field, flaws, typed[field.name])
  const secret = (field: Field) => input(field, flaws)
  const browser = { colorDepth: "", screenHeight: "", screenWidth: "", timeZone: "" }
  return {
    title: wrong ? `Please check the form: ${product.title}` : `Buy: ${product.title}`,
    status: wrong ? 422 : 200,
    main: html`<h1>Checkout</h1><div class="two"><form method="post" novalidate>${hidden({ order, token, ...browser })}${wrong && html`<p class="notice" role="alert">Please check the marked fields. Nothing was charged.</p>`}<fieldset><legend>Your details</legend>${field({ name: "email", label: "E-mail", complete: "email", type: "email" })}${field({ name: "phone", label: "Phone", complete: "tel", type: "tel" })}${field({ name: "address1", label: "Street and house number", complete: "address-line1" })}<div class="pair">${field({ name: "zip_code", label: "Postcode", complete: "postal-code" })}${field({ name: "city", label: "Town or city", complete: "address-level2" })}</div>${country(flaws, typed.country)}</fieldset><fieldset><legend>Payment</legend>${ways(view)}${product.charged !== "monthly" && html`<div class="own">${secret({ name: "credit_card_number", label: "Card number", complete: "cc-number", numeric: true })}<div class="pair">${secret({ name: "expiry", label: "Expiry date (MM/YY)", complete: "cc-exp", numeric: true })}${secret({ name: "cvv2", label: "Security code", complete: "cc-csc", numeric: true })}</div>${field({ name: "card_printed_name", label: "Name on card", complete: "cc-name" })}</div>`}</fieldset><button class="wide">${verbs[product.charged]} ${total}${product.charged === "monthly" && " a month"}</button></form><aside class="card"><h2>${product.title}</h2><dl><div class="sum"><dt>Price</dt><dd>${total}</dd></div><div class="sum"><dt>Delivery</dt><dd>Free</dd></div><div class="sum total"><dt>Total</dt><dd>${total}</dd></div></dl><p class="note">${promises[product.charged]}</p></aside></div>`
  }
}

export const problem = ({ says, status }: { readonly status: number; readonly says: string }): Page => ({
  title: says,
  status,
  main: html`<div class="state"><h1>${status === 404 ? "This page is not here" : "That did not work"}</h1><p class="says">${says}</p><a class="button" href="/">To the shop</a></div>`
})
