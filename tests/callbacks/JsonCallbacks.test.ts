/** The callbacks of an endpoint whose `callbackFormat` is `json`: what is posted, and who can verify it. */
import { assert, describe, it } from "@effect/vitest"
import * as Sandbox from "@pay/server/Sandbox"
import * as StandardWebhooks from "@pay/signing/StandardWebhooks"
import * as CallbackReceiver from "@pay/transport/CallbackReceiver"
import { Effect, Redacted } from "effect"
import { Webhook } from "standardwebhooks"
import { Webhook as SvixWebhook } from "svix"
import { inWallTime } from "../../packages/schema/test/Clocks.ts"
import * as CallbackServer from "../harness/CallbackServer.ts"
import * as ClientMerchant from "../harness/ClientMerchant.ts"
import * as World from "../harness/World.ts"
import * as SocketWorld from "./SocketWorld.ts"

const { controlKey, endpoints } = Sandbox.merchant
const options = { endpointId: endpoints.jsonCallbacks }
const secret = StandardWebhooks.secretText(controlKey)
const keys = { controlKeys: [Redacted.make(controlKey)], requireWebhookHeaders: true }

const sale = (fields: Readonly<Record<string, string>>) => ClientMerchant.create("SALE", fields, options)

const verified = ({ body, headers, target }: CallbackServer.ReceivedRequest) =>
  CallbackReceiver.verify({ url: target, headers, body }, keys).pipe(inWallTime)

const headersOf = ({ headers }: CallbackServer.ReceivedRequest): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))

describe("a callback of an endpoint with the format json", () => {
  it.live("is a POST of the fields of a query, in their order, to the merchant's address", () =>
    Effect.gen(function* () {
      const shop = yield* CallbackServer.open()
      const query = yield* ClientMerchant.create("SALE", { server_callback_url: shop.url() })
      yield* World.settled
      const order = yield* sale({ server_callback_url: shop.url("/callback?x=a+b#top"), descriptor: "x" })
      yield* World.settled
      const [asQuery, asJson] = shop.requests
      assert(asQuery !== undefined && asJson !== undefined && shop.requests.length === 2)
      assert.strictEqual(asJson.method, "POST")
      assert.strictEqual(asJson.target, "/callback?x=a%20b")
      assert.strictEqual(asJson.headers["content-type"], "application/json")
      const fields: Record<string, string> = JSON.parse(asJson.body)
      const expected = CallbackServer.parameters(asQuery).map(([name]) => name)
      // This endpoint of the sandbox has no text for statements.
      assert.deepStrictEqual(
        Object.keys(fields),
        expected.filter((name) => name !== "descriptor")
      )
      assert.deepInclude(fields, {
        status: "approved",
        orderid: order.orderid,
        amount: "10.42",
        merchant_order: order.client_orderid
      })
      assert.deepInclude(yield* verified(asJson), { orderid: order.orderid, webhookId: `${order.orderid}-1` })
      assert.notStrictEqual(query.orderid, order.orderid)
    }).pipe(Effect.provide(SocketWorld.layer(), { local: true }))
  )

  it.live("is verified by standardwebhooks and svix with the merchant's secret, and not if it was changed", () =>
    Effect.gen(function* () {
      const shop = yield* CallbackServer.open()
      yield* sale({ server_callback_url: shop.url(), client_orderid: "Größe 1+1 & 100%" })
      yield* World.settled
      const [request] = shop.requests
      assert(request !== undefined)
      const headers = headersOf(request)
      for (const webhook of [new Webhook(secret), new SvixWebhook(secret)]) {
        webhook.verify(request.body, headers)
        assert.throws(() => webhook.verify(request.body.replace("10.42", "99.42"), headers))
        assert.throws(() => webhook.verify(request.body, { ...headers, "webhook-id": "another" }))
      }
      const fields = new Webhook(secret).verify(request.body, headers)
      assert.deepInclude(fields, { status: "approved", client_orderid: "Größe 1+1 & 100%" })
      assert.throws(() => new Webhook(StandardWebhooks.secretText("another")).verify(request.body, headers))
    }).pipe(Effect.provide(SocketWorld.layer(), { local: true }))
  )

  it.live("is posted again after any answer but 200, with the same body and id, and not to another address", () =>
    Effect.gen(function* () {
      const elsewhere = yield* CallbackServer.open()
      const shop = yield* CallbackServer.open({ says: [308, 201], location: elsewhere.url() })
      const order = yield* sale({ server_callback_url: shop.url() })
      yield* World.settled
      yield* World.pass("20 days")
      assert.deepInclude(yield* SocketWorld.event(order), { delivery: "delivered", tries: 3, format: "json" })
      assert.deepStrictEqual(
        shop.requests.map(({ method }) => method),
        ["POST", "POST", "POST"]
      )
      assert.strictEqual(new Set(shop.requests.map(({ body, headers }) => `${headers["webhook-id"]} ${body}`)).size, 1)
      assert.strictEqual(elsewhere.requests.length, 0)
    }).pipe(Effect.provide(SocketWorld.layer(), { local: true }))
  )

  it.live("has the format of its order: also about actions through another endpoint, and at notify_url", () =>
    Effect.gen(function* () {
      const shop = yield* CallbackServer.open()
      const urls = { server_callback_url: shop.url(), notify_url: shop.url("/notify") }
      const order = yield* ClientMerchant.create("PREAUTH", urls, options)
      yield* World.settled
      yield* ClientMerchant.act("VOID", order, {}, { endpointId: endpoints.usd })
      yield* World.settled
      assert.deepStrictEqual(
        shop.requests.map(({ method }) => method),
        ["POST", "POST", "POST", "POST"]
      )
      for (const request of shop.requests) assert.strictEqual((yield* verified(request)).orderid, order.orderid)
    }).pipe(Effect.provide(SocketWorld.layer(), { local: true }))
  )
})
