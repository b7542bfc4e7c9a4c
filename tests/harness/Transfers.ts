/** Transfers and questions about cards, signed as the specification's examples are. */
import { assert } from "@effect/vitest"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import * as TestRecipients from "@pay/sandbox/TestRecipients"
import type { Operation } from "@pay/schema/Operation"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import { Effect } from "effect"
import * as OAuth from "./OAuth.ts"
import type * as TestGateway from "./TestGateway.ts"
import * as TestMerchant from "./TestMerchant.ts"

const { CARDREF_V4, PAN_ELIGIBILITY_SEND, TRANSFER_BY_REF_V4, TRANSFER_V4 } = PayApi.operations

/** Undefined: left out. */
export type Fields = Readonly<Record<string, string | undefined>>

const recipient = (name: string): string => TestRecipients.byName(name)?.numbers.card ?? ""

/** By the tables of test cards and recipients. */
export const cards = {
  ordinary: "4444555566661111",
  cannotSend: "4444016000000002",
  cannotReceive: recipient("no-account"),
  receiveLost: recipient("answer-lost"),
  receiveUndecided: recipient("undecided")
} as const

/** No text for a field means that it is left out. */
const given = (fields: Fields): TestMerchant.Fields =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
  )

/** The operation's sample under a number of its own, with what differs. */
const send = (operation: Operation, fields: Fields, parts?: OAuth.Parts) => {
  const id = "client-order-id" in operation.fields ? "client-order-id" : "client_orderid"
  return OAuth.sendOnly(
    operation,
    given({ ...Sample.request(operation), [id]: TestMerchant.freshId(), ...fields }),
    parts
  )
}

const payer = { order_desc: "Rent", card_printed_name: "JOHN SMITH", cvv2: "123", ipaddress: "203.0.113.9" }

/** 10.42 USD from a card in the request to another. */
export const transfer = (fields: Fields = {}, parts?: OAuth.Parts) => send(TRANSFER_V4, { ...payer, ...fields }, parts)

/** From a stored card to another card. */
export const byRef = (fields: Fields, parts?: OAuth.Parts) => send(TRANSFER_BY_REF_V4, fields, parts)

/** Whether a card can send money. */
export const eligible = (fields: Fields, parts?: OAuth.Parts) =>
  send(PAN_ELIGIBILITY_SEND, { "sending-card-ref-id": undefined, ...fields }, parts)

/** What was accepted, and whatever came of it. */
export const done = Effect.fnUntraced(function* <E, R>(question: Effect.Effect<TestGateway.Reply, E, R>) {
  const reply = yield* question
  TestMerchant.assertAccepted(reply)
  assert.strictEqual(reply.body["transaction-id"], reply.body["paynet-order-id"])
  yield* TestMerchant.settled
  return TestMerchant.nameOf(reply)
})

/** A card that its holder has paid with, stored; the number and expiry of `fields`, if they say so. */
export const stored = Effect.fnUntraced(function* (fields: TestMerchant.Fields = {}) {
  const order = yield* TestMerchant.order("SALE", fields)
  const reply = yield* OAuth.sendOnly(CARDREF_V4, { ...order })
  TestMerchant.assertAccepted(reply)
  return TestMerchant.text(reply, "recurring-payment-id")
})

/** A stored card that has not paid yet. */
export const storedUnpaid = Effect.fnUntraced(function* (number: string) {
  const card = { credit_card_number: number, expire_month: "11", expire_year: "2031" }
  const reply = yield* OAuth.sendOnly(CARDREF_V4, { client_orderid: TestMerchant.freshId(), ...card })
  TestMerchant.assertAccepted(reply)
  return TestMerchant.text(reply, "dst-recurring-payment-id")
})

/** What the bank's books say of the order's one movement. */
export const booked = Effect.fnUntraced(function* (orderid: string) {
  const { books } = yield* SandboxControl
  return (yield* books.ofOrder(orderid)).map(({ request }) => request)
})

/** The payer's card left out. */
export const noCard: Fields = Object.fromEntries(
  ["credit_card_number", "card_printed_name", "expire_month", "expire_year", "cvv2"].map((name) => [name, undefined])
)
