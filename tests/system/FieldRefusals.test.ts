/** Fields that the gateway itself checks: callback addresses. The contract and the conformance suite check all others. */
import { assert, layer } from "@effect/vitest"
import { AddressPolicy } from "@pay/gateway/Gateway"
import { Effect } from "effect"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"

layer(TestGateway.layer(), { excludeTestServices: true })("a request with a wrong field", (it) => {
  for (const [field, value] of [
    ["server_callback_url", "http://10.0.0.1/"],
    ["notify_url", "http://203.0.113.7:22/"],
    ["server_callback_url", "http://127.0.0.1:1/?status=x"],
    ["notify_url", "http://127.0.0.1:1/?id=7&%63ontrol=x#top"],
    ["notify_url", "http://127.0.0.1:1/?x=%FF"]
  ] as const) {
    it.effect(`${field} = ${value} is refused, and no order is created`, () =>
      Effect.gen(function* () {
        const client_orderid = TestMerchant.freshId()
        const reply = yield* TestMerchant.create("SALE", { client_orderid, [field]: value })
        TestMerchant.assertRefused(reply, "parameterInvalid", field)
        assert.strictEqual(reply.body["merchant-order-id"], client_orderid)
        yield* TestMerchant.assertFree(client_orderid)
      })
    )
  }

  it.effect("names the parameter that a callback address may not have, also for an action on an order", () =>
    Effect.gen(function* () {
      const order = yield* TestMerchant.order("PREAUTH")
      const url = { server_callback_url: "http://127.0.0.1:1/?Serial-Number=x" }
      const reply = yield* TestMerchant.act("VOID", order, url)
      TestMerchant.assertRefused(reply, "parameterInvalid", "server_callback_url")
      assert.include(TestMerchant.text(reply, "error-message"), "must not have serial-number in its query")
    })
  )

  it.effect("is a repetition if only the spelling of its callback address differs", () =>
    Effect.gen(function* () {
      const client_orderid = TestMerchant.freshId()
      const sale = (query: string) =>
        TestMerchant.create("SALE", { client_orderid, server_callback_url: `http://127.0.0.1:1/${query}` })
      const order = TestMerchant.nameOf(yield* sale("?x=a+b&p[0]=1"))
      TestMerchant.assertReplay(yield* sale("?x=a%20b&p%5B0%5D=1#top"), order)
      assert.strictEqual((yield* sale("?x=a%2Bb&p[0]=1")).status, 400)
    })
  )

  it.effect("is answered with all problems, and with the first one as the message", () =>
    Effect.gen(function* () {
      const reply = yield* TestMerchant.create("SALE", { amount: "1e3", cvv2: "12", email: "", country: "UK" })
      const errors = reply.body.errors
      assert(Array.isArray(errors))
      assert.sameMembers(
        errors.map(({ field }) => field),
        ["amount", "cvv2", "email", "country"]
      )
      assert.strictEqual(reply.body["error-message"], errors[0].message)
    })
  )
})

const production = { settings: { production: true, addressPolicy: AddressPolicy.publicOnly } }

layer(TestGateway.layer(production), { excludeTestServices: true })("a payment in production", (it) => {
  for (const [field, value] of [
    ["redirect_url", "http://shop.example/"],
    ["server_callback_url", "https://127.0.0.1/"]
  ] as const) {
    it.effect(`is refused with ${field} = ${value}`, () =>
      Effect.gen(function* () {
        TestMerchant.assertRefused(yield* TestMerchant.create("SALE", { [field]: value }), "parameterInvalid", field)
      })
    )
  }
})
