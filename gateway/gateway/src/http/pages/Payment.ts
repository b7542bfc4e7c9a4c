/** The head of every page of a payment: the amount and the merchant. */
import { type Html, html } from "../../kernel/Html.ts"
import type { Brand } from "../../merchants/Brand.ts"
import type { Endpoint, Merchant } from "../../merchants/Directory.ts"
import type { Order } from "../../orders/record/Order.ts"
import * as Language from "./Language.ts"

export interface Payment {
  readonly merchant: string
  /** The brand of the order's endpoint. */
  readonly brand?: Brand
  readonly order: Pick<Order, "amountMinor" | "currency" | "description" | "kind">
}

/**
 * Returns the parts of an order that a page shows: the name of the endpoint's brand, or the merchant's name if the brand has none
 * or the endpoint is no longer configured.
 */
export const of = (
  order: Payment["order"],
  merchant: Pick<Merchant, "name">,
  endpoint: Pick<Endpoint, "brand"> | undefined
): Payment => ({
  order,
  merchant: endpoint?.brand.name ?? merchant.name,
  ...(endpoint === undefined ? {} : { brand: endpoint.brand })
})

export const amountText = (language: Language.Language, { order }: Payment): string =>
  Language.money(language, order.amountMinor, order.currency)

/** Renders the head. Names and descriptions are written by the merchant in any script; `bdi` isolates their text direction. */
export const head = (language: Language.Language, payment: Payment): Html => {
  const texts = Language.languages[language]
  const { brand, merchant, order } = payment
  const logo = brand?.logo !== undefined && html`<img class="logo" src="${brand.logo}" alt="">`
  const labels = { verification: texts.verifyCard, payout: texts.payout.from }
  return html`<header class="order">${logo}<p class="to">${
    order.kind === "verification" || order.kind === "payout" ? labels[order.kind] : texts.payTo
  }</p><h1><bdi>${merchant}</bdi></h1>${
    order.kind === "verification"
      ? html`<p class="about">${texts.verifyNote}</p>`
      : html`<p class="amount"><span class="unseen">${texts.amount}: </span><bdi>${amountText(language, payment)}</bdi></p>`
  }<p class="about"><bdi>${shortened(order.description)}</bdi></p></header>`
}

/** Shortens a description, which may be too long for a page. */
const shortened = (text: string): string => {
  const characters = [...text.slice(0, 2 * longest)]
  return characters.length <= longest ? text : `${characters.slice(0, longest).join("")}…`
}
const longest = 300
