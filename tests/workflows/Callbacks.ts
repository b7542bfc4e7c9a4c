/** Callbacks for an inbox: one that the gateway sent, and such as anybody might make up. */
import { assert } from "@effect/vitest"
import * as CallbackInbox from "@pay/flows/CallbackInbox"
import { FlowEngine } from "@pay/flows/FlowEngine"
import type { OrderStatus } from "@pay/flows/OrderStatus"
import * as Sandbox from "@pay/sandbox/Sandbox"
import * as Callback from "@pay/schema/Callback"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import * as CallbackSignature from "@pay/signing/Callback"
import * as Form from "@pay/signing/Form"
import * as StandardWebhooks from "@pay/signing/StandardWebhooks"
import * as PayClient from "@pay/transport/PayClient"
import { Clock, Data, Effect, Layer, Logger, Redacted, type Scope } from "effect"
import { inWallTime } from "../../packages/schema/test/Clocks.ts"

const { SALE } = PayApi.operations

export const keys = { controlKeys: [Redacted.make(Sandbox.merchant.controlKey)] }

export class ShopClosed extends Data.TaggedError("ShopClosed") {}

/** A sale whose callback has arrived at the sandbox's inbox, as the shop's own server would get it. */
export const saleWithCallback = Effect.fnUntraced(function* (
  clientOrderId: string,
  options: PayClient.CallOptions = {}
) {
  const client = yield* PayClient.PayClient
  const payment = yield* Effect.fromResult(SALE.decodeFields(Sample.request(SALE)))
  const server_callback_url = "http://shop.test/told"
  yield* client.sale({ ...payment, client_orderid: clientOrderId, server_callback_url }, options)
  yield* Sandbox.settled
  const { arrived } = yield* Sandbox.Inbox
  const mine = (yield* arrived).find(({ callback }) => callback.client_orderid === clientOrderId)
  assert(mine !== undefined)
  const { body, callback, headers, url } = mine
  return { method: "GET", url, headers, body, orderid: callback.orderid }
})
export const callbackRequest = saleWithCallback("o-1")

/** A callback as the holder of the key would send it now: of whatever order, claiming whatever. */
export const signed = Effect.fnUntraced(function* (
  claimed: CallbackSignature.Values,
  { key = Sandbox.merchant.controlKey, webhookId = "made-up" } = {}
) {
  const nowMs = yield* inWallTime(Clock.currentTimeMillis)
  const query = Form.write(Callback.parameters(claimed, CallbackSignature.sign(claimed, key)))
  const message = { id: webhookId, timestampSeconds: Math.floor(nowMs / 1000), content: query }
  const headers = { ...StandardWebhooks.sign(message, [StandardWebhooks.secret(key)]) }
  return { method: "GET", url: `/told?${query}`, headers }
})

/** The client, and how many requests it sent. */
export const counted = Effect.gen(function* () {
  const sent = { requests: 0 }
  const client = PayClient.around(yield* PayClient.PayClient, (call) =>
    Effect.suspend(() => {
      sent.requests += 1
      return call
    })
  )
  return { client, sent }
})

/** An inbox, and the orders that it has passed to the shop. */
export const inbox = Effect.fnUntraced(function* (
  options: Partial<CallbackInbox.Options<ShopClosed, never>> = {},
  answer: Effect.Effect<void, ShopClosed> = Effect.void
) {
  const names: Array<string> = []
  const onOrder = ({ clientOrderId, status }: OrderStatus) =>
    Effect.andThen(
      Effect.sync(() => {
        names.push(`${clientOrderId} ${status}`)
      }),
      answer
    )
  const made = yield* CallbackInbox.make<ShopClosed, never>({ keys, onOrder, ...options })
  return { ...made, receive: (request: CallbackInbox.Request) => inWallTime(made.receive(request)), received: names }
})

export const inSandbox = <A, E>(program: Effect.Effect<A, E, FlowEngine | Sandbox.Services | Scope.Scope>) =>
  program.pipe(
    Effect.provide(FlowEngine.layerMemory, { local: true }),
    Effect.provide(Layer.merge(Sandbox.layer(), Logger.layer([])))
  )
