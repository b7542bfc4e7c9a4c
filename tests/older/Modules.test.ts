/** The modules of shops as they are deployed, on the wire only: forms, 3-D Secure and the way back. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as TestMerchant from "../harness/TestMerchant.ts"
import * as Exchange from "./Exchange.ts"
import * as Older from "./OlderClient.ts"
import * as Shop from "./Shop.ts"

const { pay, orderStatus, status, world } = Exchange
const { endpoints } = Older
const { usd } = endpoints

layer(world, { excludeTestServices: true })("the existing shop modules", (it) => {
  it.effect("WooCommerce completes a form at a group, its payment, its callback and the browser's return", () =>
    Effect.gen(function* () {
      const { callbackUrl, callbacks } = yield* Shop.Shop
      const id = Older.freshId()
      const { credit_card_number: _, cvv2: __, ...payer } = Older.payment(id, { server_callback_url: callbackUrl })
      const { card_printed_name: ___, expire_month: ____, expire_year: _____, ...fields } = payer
      const empty = { credit_card_number: "", cvv2: "", expire_month: "", expire_year: "", card_printed_name: "" }
      const signed = Older.signedPayment(endpoints.group, { ...fields, ...empty, notify_url: "" })
      const reply = yield* Older.post(`sale-form/group/${endpoints.group}`, signed)
      Older.assertHas(reply, "async-form-response", "merchant-order-id", "paynet-order-id", "redirect-url")
      const orderid = reply.fields["paynet-order-id"] ?? ""
      const page = reply.fields["redirect-url"] ?? ""
      assert.isTrue(page.startsWith(`${Older.publicBaseUrl}/pay/`))
      assert.strictEqual((yield* Shop.browse(page)).status, 200)
      const card = { number: "4444 3333 2222 1111", expiry: "12 / 30", code: "123", holder: "Jane Doe" }
      yield* Shop.browse(page, { ...card, attempts: "0", action: "pay" })
      yield* TestMerchant.settled
      const back = yield* Shop.browse(page)
      assert.strictEqual(back.action, "https://shop.example/back")
      assert.include(back.body, `method="post"`)
      for (const name of ["status", "orderid", "merchant_order", "client_orderid"])
        assert.isNotEmpty(back.hidden[name], name)
      Shop.prove(back.hidden)
      assert.strictEqual(yield* orderStatus({ id, orderid }), "sale/approved")
      assert.lengthOf(callbacks(orderid), 1)
    })
  )

  it.effect("PrestaShop and OpenCart get processing for a form whose bank does not answer", () =>
    Effect.gen(function* () {
      const id = Older.freshId()
      const reply = yield* Older.post(
        `sale-form/${usd}`,
        Older.signedPayment(usd, Older.payment(id, { credit_card_number: "", cvv2: "" }))
      )
      const page = reply.fields["redirect-url"] ?? ""
      const card = { number: "4444 3333 2222 1111", expiry: "12 / 30", code: "217", holder: "Jane Doe" }
      yield* Shop.browse(page, { ...card, attempts: "0", action: "pay" })
      yield* TestMerchant.pass("1 hour")
      const back = yield* Shop.browse(page)
      assert.strictEqual(back.hidden.status, "processing")
      Shop.prove(back.hidden)
    })
  )

  it.effect("3-D Secure is completed by the html field of the status", () =>
    Effect.gen(function* () {
      const order = yield* pay("sale/", endpoints.threedsGateway, { credit_card_number: "4444000011118888" })
      yield* TestMerchant.settled
      const at = `status/${endpoints.threedsGateway}`
      const { html = "" } = yield* status(order, at)
      const page = /<form method="get" action="([^"]*)">/.exec(html)?.[1] ?? ""
      const first = yield* Shop.browse(page)
      const request = yield* Shop.browse(first.action ?? "", first.hidden)
      const answer = { ...request.hidden, action: "confirm", password: "hint" }
      const decided = yield* Shop.browse(request.action ?? request.url, answer)
      yield* Shop.browse(decided.action ?? "", decided.hidden)
      yield* TestMerchant.settled
      assert.strictEqual(yield* orderStatus(order, at), "sale/approved")
    })
  )

  it.effect("a transfer form asks for both cards if the request has none", () =>
    Effect.gen(function* () {
      const id = Older.freshId()
      const fields = Older.payment(id, { credit_card_number: "", cvv2: "" })
      const reply = yield* Older.post(`transfer-form/${usd}`, Older.signedPayment(usd, fields))
      Older.assertHas(reply, "async-form-response", "paynet-order-id", "redirect-url")
      const page = reply.fields["redirect-url"] ?? ""
      assert.include((yield* Shop.browse(page)).body, `id="receiver"`)
      const card = { number: "4444 3333 2222 1111", expiry: "12 / 30", holder: "Jane Doe", action: "pay" }
      assert.strictEqual((yield* Shop.browse(page, { ...card, code: "123", attempts: "0" })).status, 422)
      yield* Shop.browse(page, { ...card, code: "116", attempts: "0", receiver: "4444 5555 6666 1111" })
      yield* TestMerchant.settled
      assert.notInclude((yield* Shop.browse(page)).body, `id="receiver"`)
      yield* Shop.browse(page, { ...card, code: "123", attempts: "1" })
      yield* TestMerchant.settled
      const order = { id, orderid: reply.fields["paynet-order-id"] ?? "" }
      assert.strictEqual(yield* orderStatus(order), "transfer/approved")
      assert.strictEqual((yield* status(order))["dest-last-four-digits"], "1111")
    })
  )
})
