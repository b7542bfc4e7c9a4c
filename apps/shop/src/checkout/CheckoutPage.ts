/** The catalogue and the form of the checkout. A form that is refused shows again what was typed, but not the security code. */
import * as BrowserData from "@pay/flows/BrowserData"
import type { Card } from "../cards/Cards.ts"
import { form, type Html, html, type Input, input } from "../web/Html.ts"
import type { Page } from "../web/Page.ts"
import type { Form } from "../web/Visitor.ts"
import { type Product, price, products } from "./Catalogue.ts"
import { cardInputs, contactInputs, type Flaws } from "./CheckoutForm.ts"
import { ways } from "./Payments.ts"

const offer = ({ amountMinor, charged, currency, id, title }: Product): Html =>
  html`<li class="row">
    <a href="/buy/${id}">Buy ${title}</a>
    <span class="price">${price(amountMinor, currency)}${charged === "monthly" && " a month"}</span>
  </li>`

export const catalogue: Page = {
  title: "Garden things made to last",
  main: html`<ul class="rows">${products.map(offer)}</ul>`
}

export interface View {
  readonly product: Product
  /** The identifier of the order. It comes with the form, so that the same form twice is one order. */
  readonly order: string
  readonly token: string
  readonly flaws: Flaws
  readonly typed: Form
  /** The customer's stored cards. */
  readonly cards: ReadonlyArray<Card>
}

const choice = ({ cards, product: { charged }, typed }: View): ReadonlyArray<Html> => {
  const { card, hosted, kept } = ways[charged]
  const choices = [
    ...(kept === undefined ? [] : cards.map(({ lastFour, ref }) => [`kept:${ref}`, `Card ending in ${lastFour}`])),
    ...(hosted === undefined ? [] : [["hosted", "On the secure payment page"]]),
    ...(card === undefined ? [] : [["card", "Here, by card"]])
  ]
  const chosen = typed.way ?? choices[0]?.[0]
  return choices.map(
    ([value, label]) => html`<label>
      <input type="radio" name="way" value="${value}"${value === chosen && html` checked`}> ${label}
    </label>`
  )
}

const verbs = { sale: "Pay", reserve: "Reserve", monthly: "Subscribe for" } as const

export const page = (view: View): Page => {
  const { flaws, order, product, token, typed } = view
  const { amountMinor, charged, currency, id, title } = product
  const isWrong = Object.keys(flaws).length > 0
  const field = (field: Input) => {
    const value = field.name === "cvv2" ? "" : (typed[field.name] ?? field.value)
    return input({ ...field, value, flaw: flaws[field.name] })
  }
  return {
    title: isWrong ? `Please check the form: ${title}` : `Buy: ${title}`,
    heading: "Checkout",
    status: isWrong ? 422 : 200,
    main: form(
      `/buy/${id}`,
      { order, token, ...BrowserData.form },
      html`<h2>${title}</h2>
        ${isWrong && html`<p class="error" role="alert">Nothing was charged. Please check the form.</p>`}
        ${contactInputs.map(field)}
        <fieldset><legend>Payment</legend>
          ${choice(view)}
          ${flaws.way !== undefined && html`<p class="error">${flaws.way}</p>`}
          <div class="own">${cardInputs.map(field)}</div>
        </fieldset>
        <button>${verbs[charged]} ${price(amountMinor, currency)}${charged === "monthly" && " a month"}</button>`
    )
  }
}
