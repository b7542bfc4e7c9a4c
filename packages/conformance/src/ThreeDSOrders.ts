/** Orders that wait: for the customer at 3-D Secure, or for the second step of a payout. */
import type * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import { Effect } from "effect"
import * as Customer from "./Customer.ts"
import type { Fields } from "./Draft.ts"
import * as Expect from "./Expect.ts"
import { Gateway, spoken } from "./Gateway.ts"
import * as Orders from "./Orders.ts"
import * as Samples from "./Samples.ts"
import type { ThreeDSRole } from "./Settings.ts"
import { Lacking } from "./Violation.ts"

export type Mode = "threedsGateway" | "threedsMerchant"

/** A payment with a card of the file at an endpoint with 3-D Secure. */
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

/** Waits until the customer, or the merchant, has something to do. Modules of the older dialect show `html` and know no other field. */
export const waiting = Effect.fnUntraced(function* (order: Orders.Order) {
  const body = yield* Orders.until(
    order,
    (each) => Orders.isFinal(each) || each["threeds-stage"] !== undefined || each["redirect-to"] !== undefined
  )
  yield* Expect.that(
    (yield* spoken) === "json" || Orders.isFinal(body) || Expect.textOf(body, "html") !== undefined,
    "an order that waits for 3-D Secure has no html"
  )
  return body
})

/** Waits for this stage of an order that its merchant takes through 3-D Secure. */
export const atStage = Effect.fnUntraced(function* (order: Orders.Order, stage: string) {
  const body = yield* Orders.until(order, (each) => Orders.isFinal(each) || each["threeds-stage"] === stage)
  yield* Expect.equal(body["threeds-stage"], stage, "threeds-stage of the answer to status")
  return body
})

/** An order that waits for an upload, and what the browser brought. */
const texts = (body: Orders.Body): Fields =>
  Object.fromEntries(
    Object.entries(body).flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : []))
  )

/** Waits for the upload of the method's result. */
export const atMethod = Effect.gen(function* () {
  const order = yield* sale("threedsMerchant", "method")
  return { order, values: texts(yield* atStage(order, "method")) }
})

/** The customer has done the challenge; its result waits for the upload. */
export const challenged = Effect.gen(function* () {
  const order = yield* sale("threedsMerchant", "challenge")
  const status = yield* atStage(order, "challenge")
  return { order, values: { ...texts(status), ...(yield* Customer.challenge(status, "pass")) } }
})

/** The customer has entered the password of version 1. */
export const passwordEntered = Effect.gen(function* () {
  const order = yield* sale("threedsMerchant", "version1")
  const status = yield* atStage(order, "pareq")
  return { order, values: { ...texts(status), ...(yield* Customer.passwordPage(status, "pass")) } }
})

/** A payout whose recipient was checked. */
export const checkedPayout = Effect.gen(function* () {
  const order = yield* Orders.create("PAYOUT_V4_CHECK")
  yield* Orders.until(order, (body) => Orders.isFinal(body) || body["order-stage"] === "payout_checked")
  return order
})
