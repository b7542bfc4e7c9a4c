/** What modules of every kind do with an order: create it, keep its number, ask how it stands. */
import { assert } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as Older from "./OlderClient.ts"
import * as Shop from "./Shop.ts"

const { usd } = Older.endpoints

export interface Order {
  readonly id: string
  readonly orderid: string
}

/** What PHP and Ruby read of an acknowledgement; a `status` that is missing would be `processing`. */
export const accepted = (reply: Older.Reply, id: string): Order => {
  Older.assertHas(reply, "async-response", "merchant-order-id", "paynet-order-id", "status")
  assert.strictEqual(reply.fields["merchant-order-id"], id)
  assert.strictEqual(reply.fields.status, "processing")
  assert.isAtMost(reply.fields["serial-number"]?.length ?? 0, 255)
  return { id, orderid: reply.fields["paynet-order-id"] ?? "" }
}

export const pay = Effect.fnUntraced(function* (path: string, endpoint: string, changes: Older.Fields = {}) {
  const { callbackUrl } = yield* Shop.Shop
  const id = Older.freshId()
  const fields = Older.payment(id, { server_callback_url: callbackUrl, ...changes })
  return accepted(yield* Older.post(`${path}${endpoint}`, Older.signedPayment(endpoint, fields)), id)
})

export const status = Effect.fnUntraced(function* ({ id, orderid }: Order, path = `status/${usd}`) {
  const reply = yield* Older.post(path, Older.signedOrder(id, orderid))
  const read = ["status", "paynet-order-id", "merchant-order-id", "transaction-type"]
  Older.assertHas(reply, "status-response", ...read)
  if (orderid !== "") assert.strictEqual(reply.fields["paynet-order-id"], orderid)
  return reply.fields
})

/** WooCommerce joins the two. */
export const orderStatus = (order: Order, path?: string) =>
  Effect.map(status(order, path), (fields) => `${fields["transaction-type"]}/${fields.status}`)

/** A gateway, and the shop of the merchant. */
export const world = Layer.provideMerge(Shop.layer, Older.gateway)
