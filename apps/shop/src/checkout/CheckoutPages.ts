/** The catalogue and the form of the checkout. A form that is refused shows again what was typed, but not the security code. */
import * as BrowserData from "@pay/flows/BrowserData"
import { Effect } from "effect"
import { HttpRouter } from "effect/http"
import * as Cards from "../cards/Cards.ts"
import { type Input, type Page, Problem } from "../web/Page.ts"
import * as Routes from "../web/Routes.ts"
import * as Visitor from "../web/Visitor.ts"
import * as Catalogue from "./Catalogue.ts"
import * as Checkout from "./Checkout.ts"
import { cardInputs, contactInputs, type Flaws } from "./CheckoutForm.ts"
import inputs from "./inputs.json" with { type: "json" }
import { ways } from "./Payments.ts"

const priceOf = ({ amountMinor, billing, currency }: Catalogue.Product): string =>
  `${Catalogue.price(amountMinor, currency)}${billing === "monthly" ? " a month" : ""}`

const catalogue: Page = {
  title: "Garden things made to last",
  items: Catalogue.products.map((product) => ({
    title: `Buy ${product.title}`,
    href: `/buy/${product.id}`,
    picture: `/pictures/${product.id}.svg`,
    lines: [priceOf(product)]
  }))
}

const wayInput = (billing: Catalogue.Product["billing"], cards: ReadonlyArray<Cards.Card>): Input => {
  const { card, hosted, label } = inputs.way
  const { hosted: hostedPayment, kept } = ways[billing]
  const stored = cards.map(({ lastFour, ref }) => [`kept:${ref}`, `Card ending in ${lastFour}`] as const)
  const options = [
    ...(kept === undefined ? [] : stored),
    ...(hostedPayment === undefined ? [] : [["hosted", hosted] as const]),
    ["card", card] as const
  ]
  return { name: "way", label, options }
}

const verbs = { sale: "Pay", reserve: "Reserve", monthly: "Subscribe for" } as const

/** The order's identifier comes with the form, so that the same form twice is one order. */
const form = Effect.fnUntraced(function* (product: Catalogue.Product, values: Visitor.Form = {}, flaws: Flaws = {}) {
  const cards = yield* Cards.of((yield* Visitor.Visitor).id)
  const order = values.order ?? (yield* Visitor.newId)
  const isWrong = Object.keys(flaws).length > 0
  const allFlaws: Flaws = isWrong && values.cvv2 ? { cvv2: inputs.codeAgain, ...flaws } : flaws
  const page: Page = {
    title: `${isWrong ? "Please check the form" : "Checkout"}: ${product.title}`,
    status: isWrong ? 422 : 200,
    alert: isWrong ? "Nothing was charged." : undefined,
    forms: [
      {
        action: `/buy/${product.id}`,
        hidden: { order, ...BrowserData.form },
        inputs: [...contactInputs, wayInput(product.billing, cards), ...cardInputs].map((input) => ({
          ...input,
          value: input.name === "cvv2" ? "" : (values[input.name] ?? input.value),
          flaw: allFlaws[input.name]
        })),
        button: `${verbs[product.billing]} ${priceOf(product)}`
      }
    ]
  }
  return page
})

const chosenProduct = Effect.gen(function* () {
  const { product = "" } = yield* HttpRouter.params
  return Catalogue.find(product) ?? (yield* new Problem({ why: "missing" }))
})

export const layer = Routes.layer({
  "GET /": Effect.succeed(catalogue),

  /** A customer comes back here from a payment that the shop did not start. The fields that the browser brings are not read. */
  "POST /": Effect.succeed("/"),

  "GET /buy/:product": Effect.flatMap(chosenProduct, (product) => form(product)),

  "POST /buy/:product": Effect.gen(function* () {
    const product = yield* chosenProduct
    const values = yield* Visitor.form
    const flaws = yield* Checkout.place(product, values)
    if (Object.keys(flaws).length > 0) return yield* form(product, values, flaws)
    return `/order/${values.order}/go` as const
  })
})
