/** Reports about identifiers of orders (docs/decisions/public-reports-inputs.md), where no other test has the same input. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as CallbackServer from "../harness/CallbackServer.ts"
import * as HostedPage from "../harness/HostedPage.ts"
import { ask } from "../harness/Operating.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"

const ids = [
  "000000161",
  "161",
  "113",
  "0x1F",
  "31",
  "1e3",
  "1000",
  "Ab1",
  "aB1",
  "INV/2025/00001",
  "#123",
  "123",
  "100%",
  "100%25",
  "a+b",
  "a b",
  "a%20b",
  "../x",
  "..",
  "null",
  "undefined",
  "true",
  "__proto__",
  "=1+1",
  "'\"<b>&amp;",
  "\u00e4",
  "a\u0308",
  "😀",
  "\u00e4".repeat(128),
  "9".repeat(128),
  "9".repeat(127)
]

layer(TestGateway.layer({ settings: { sessionRate: { perSecond: 0, burst: 0 } } }), { excludeTestServices: true })(
  "an identifier of an order",
  (it) => {
    it.effect("is returned by sale, status, callback and search as it was sent, and two are never one", () =>
      Effect.gen(function* () {
        const server = yield* CallbackServer.open()
        const orders = new Set<string>()
        for (const client_orderid of ids) {
          const sent = { client_orderid, server_callback_url: server.url() }
          const order = yield* TestMerchant.order("SALE", sent)
          assert.strictEqual(order.client_orderid, client_orderid)
          orders.add(order.orderid)
          const repeat = yield* TestMerchant.create("SALE", sent)
          TestMerchant.assertReplay(repeat, order)
        }
        assert.strictEqual(orders.size, ids.length)
        for (const client_orderid of ids) {
          const status = yield* TestMerchant.status({ client_orderid })
          assert.deepInclude(status, { "merchant-order-id": client_orderid, status: "approved" })
          const search = { merchant: TestGateway.login, clientOrderId: client_orderid }
          const { body } = yield* ask("POST", "/operator/orders/search", search)
          const expected = { id: status["paynet-order-id"], merchantOrder: client_orderid }
          assert(Array.isArray(body.orders) && body.orders.length === 1)
          assert.deepInclude(body.orders[0], expected)
          const shown = yield* ask("GET", `/operator/orders/${expected.id}`)
          assert.include(shown.text, JSON.stringify(client_orderid))
        }
        const called = server.requests.map((request) => Object.fromEntries(CallbackServer.parameters(request)))
        assert.deepStrictEqual(called.map((fields) => fields.client_orderid).sort(), [...ids].sort())
        assert.isTrue(called.every((fields) => fields.client_orderid === fields.merchant_order))
      })
    )

    it.effect("comes back from a hosted page as it was sent", () =>
      Effect.gen(function* () {
        for (const id of ids.filter(({ length }) => length < 127)) {
          const { url } = yield* HostedPage.open(`${id}-form`)
          const page = yield* HostedPage.browse(url, { form: { action: "cancel" } })
          assert.deepInclude(page.hidden, { client_orderid: `${id}-form`, merchant_order: `${id}-form` })
        }
      })
    )

    it.effect.each(["9".repeat(129), "a\u200bb", "a\u202eb", "a\nb", "a\u0000b"])(
      "that is too long or has an invisible character is refused by name: %j",
      (client_orderid) =>
        Effect.gen(function* () {
          const reply = yield* TestMerchant.create("SALE", { client_orderid })
          assert.strictEqual(reply.status, 400)
          assert.include(JSON.stringify(reply.body), "client_orderid")
        })
    )
  }
)
