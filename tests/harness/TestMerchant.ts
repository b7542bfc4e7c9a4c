/** What a merchant does by hand, and what a test reads afterwards. */
import { assert } from "@effect/vitest"
import { Order as OrderRow } from "@pay/gateway/Entities"
import { Store } from "@pay/gateway/Store"
import * as ErrorCode from "@pay/schema/ErrorCode"
import * as GatewayProfile from "@pay/schema/GatewayProfile"
import * as PayApi from "@pay/schema/PayApi"
import { Effect } from "effect"
import * as ClientMerchant from "./ClientMerchant.ts"
import * as TestGateway from "./TestGateway.ts"
import { pass, settled } from "./World.ts"

export type Fields = Readonly<Record<string, string>>
export type Creation = "SALE" | "PREAUTH"
export type FollowUp = "CAPTURE" | "VOID" | "RETURN"

/** An order as requests name it. */
export interface Order {
  readonly client_orderid: string
  readonly orderid: string
}

/** For questions, one of the two names will do. */
export interface Named {
  readonly client_orderid: string
  readonly orderid?: string
}

export interface Options {
  readonly endpointId?: string
  readonly key?: string
  readonly headers?: Fields
  readonly change?: (fields: Fields) => Fields
}

let count = 0
/** A `client_orderid` that no test has used. */
export const freshId = (): string => {
  count += 1
  return `order-${count}`
}

export const text = ({ body }: TestGateway.Reply, name: string): string => {
  const value = body[name]
  assert(typeof value === "string", `the answer has no text ${name}: ${JSON.stringify(body)}`)
  return value
}

export { pass, settled }

/** Sends a payment; 10.42 USD unless `fields` say otherwise. */
export const create = (name: Creation, fields: Fields = {}, options?: Options) =>
  TestGateway.post(
    PayApi.operations[name],
    { ...TestGateway.saleFields, client_orderid: freshId(), ...fields },
    options
  )

export const nameOf = (reply: TestGateway.Reply): Order => ({
  client_orderid: text(reply, "merchant-order-id"),
  orderid: text(reply, "paynet-order-id")
})

/** A payment that was accepted, and whatever came of it. */
export const order = Effect.fnUntraced(function* (name: Creation, fields?: Fields, options?: Options) {
  const reply = yield* create(name, fields, options)
  assertAccepted(reply)
  yield* settled
  return nameOf(reply)
})

/** Sends a follow-up of the sandbox's merchant. */
export const act = (name: FollowUp, { client_orderid, orderid }: Order, fields: Fields = {}, options?: Options) =>
  TestGateway.post(PayApi.operations[name], { login: TestGateway.login, client_orderid, orderid, ...fields }, options)

/** A follow-up that was accepted and whose outcome is known. */
export const done = Effect.fnUntraced(function* (name: FollowUp, order: Order, fields?: Fields, options?: Options) {
  const reply = yield* act(name, order, fields, options)
  assertAccepted(reply)
  yield* settled
  return reply
})

export const status = Effect.fnUntraced(function* (order: Named, options?: Options) {
  const { client_orderid, orderid } = order
  const fields = { login: TestGateway.login, client_orderid, ...(orderid === undefined ? {} : { orderid }) }
  const reply = yield* TestGateway.post(PayApi.operations.STATUS, fields, options)
  assertAccepted(reply)
  return reply.body
})

/** How the request that was answered so went. */
export const outcomeOf = Effect.fnUntraced(function* (reply: TestGateway.Reply) {
  const fields = { login: TestGateway.login, ...nameOf(reply), "by-request-sn": text(reply, "serial-number") }
  const answer = yield* TestGateway.post(PayApi.operations.STATUS, fields)
  assertAccepted(answer)
  return answer.body
})

/** `status type authorized captured returned remaining`: how an order stands, on one line. */
export const orderStatus = Effect.fnUntraced(function* (order: Named, options?: Options) {
  const body = yield* status(order, options)
  return ["status", "transaction-type", "authorized-amount", "captured-amount", "returned-amount", "remaining-amount"]
    .map((name) => body[name])
    .join(" ")
})

/** Every answer, whatever it says, announces what the gateway does beyond the specification. */
const assertAnnounced = ({ headers }: TestGateway.Reply) =>
  assert.strictEqual(headers[GatewayProfile.header], GatewayProfile.format(GatewayProfile.ours))

export const assertAccepted = (reply: TestGateway.Reply) => {
  assert.strictEqual(reply.status, 200, JSON.stringify(reply.body))
  assertAnnounced(reply)
}

/** The request was accepted as a repetition of this order. A refusal can name the order, too: that of another content does. */
export const assertReplay = (reply: TestGateway.Reply, order: Order, message?: string) => {
  assertAccepted(reply)
  assert.deepStrictEqual(nameOf(reply), order, message)
}

/** A refusal in the contract's shape, for this reason. */
export const assertRefused = (reply: TestGateway.Reply, error: ErrorCode.Name, field?: string) => {
  const { body, headers, status } = reply
  const { code, status: expected } = ErrorCode.codes[error]
  const observed = JSON.stringify(body)
  assert.strictEqual(body["error-code"], String(code), `${error}: ${observed}`)
  assert.strictEqual(status, expected, observed)
  assert.strictEqual(headers["content-type"], "application/vnd.pay+json; charset=utf-8")
  assertAnnounced(reply)
  assert.strictEqual(body.type, expected >= 500 ? "error" : "validation-error")
  assert.match(text(reply, "serial-number"), /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  assert.isAbove(text(reply, "error-message").length, 5)
  assert.notMatch(observed, /node:|\.ts:|\bat [\w.]+ \(|Error:/, "nothing of the inside")
  if (field !== undefined) {
    assert(Array.isArray(body.errors), observed)
    assert.deepInclude(body.errors[0], { field, code: String(code), message: body["error-message"] })
  }
}

/** Nobody's order has this `client_orderid`: it can still be used. */
export const assertFree = Effect.fnUntraced(function* (clientOrderId: string) {
  const store = yield* Store
  assert.isUndefined(yield* store.load(OrderRow, [TestGateway.login, clientOrderId], "clientOrder"))
})

/** The books add up, agree with the bank's, and nothing was done that no gateway may do. */
export const assertClean = Effect.andThen(settled, ClientMerchant.allIsWell)
