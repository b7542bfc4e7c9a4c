/** Orders that wait: for the customer during 3-D Secure, or for the second step of a payout. */
import type * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import { Effect } from "effect"
import * as Customer from "./Customer.ts"
import type { Fields } from "./Draft.ts"
import * as Expect from "./Expect.ts"
import { dialectOf, Gateway } from "./Gateway.ts"
import * as Orders from "./Orders.ts"
import * as Samples from "./Samples.ts"
import type { ThreeDSRole } from "./Settings.ts"
import { Lacking } from "./Violation.ts"

/** The endpoint of the file: 3-D Secure is run by the gateway, or by the merchant. */
type Mode = "threedsGateway" | "threedsMerchant"

/** Makes a payment with a card of the file at an endpoint with 3-D Secure. */
export const sale = Effect.fnUntraced(function* (
  mode: Mode,
  role: ThreeDSRole,
  name: PayApi.Name = "SALE",
  changes: Fields = {}
) {
  const { facts, inbox } = yield* Gateway
  const { cards, threedsCards } = facts.settings
  const card = threedsCards?.[role]
  const endpointId = facts.settings[mode]
  if (card === undefined || endpointId === undefined)
    return yield* new Lacking({ message: `the file has no ${card === undefined ? `card "${role}"` : `"${mode}"`}` })
  const fields = {
    ...Sample.browser,
    ...Samples.cardFields(card, cards.approved),
    redirect_url: inbox.returnAddress,
    ...changes
  }
  return yield* Orders.create(name, fields, { endpointId })
})

/**
 * Waits until the customer or the merchant has to act, or the order is final. Modules of the older dialect use the field `html`
 * only.
 */
export const waiting = Effect.fnUntraced(function* (order: Orders.Order) {
  const body = yield* Orders.until(
    order,
    (each) => Orders.isFinal(each) || each["threeds-stage"] !== undefined || each["redirect-to"] !== undefined
  )
  yield* Expect.that(
    (yield* dialectOf) === "json" || Orders.isFinal(body) || Expect.textOf(body, "html") !== undefined,
    "an order that waits for 3-D Secure has no html"
  )
  return body
})

/** Waits until an order whose merchant runs 3-D Secure is at this stage. */
export const atStage = Effect.fnUntraced(function* (order: Orders.Order, stage: string) {
  const body = yield* Orders.until(order, (each) => Orders.isFinal(each) || each["threeds-stage"] === stage)
  yield* Expect.equal(body["threeds-stage"], stage, "threeds-stage of the answer to status")
  return body
})

/** Returns the members of an answer that are text. */
const texts = (body: Orders.Body): Fields =>
  Object.fromEntries(
    Object.entries(body).flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : []))
  )

/** Makes an order that waits for the upload of the method's result. */
export const atMethod = Effect.gen(function* () {
  const order = yield* sale("threedsMerchant", "method")
  return { order, values: texts(yield* atStage(order, "method")) }
})

/** Makes an order whose customer has passed the challenge, so that the result can be uploaded. */
export const challenged = Effect.gen(function* () {
  const order = yield* sale("threedsMerchant", "challenge")
  const status = yield* atStage(order, "challenge")
  return { order, values: { ...texts(status), ...(yield* Customer.challenge(status, "pass")) } }
})

/** Makes an order whose customer has entered the password of version 1, so that the result can be uploaded. */
export const passwordEntered = Effect.gen(function* () {
  const order = yield* sale("threedsMerchant", "version1")
  const status = yield* atStage(order, "pareq")
  return { order, values: { ...texts(status), ...(yield* Customer.passwordPage(status, "pass")) } }
})

/** Makes a payout whose recipient was checked. */
export const checkedPayout = Effect.gen(function* () {
  const order = yield* Orders.create("PAYOUT_V4_CHECK")
  yield* Orders.until(order, (body) => Orders.isFinal(body) || body["order-stage"] === "payout_checked")
  return order
})
