/** Reports about the lengths of texts (docs/decisions/public-reports-inputs.md), where no other test has the same input. */
import { assert, layer } from "@effect/vitest"
import * as Directory from "@pay/gateway/Directory"
import { Order } from "@pay/gateway/Entities"
import { Store } from "@pay/gateway/Store"
import { Effect, Schema } from "effect"
import * as CallbackServer from "../harness/CallbackServer.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"

/** One character, or a sequence that looks like one, with the number of its characters (Unicode code points). */
const scripts = [
  ["Greek", "Ω", 1],
  ["Han", "漢", 1],
  ["Han beyond the first plane", "𠮷", 1],
  ["an emoji", "😀", 1],
  ["emoji with joiners", "👩‍👩‍👧‍👦", 7],
  ["right-to-left text", "ש", 1],
  ["decomposed accents", "a\u0308", 2]
] as const

/** Exactly so many characters: the text again and again, and letters for the rest. */
const filled = (text: string, size: number, length: number): string =>
  text.repeat(Math.floor(length / size)) + "x".repeat(length % size)

const limits = { merchant_data: 1024, purpose: 128, card_printed_name: 128, address1: 256, city: 50 } as const

const descriptor = filled("Ω", 1, 127)

const merchants = Schema.decodeUnknownSync(Directory.Config)([
  {
    login: TestGateway.login,
    controlKeys: [TestGateway.controlKey],
    endpoints: [{ id: TestGateway.endpoints.usd, currencies: ["USD"], threeds: "off", descriptor }]
  }
])

layer(TestGateway.layer({ merchants }), { excludeTestServices: true })("a limit of characters", (it) => {
  it.effect.each(scripts)("is reached and not passed by $0, whatever their bytes", ([_, text, size]) =>
    Effect.gen(function* () {
      const longest = Object.fromEntries(
        Object.entries(limits).map(([field, most]) => [field, filled(text, size, most)])
      )
      const order = yield* TestMerchant.order("SALE", longest)
      const { card_printed_name: name, merchant_data: merchantdata } = longest
      assert.deepInclude(yield* TestMerchant.status(order), { status: "approved", name, merchantdata, descriptor })
      for (const field of Object.keys(limits)) {
        const reply = yield* TestMerchant.create("SALE", { [field]: `${longest[field]}x` })
        TestMerchant.assertRefused(reply, "parameterTooLong", field)
      }
    })
  )

  it.effect("lets the endpoint's descriptor arrive whole in the callback", () =>
    Effect.gen(function* () {
      const server = yield* CallbackServer.open()
      yield* TestMerchant.order("SALE", { server_callback_url: server.url() })
      const [request] = server.requests
      assert(request !== undefined)
      assert.deepInclude(Object.fromEntries(CallbackServer.parameters(request)), { descriptor })
    })
  )

  it.effect("of order_desc is also limited by the size of the whole request, which the refusal says", () =>
    Effect.gen(function* () {
      const whole = "漢".repeat(28_000)
      const order = yield* TestMerchant.order("SALE", { order_desc: whole })
      const store = yield* Store
      assert.strictEqual((yield* store.load(Order, [order.orderid]))?.description, whole)
      const client_orderid = TestMerchant.freshId()
      const reply = yield* TestMerchant.create("SALE", { client_orderid, order_desc: "漢".repeat(65_536) })
      TestMerchant.assertRefused(reply, "bodyTooLarge")
      yield* TestMerchant.assertFree(client_orderid)
      TestMerchant.assertAccepted(yield* TestMerchant.create("SALE", { order_desc: "x".repeat(65_536) }))
      const long = yield* TestMerchant.create("SALE", { order_desc: "x".repeat(65_537) })
      TestMerchant.assertRefused(long, "parameterTooLong", "order_desc")
    })
  )
})
