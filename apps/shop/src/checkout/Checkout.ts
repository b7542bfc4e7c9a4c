/**
 * The catalogue, the form of the checkout, and the steps from the form to a payment: the order is recorded before anything is
 * sent. A refused form is shown again with the values that the customer typed, except the security code.
 */
import * as BrowserData from "@pay/flows/BrowserData"
import { WebCustomerBrowser } from "@pay/flows/WebCustomerBrowser"
import * as Money from "@pay/schema/Money"
import { Clock, Effect, Option, Result } from "effect"
import { HttpServerRequest } from "effect/http"
import * as Cards from "../cards/Cards.ts"
import * as Orders from "../orders/Orders.ts"
import { Settings } from "../Settings.ts"
import { form, html, type Input, Problem, type ShopPage } from "../web/Page.ts"
import * as Routes from "../web/Routes.ts"
import * as Catalogue from "./Catalogue.ts"
import { cardInputs, cardOf, contactInputs, contactOf, type Errors, errorsOf } from "./CheckoutForm.ts"
import { payments } from "./Payments.ts"
import texts from "./texts.json" with { type: "json" }

/** Says which amounts the product has. */
const amountError = (product: Catalogue.Product): Errors => ({
  amount: texts.amount.remedy.replace("{range}", () => Catalogue.priceOf(product))
})

/** Places the order, or returns the problems of the form. A form that is submitted twice places one order. */
const placeOrder = Effect.fn("Checkout.placeOrder")(function* (product: Catalogue.Product, values: Routes.Form) {
  const { endpoints, publicUrl } = yield* Settings
  const { backUrl } = yield* WebCustomerBrowser
  const request = yield* HttpServerRequest.HttpServerRequest
  const { id: owner } = yield* Routes.Visitor
  const { order: id } = values
  if (!Routes.isId(id)) return yield* new Problem({ why: "incomplete" })
  const existingOrder = yield* Orders.find(id)
  if (existingOrder !== undefined) {
    return existingOrder.owner === owner ? undefined : yield* new Problem({ why: "otherOrder" })
  }

  const { billing, currency } = product
  const amountMinor = Catalogue.amountOf(product, values.amount ?? "")
  const way = values.way === "card" || values.way === "hosted" ? values.way : "kept"
  const storedCard = (yield* Cards.ofOwner(owner)).find(({ ref }) => values.way === `kept:${ref}`)
  const { card, hosted, kept } = payments[billing]
  const contact = contactOf(values)
  const typedCard = cardOf(values, yield* Clock.currentTimeMillis)
  const errors: Errors = {
    ...(amountMinor === undefined && amountError(product)),
    ...(Result.isFailure(contact) && contact.failure),
    ...(way === "card" && Result.isFailure(typedCard) && typedCard.failure)
  }
  if (amountMinor === undefined || Result.isFailure(contact) || Object.keys(errors).length > 0) return errors
  const purchase = {
    order: {
      clientOrderId: id,
      endpointId: endpoints[way],
      orderDesc: product.title,
      amount: Money.fromMinor(amountMinor, currency),
      currency,
      // Behind a proxy, this is the address of the proxy. Use the customer's address that your proxy reports instead.
      ipAddress: Option.getOrElse(request.remoteAddress, () => "127.0.0.1").replace(/^::ffff:/, ""),
      serverCallbackUrl: `${publicUrl}/callback`
    },
    contact: contact.success,
    redirectUrl: backUrl(id)
  }
  const browser = BrowserData.paymentFields(values, request.headers)
  const start = {
    hosted: () => hosted?.prepare(purchase),
    card: () =>
      Result.isSuccess(typedCard) ? card?.prepare({ ...purchase, card: typedCard.success, browser }) : undefined,
    kept: () => storedCard && kept?.prepare({ ...purchase, cardRefId: storedCard.ref })
  }[way]()
  if (start === undefined) return { way: texts.way.missing }
  if (Result.isFailure(start)) return errorsOf(start.failure)

  const placedAtMs = yield* Clock.currentTimeMillis
  const order = Orders.Order.make({ id, owner, product: product.id, amountMinor, currency, placedAtMs, way })
  const isNew = yield* Orders.add(order)
  // If the same form arrives twice at the same time, only the request that adds the order starts the payment.
  if (isNew) yield* start.success
  return undefined
})

/** Marks orders as failed whose payment the previous process did not start: nothing was sent for them. */
export const resume = Effect.gen(function* () {
  for (const { id, product, status, way } of yield* Orders.pending) {
    const payment = payments[Catalogue.find(product)?.billing ?? "sale"][way]
    if (status !== "open" || (payment !== undefined && (yield* payment.isStarted(id)))) continue
    yield* Orders.change(id, () => ({ status: "failed", reason: "the shop was stopped before the payment started" }))
  }
})

const catalogue: ShopPage = {
  title: "Garden things made to last",
  main: html`<ul class="rows">${Catalogue.products.map(
    (product) => html`<li><img src="/pictures/${product.id}.svg" alt="" width="240" height="160">
      <a href="/buy/${product.id}">Buy ${product.title}</a> <p>${Catalogue.priceOf(product)}</p></li>`
  )}</ul>`
}

const paymentMethodInput = (billing: Catalogue.Product["billing"], cards: ReadonlyArray<Cards.Card>): Input => {
  const { kept, ...others } = payments[billing]
  const stored = cards.map(({ lastFour, ref }) => ({ value: `kept:${ref}`, label: `Card ending in ${lastFour}` }))
  const options = [...(kept ? stored : []), ...texts.way.options.filter(({ value }) => value in others)]
  return { name: "way", label: texts.way.label, options }
}

/** Returns the page with the form. The form contains the order's identifier, so that submitting it twice places one order. */
const checkout = Effect.fnUntraced(function* (product: Catalogue.Product, values: Routes.Form = {}, errors?: Errors) {
  const cards = yield* Cards.ofOwner((yield* Routes.Visitor).id)
  const order = values.order ?? (yield* Routes.newId)
  const allErrors: Errors = { ...(errors && values.cvv2 && { cvv2: texts.codeAgain }), ...errors }
  const isFixed = typeof product.amountMinor === "number"
  const amountInput: Input = { ...texts.amount, label: `${texts.amount.label} (${product.currency})` }
  const inputs = [
    ...(isFixed ? [] : [amountInput]),
    ...contactInputs,
    paymentMethodInput(product.billing, cards),
    ...cardInputs
  ].map((input) => ({
    ...input,
    value: input.name === "cvv2" ? "" : (values[input.name] ?? input.value),
    error: allErrors[input.name]
  }))
  const hidden = { order, ...BrowserData.form }
  const verb = texts.verbs[product.billing]
  const button = isFixed ? `${verb} ${Catalogue.priceOf(product)}` : verb
  const buttonOfWay = "hosted" in payments[product.billing] && { way: "hosted", button: texts.continue }
  return {
    title: `${errors ? "Please check the form" : "Checkout"}: ${product.title}`,
    status: errors ? 422 : 200,
    main: html`${errors !== undefined && html`<p class="error" role="alert">Nothing was charged.</p>`}
      <p>${isFixed && "Total"} ${Catalogue.priceOf(product)}</p>
      ${form({ action: `/buy/${product.id}`, hidden, inputs, button, buttonOfWay })}`
  }
})

const chosenProduct = Routes.recordOfPath((id) => Effect.succeed(Catalogue.find(id)))

export const layer = Routes.layer({
  "GET /": Effect.succeed(catalogue),

  /** Receives customers who return from a payment that the shop did not start. The posted fields are ignored. */
  "POST /": Effect.succeed("/"),

  "GET /buy/:id": Effect.flatMap(chosenProduct, (product) => checkout(product)),

  "POST /buy/:id": Effect.gen(function* () {
    const product = yield* chosenProduct
    const values = yield* Routes.formValues
    const errors = yield* placeOrder(product, values)
    return errors ? yield* checkout(product, values, errors) : (`/order/${values.order}/go` as const)
  })
})
