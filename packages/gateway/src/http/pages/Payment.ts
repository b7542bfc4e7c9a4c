/** What is paid, to whom: the head of every page of a payment. */
import * as Money from "@pay/schema/Money"
import { type Html, html } from "../../kernel/Html.ts"
import type { Order } from "../../orders/Order.ts"
import * as Language from "./Language.ts"

export interface Payment {
  readonly merchant: string
  readonly order: Pick<Order, "amountMinor" | "currency" | "description" | "kind">
}

export const amountText = (language: Language.Language, { order }: Payment): string =>
  Language.money(language, Money.fromMinor(order.amountMinor, order.currency), order.currency)

/** Names and descriptions are a merchant's, in any script: `bdi` keeps their direction to themselves. */
export const head = (language: Language.Language, payment: Payment): Html => {
  const texts = Language.languages[language]
  const { merchant, order } = payment
  const labels = { verification: texts.verifyCard, payout: texts.payout.from }
  return html`<header class="order"><p class="to">${
    order.kind === "verification" || order.kind === "payout" ? labels[order.kind] : texts.payTo
  }</p><h1><bdi>${merchant}</bdi></h1>${
    order.kind === "verification"
      ? html`<p class="about">${texts.verifyNote}</p>`
      : html`<p class="amount"><span class="unseen">${texts.amount}: </span><bdi>${amountText(language, payment)}</bdi></p>`
  }<p class="about"><bdi>${shortened(order.description)}</bdi></p></header>`
}

/** A description may be a long text; a page is not the place for all of it. */
const shortened = (text: string): string => {
  const characters = [...text.slice(0, 2 * longest)]
  return characters.length <= longest ? text : `${characters.slice(0, longest).join("")}…`
}
const longest = 300
