/** The catalogue and the form of the checkout. A form that is refused shows again what was typed, but not the security code. */
import * as BrowserData from "@pay/flows/BrowserData"
import { Effect } from "effect"
import * as Cards from "../cards/Cards.ts"
import type { Input, Page } from "../web/Page.ts"
import * as Routes from "../web/Routes.ts"
import { type Form, missing, newId, type Visitor } from "../web/Visitor.ts"
import * as Catalogue from "./Catalogue.ts"
import * as Checkout from "./Checkout.ts"
import { cardInputs, contactInputs, type Flaws } from "./CheckoutForm.ts"
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
  const { hosted, kept } = ways[billing]
  const stored = cards.map(({ lastFour, ref }) => [`kept:${ref}`, `Card ending in ${lastFour}`] as const)
  const options = [
    ...(kept === undefined ? [] : stored),
    ...(hosted === undefined ? [] : [["hosted", "On the secure payment page"] as const]),
    ["card", "Here, by card"] as const
  ]
  return { name: "way", label: "How do you want to pay?", options }
}

const verbs = { sale: "Pay", reserve: "Reserve", monthly: "Subscribe for" } as const

/** A form that is shown again has no security code. */
const codeAgain = "Enter the security code again. It is not kept."

/** The order's identifier comes with the form, so that the same form twice is one order. */
const form = Effect.fnUntraced(function* (
  product: Catalogue.Product,
  { id, token }: Visitor,
  values: Form,
  flaws: Flaws
) {
  const cards = yield* Cards.of(id)
  const isWrong = Object.keys(flaws).length > 0
  const inputs = [...contactInputs, wayInput(product.billing, cards), ...cardInputs].map((input) => ({
    ...input,
    value: input.name === "cvv2" ? "" : (values[input.name] ?? input.value),
    flaw: flaws[input.name] ?? (isWrong && input.name === "cvv2" && values.cvv2 ? codeAgain : undefined)
  }))
  const page: Page = {
    title: `${isWrong ? "Please check the form" : "Checkout"}: ${product.title}`,
    status: isWrong ? 422 : 200,
    alert: isWrong ? "Nothing was charged." : undefined,
    forms: [
      {
        action: `/buy/${product.id}`,
        hidden: { order: values.order ?? (yield* newId), token, ...BrowserData.form },
        inputs,
        button: `${verbs[product.billing]} ${priceOf(product)}`
      }
    ]
  }
  return page
})

const productOf = ({ part }: Routes.PageRequest) =>
  Effect.mapError(Effect.fromNullishOr(Catalogue.find(part("product"))), () => missing)

export const layer = Routes.layer({
  "GET /": () => Effect.succeed(catalogue),

  /** A customer comes back here from a payment that the shop did not start. The fields that the browser brings are not read. */
  "POST /": () => Effect.succeed("/"),

  "GET /buy/:product": Effect.fnUntraced(function* (request) {
    return yield* form(yield* productOf(request), request.visitor, {}, {})
  }),

  "POST /buy/:product": Effect.fnUntraced(function* (request) {
    const product = yield* productOf(request)
    const values = yield* request.visitor.form
    const flaws = yield* Checkout.place(product, values, request)
    if (Object.keys(flaws).length > 0) return yield* form(product, request.visitor, values, flaws)
    return `/order/${values.order}/go` as const
  })
})
