/** A merchant with the typed client: what it does with orders, and what a test reads of books and bank afterwards. */
import { assert } from "@effect/vitest"
import { LedgerEntry } from "@pay/gateway/Entities"
import * as Reconciliation from "@pay/gateway/Reconciliation"
import { Store } from "@pay/gateway/Store"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import * as TestCards from "@pay/sandbox/TestCards"
import type { Operation } from "@pay/schema/Operation"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import * as Sandbox from "@pay/server/Sandbox"
import * as PayClient from "@pay/transport/PayClient"
import { Effect, Schema } from "effect"
import { inWallTime } from "../../packages/schema/test/Clocks.ts"

type Fields = Readonly<Record<string, string>>

export interface Order {
  readonly orderid: string
  readonly client_orderid: string
}

export interface Asked extends Order {
  readonly serialNumber: string
}

const Answer = Schema.Struct({
  "paynet-order-id": Schema.String,
  "merchant-order-id": Schema.String,
  "serial-number": Schema.String
})
const readAnswer = Schema.decodeUnknownEffect(Answer)

/** Sends an operation with these wire fields through the typed client. Returns the answer. */
export const call = Effect.fnUntraced(function* (
  name: PayApi.Name,
  fields: Fields,
  options: PayClient.CallOptions = {}
) {
  const client = yield* PayClient.PayClient
  const operation: Operation = PayApi.operations[name]
  const { login } = Sandbox.merchant
  const request = yield* Effect.orDie(Effect.fromResult(operation.decodeFields({ ...fields, login })))
  const answer = client.call(operation, request, options)
  return yield* operation.signing._tag === "OAuth" ? inWallTime(answer) : answer
})

/** Sends an operation like {@link call}. Returns the numbers in the answer. */
export const send = Effect.fnUntraced(function* (name: PayApi.Name, fields: Fields, options?: PayClient.CallOptions) {
  const answer = yield* Effect.orDie(readAnswer(yield* call(name, fields, options)))
  return {
    orderid: answer["paynet-order-id"],
    client_orderid: answer["merchant-order-id"],
    serialNumber: answer["serial-number"]
  } satisfies Asked
})

let count = 0

/** A payment of 10.42 USD, approved unless the card or code says otherwise. */
export const create = (
  name: "SALE" | "PREAUTH",
  { card, ...fields }: Fields = {},
  options: PayClient.CallOptions = {}
) => {
  count += 1
  const number = card === undefined ? {} : { credit_card_number: TestCards.byName(card)?.number ?? card }
  const values = { ...Sample.request(PayApi.operations[name]), client_orderid: `order-${count}`, ...number, ...fields }
  return send(name, values, options)
}

export const act = (
  name: "CAPTURE" | "VOID" | "RETURN",
  { client_orderid, orderid }: Order,
  fields: Fields = {},
  options: PayClient.CallOptions = {}
) => send(name, { client_orderid, orderid, ...fields }, options)

export const status = Effect.fnUntraced(function* ({ client_orderid, orderid }: Order) {
  const client = yield* PayClient.PayClient
  return yield* client.status({ client_orderid, orderid })
})

/** How one request about the order went. */
export const statusOf = Effect.fnUntraced(function* ({ client_orderid, orderid, serialNumber }: Asked) {
  const client = yield* PayClient.PayClient
  return yield* client.status({ client_orderid, orderid, "by-request-sn": serialNumber })
})

/** What the books hold of the order: `cause account ±minor`, in the order it was booked. */
export const booked = Effect.fnUntraced(function* ({ orderid }: Order) {
  const store = yield* Store
  const entries = yield* store.find(LedgerEntry, "order", { equals: [orderid], limit: 100 })
  return entries.filter(({ minor }) => minor > 0).map(({ cause, minor }) => `${cause} ${minor}`)
})

/** What the bank holds of the order: `kind minor answer`, and how often each request came again. */
export const atBank = Effect.fnUntraced(function* ({ orderid }: Order) {
  const { books } = yield* SandboxControl
  return (yield* books.ofOrder(orderid)).map(
    ({ answer, repeats, request }) =>
      `${request.kind} ${request.amountMinor} ${answer._tag}${repeats === 0 ? "" : ` again ${repeats}`}`
  )
})

/** The gateway's books add up, agree with the bank's, and nothing was done that no gateway may do. */
export const allIsWell = Effect.gen(function* () {
  const { findings } = yield* Reconciliation.check
  assert.deepStrictEqual(findings, [])
  const control = yield* SandboxControl
  assert.deepStrictEqual(yield* control.violations, [])
})
