/** A merchant without a plan: pays, captures, voids and returns as chance will, and repeats itself with and without keys. */
import { assert } from "@effect/vitest"
import { Front } from "@pay/gateway/Front"
import type { Operation } from "@pay/schema/Operation"
import * as PayApi from "@pay/schema/PayApi"
import * as Form from "@pay/signing/Form"
import { Effect, Schema } from "effect"
import * as TestGateway from "../system/TestGateway.ts"
import type { Chance } from "./Chance.ts"

type Fields = Readonly<Record<string, string>>
type Name = "SALE" | "PREAUTH" | FollowUp | "STATUS"
type FollowUp = "CAPTURE" | "VOID" | "RETURN"

interface Sent {
  readonly name: Name
  readonly fields: Fields
  readonly key?: string
}

export interface Order {
  readonly orderid: string
  readonly client_orderid: string
  readonly amountMinor: number
  readonly creation: Sent
  /** Follow-ups that were accepted under a key, each once. */
  readonly keyed: Array<Sent>
  /** How many captures and returns the gateway may have understood as separate wishes. */
  captures: number
  returns: number
  /** What a merchant was last told; it never shrinks. */
  capturedMinor: number
  returnedMinor: number
  /** Set when the payment is known to have failed. */
  failedAs: string | undefined
}

const readBody = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown)))

/** Signed, sent and answered: with success or with a reason, never with a fault of the gateway's own. */
const send = Effect.fnUntraced(function* ({ fields, key, name }: Sent) {
  const front = yield* Front
  const operation: Operation = PayApi.operations[name]
  const answer = yield* front.handle({
    method: "POST",
    publicBaseUrl: "http://127.0.0.1",
    target: `${operation.path}/${TestGateway.endpoints.usd}`,
    headers: { ...TestGateway.standardHeaders, ...(key === undefined ? {} : { "idempotency-key": key }) },
    body: Form.write(Object.entries(TestGateway.controlled(operation, fields))),
    remoteAddress: "127.0.0.1"
  })
  assert.include([200, 400], answer.status, `${name} ${JSON.stringify(fields)}: ${answer.body}`)
  return { accepted: answer.status === 200, body: readBody(answer.body) }
})

/** Minor units of USD. */
export const minor = (amount: unknown): number => {
  assert(typeof amount === "string" && /^\d+\.\d\d$/.test(amount), `an amount: ${String(amount)}`)
  return Number(amount.replace(".", ""))
}
const amountOf = (amountMinor: number): string => (amountMinor / 100).toFixed(2)

export const pay = Effect.fnUntraced(function* (chance: Chance, client_orderid: string) {
  const amountMinor = 1 + chance.below(20_000)
  const creation: Sent = {
    name: chance.percent(35) ? "SALE" : "PREAUTH",
    fields: {
      ...TestGateway.saleFields,
      client_orderid,
      amount: amountOf(amountMinor),
      server_callback_url: "http://shop.example/callback"
    }
  }
  const { accepted, body } = yield* send(creation)
  const { "paynet-order-id": orderid } = body
  assert(accepted && typeof orderid === "string", JSON.stringify(body))
  return {
    orderid,
    client_orderid,
    amountMinor,
    creation,
    keyed: [],
    captures: 0,
    returns: 0,
    capturedMinor: 0,
    returnedMinor: 0,
    failedAs: undefined
  } satisfies Order as Order
})

/** The payment once more: the same answer, or a refusal if anything of it is different. */
export const payAgain = Effect.fnUntraced(function* (chance: Chance, { creation, orderid }: Order) {
  const again = yield* send(creation)
  assert(again.accepted && again.body["paynet-order-id"] === orderid, JSON.stringify(again.body))
  const different = { ...creation.fields, amount: amountOf(20_001 + chance.below(100)) }
  assert.isFalse((yield* send({ ...creation, fields: different })).accepted, "other content under the same id")
  return `${creation.name} again ${orderid}`
})

const wish = (chance: Chance, order: Order): Sent => {
  const name = chance.oneOf<FollowUp>(["CAPTURE", "CAPTURE", "CAPTURE", "VOID", "RETURN", "RETURN"])
  const { client_orderid, orderid } = order
  const part = name !== "VOID" && chance.percent(70)
  const most = chance.percent(15) ? 2 * order.amountMinor : Math.ceil(order.amountMinor / 2)
  const fields = {
    login: TestGateway.login,
    client_orderid,
    orderid,
    ...(part ? { amount: amountOf(1 + chance.below(most)), currency: "USD" } : {})
  }
  return { name, fields, ...(chance.percent(60) ? { key: `key-${chance.below(2 ** 31)}` } : {}) }
}

/** A new wish, with a key of its own or without one. */
export const follow = Effect.fnUntraced(function* (chance: Chance, order: Order) {
  const sent = wish(chance, order)
  const { accepted } = yield* send(sent)
  if (accepted && sent.name === "CAPTURE") order.captures += 1
  if (accepted && sent.name === "RETURN") order.returns += 1
  if (accepted && sent.key !== undefined) order.keyed.push(sent)
  const { amount = "all" } = sent.fields
  return `${sent.name} ${amount} ${order.orderid} ${sent.key ?? "no key"}: ${accepted ? "accepted" : "refused"}`
})

/** An accepted wish under its key once more: accepted and without effect; other content under the key is refused. */
export const followAgain = Effect.fnUntraced(function* (chance: Chance, order: Order) {
  const [first, ...others] = order.keyed
  if (first === undefined) return `nothing to repeat of ${order.orderid}`
  const sent = chance.oneOf([first, ...others])
  const again = yield* send(sent)
  assert(again.accepted && again.body["paynet-order-id"] === order.orderid, JSON.stringify(again.body))
  if (sent.name !== "VOID") {
    const different = { ...sent.fields, amount: amountOf(order.amountMinor + 1), currency: "USD" }
    assert.isFalse((yield* send({ ...sent, fields: different })).accepted, "other content under the same key")
  }
  return `${sent.name} again ${order.orderid} ${sent.key}`
})

/** What the merchant is told; the test's own reading, not the client's. */
export const ask = Effect.fnUntraced(function* ({ client_orderid, orderid }: Order) {
  const fields = { login: TestGateway.login, client_orderid, orderid }
  const { accepted, body } = yield* send({ name: "STATUS", fields })
  assert.isTrue(accepted, JSON.stringify(body))
  const { status } = body
  return {
    status: String(status),
    authorizedMinor: minor(body["authorized-amount"]),
    capturedMinor: minor(body["captured-amount"]),
    returnedMinor: minor(body["returned-amount"])
  }
})
