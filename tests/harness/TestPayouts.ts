/** What a merchant does to pay out, and what a test reads afterwards. */
import { assert } from "@effect/vitest"
import { Balance, CallbackEvent } from "@pay/gateway/Entities"
import { Store } from "@pay/gateway/Store"
import { RailControl } from "@pay/sandbox/RailControl"
import * as TestRecipients from "@pay/sandbox/TestRecipients"
import * as PayApi from "@pay/schema/PayApi"
import { Effect } from "effect"
import * as OAuth from "./OAuth.ts"
import * as TestGateway from "./TestGateway.ts"
import * as TestMerchant from "./TestMerchant.ts"

const { PAYOUT, PAYOUT_V4, PAYOUT_V4_CHECK, PAYOUT_V4_PAY } = PayApi.operations
const creations = { PAYOUT, PAYOUT_V4, PAYOUT_V4_CHECK } as const
export type Creation = keyof typeof creations

/** To a recipient for whom nothing special is planned. */
export const plain: TestMerchant.Fields = { amount: "10.42", currency: "USD", account_number: "DE89370400440532013000" }

/** To the card for which the table plans this. */
export const toCard = (name: string): TestMerchant.Fields => {
  const number = TestRecipients.byName(name)?.numbers.card
  assert(number !== undefined, `no test recipient is called ${name}`)
  return { amount: "10.42", currency: "USD", credit_card_number: number }
}

/** Sends a payout. Its sample says nothing of the recipient: `fields` do. */
export const send = (name: Creation, fields: TestMerchant.Fields, parts: OAuth.Parts = {}) => {
  const operation = creations[name]
  const id = "client-order-id" in operation.fields ? "client-order-id" : "client_orderid"
  const { client_orderid: clientOrderId = TestMerchant.freshId(), ...others } = fields
  const empty = { credit_card_number: "", account_number: "", ewallet_id: "", phone: "" }
  return OAuth.send(operation, { ...parts, fields: { ...empty, [id]: clientOrderId, ...others, ...parts.fields } })
}

/** A payout that was accepted, and whatever came of it at once. */
export const made = Effect.fnUntraced(function* (
  name: Creation,
  fields: TestMerchant.Fields = plain,
  parts?: OAuth.Parts
) {
  const reply = yield* send(name, fields, parts)
  TestMerchant.assertAccepted(reply)
  yield* TestMerchant.settled
  return TestMerchant.nameOf(reply)
})

export const pay = (order: TestMerchant.Order, parts: OAuth.Parts = {}) =>
  OAuth.send(PAYOUT_V4_PAY, { ...parts, fields: { ...order, ...parts.fields } })

/** `status stage`: how a payout stands, on one line. */
export const orderStatus = Effect.fnUntraced(function* (order: TestMerchant.Named, options?: TestMerchant.Options) {
  const body = yield* TestMerchant.status(order, options)
  return `${body.status} ${body["order-stage"]}`
})

const accounts = ["payout_available", "payout_held", "payout_rail"] as const

/** What stands in the accounts of an endpoint: payable, set aside, gone. */
export const balances = Effect.fnUntraced(function* (endpointId: string = TestGateway.endpoints.usd, currency = "USD") {
  const store = yield* Store
  const rows = yield* Effect.forEach(accounts, (name) =>
    store.load(Balance, [`${TestGateway.login}/${endpointId}/${currency}/${name}`])
  )
  return rows.map((row) => Number(row?.minor ?? 0))
})

/** The books add up, agree with bank's and rail's, and nothing was done that no gateway may do. */
export const assertClean = Effect.gen(function* () {
  yield* TestMerchant.assertClean
  const rail = yield* RailControl
  assert.deepStrictEqual(yield* rail.violations, [])
})

/** The callbacks of the order, in their order. */
export const events = Effect.fnUntraced(function* ({ orderid }: TestMerchant.Order) {
  const store = yield* Store
  return yield* store.find(CallbackEvent, "order", { equals: [orderid], limit: 100 })
})
