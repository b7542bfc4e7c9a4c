/** The catalogue, and what is said where there is no page. */

import { type Html, html } from "../web/Html.ts"
import type { Page } from "../web/Layout.ts"
import { type Product, price, products } from "./Catalogue.ts"

const picture = ({ picture: { ground, path } }: Product): Html =>
  html`<svg viewBox="0 0 180 140" role="presentation">
    <path fill="${ground}" d="M0 0h180v140H0z"/><path fill="#24302a" fill-opacity=".82" d="${path}"/>
  </svg>`

const offer = (product: Product): Html => {
  const { about, amountMinor, charged, currency, id, title } = product
  return html`<li>${picture(product)}<div>
    <h2>${title}</h2>
    <p>${about}</p>
    <div class="foot">
      <span><span class="price">${price(amountMinor, currency)}</span>${charged === "monthly" && " a month"}</span>
      <a class="button" href="/buy/${id}">Buy<span class="unseen"> ${title}</span></a>
    </div>
  </div></li>`
}

export const catalogue: Page = {
  title: "Garden things made to last",
  main: html`<h1>Garden things made to last</h1>
    <p class="lead">Small runs from our own workshop. Pay on our payment partner's secure page or right here, with your
      bank's confirmation.</p>
    <ul class="goods">${products.map(offer)}</ul>`
}

export const problem = ({ says, status }: { readonly status: number; readonly says: string }): Page => ({
  title: says,
  status,
  main: html`<div class="state">
    <h1>${status === 404 ? "This page is not here" : "That did not work"}</h1>
    <p class="says">${says}</p>
    <a class="button" href="/">To the shop</a>
  </div>`
})
