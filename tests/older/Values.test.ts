/** What the older dialect says otherwise than JSON mode: of 3-D Secure, unknown outcomes, amounts and whole returns. */
import { assert, layer } from "@effect/vitest"
import * as PayApi from "@pay/schema/PayApi"
import { Effect, Layer } from "effect"
import * as Operating from "../harness/Operating.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"
import * as Older from "./OlderClient.ts"
import * as Shop from "./Shop.ts"

const { endpoints } = Older

interface Order {
  readonly id: string
  readonly orderid: string
}

/** A payment whose first outcome is there. */
const pay = Effect.fnUntraced(function* (operation: "sale" | "preauth", changes: Older.Fields, at = endpoints.usd) {
  const { callbackUrl } = yield* Shop.Shop
  const id = Older.freshId()
  const fields = Older.payment(id, { server_callback_url: callbackUrl, ...changes })
  const reply = yield* Older.post(`${operation}/${at}`, Older.signedPayment(at, fields))
  Older.assertHas(reply, "async-response", "paynet-order-id")
  yield* TestMerchant.settled
  return { id, orderid: reply.fields["paynet-order-id"] ?? "" } satisfies Order
})

const status = ({ id, orderid }: Order, at: string = endpoints.usd) =>
  Older.post(`status/${at}`, Older.signedOrder(id, orderid))

const sendAct = (path: string, { id, orderid }: Order, amount: string, currency = "USD") =>
  Older.post(`${path}/${endpoints.usd}`, {
    login: Older.login,
    client_orderid: id,
    orderid,
    amount,
    currency,
    comment: "x",
    control: Older.sha1(Older.login, id, orderid, Older.cents(amount), currency, Older.controlKey)
  })

const sendReturn = (order: Order, amount: string, currency = "USD") => sendAct("return", order, amount, currency)

layer(Layer.provideMerge(Shop.layer, Older.gateway))("in the older dialect", (it) => {
  it.effect("a payment in 3-D Secure has a page that leads to the gateway's page", () =>
    Effect.gen(function* () {
      const order = yield* pay("sale", { credit_card_number: "4444000011118888" }, endpoints.threedsGateway)
      const reply = yield* status(order, endpoints.threedsGateway)
      Older.assertHas(reply, "status-response", "html", "redirect-to", "transaction-type")
      assert.strictEqual(reply.fields.status, "processing")
      const { html = "", "redirect-to": page = "" } = reply.fields
      assert.include(html, `<form method="get" action="${page}">`)
      assert.include(html, "document.forms[0].submit()")
      assert.isTrue(page.startsWith(`${Older.publicBaseUrl}/3ds/`))
      assert.strictEqual((yield* Shop.browse(page)).status, 200)
    })
  )

  it.effect("a payment is taken as modules paste its values, and repeats are recognised", () =>
    Effect.gen(function* () {
      const id = Older.freshId()
      const address = { country: "es", state: "B", zip_code: "08001", address1: "Carrer Major 1\r\n2n 1a" }
      const pasted = Older.payment(id, {
        ...address,
        email: "john.smith@gmail.com\n",
        credit_card_number: "4444 3333 2222 1111"
      })
      const first = yield* Older.post(`sale/${endpoints.usd}`, Older.signedPayment(endpoints.usd, pasted))
      Older.assertHas(first, "async-response", "paynet-order-id")
      const plain = Older.payment(id, { ...address, country: "ES", state: "ES-B", address1: "Carrer Major 1 2n 1a" })
      const again = yield* Older.post(`sale/${endpoints.usd}`, Older.signedPayment(endpoints.usd, plain))
      Older.assertHas(again, "async-response", "paynet-order-id")
      assert.strictEqual(again.fields["paynet-order-id"], first.fields["paynet-order-id"])
    })
  )

  it.effect.each([
    ["a Hong Kong address without postal code", { country: "HK", zip_code: "" }, undefined],
    ["the country UK", { country: "UK" }, "country"],
    ["a country without its postal code", { country: "DE", zip_code: "" }, "zip_code"],
    ["a card number of zeros", { credit_card_number: "0000 0000 0000 0000" }, "credit_card_number"],
    ["its card number in the description", { order_desc: "4444#3333#2222#1111" }, "order_desc"],
    ["its security code as name", { card_printed_name: "123" }, "card_printed_name"]
  ] as const)("a payment with %s is accepted or refused by its field", ([, changes, field]) =>
    Effect.gen(function* () {
      const fields = Older.payment(Older.freshId(), changes)
      const reply = yield* Older.post(`sale/${endpoints.usd}`, Older.signedPayment(endpoints.usd, fields))
      assert.strictEqual(reply.fields.type, field === undefined ? "async-response" : "validation-error", reply.text)
      assert.include(reply.fields["error-message"] ?? "undefined", field ?? "undefined")
    })
  )

  const merchants = endpoints.threedsMerchant

  it.effect("a payment in 3-D Secure run by the merchant has the issuer's page at once, without an upload", () =>
    Effect.gen(function* () {
      const order = yield* pay("sale", { credit_card_number: "4444000011118888" }, merchants)
      const reply = yield* status(order, merchants)
      Older.assertHas(reply, "status-response", "html", "acs-url", "creq")
      assert.strictEqual(reply.fields["threeds-stage"], "challenge")
      assert.include(reply.fields.html, `<form method="post" action="${reply.fields["acs-url"]}">`)
    })
  )

  it.effect("JSON mode waits for the browser's data first", () =>
    Effect.gen(function* () {
      const fields = Older.payment(Older.freshId(), { credit_card_number: "4444000011118888", state: "WA" })
      const at = { endpointId: merchants, key: Older.controlKey }
      TestMerchant.assertAccepted(yield* TestGateway.post(PayApi.operations.SALE, fields, at))
      yield* TestMerchant.settled
      const question = { login: Older.login, client_orderid: fields.client_orderid ?? "" }
      const { body } = yield* TestGateway.post(PayApi.operations.STATUS, question, at)
      assert.strictEqual(body["threeds-stage"], "method")
    })
  )

  it.effect("JSON mode has no such page", () =>
    Effect.gen(function* () {
      const fields = Older.payment(Older.freshId(), { credit_card_number: "4444000011118888", state: "WA" })
      const at = { endpointId: endpoints.threedsGateway, key: Older.controlKey }
      TestMerchant.assertAccepted(yield* TestGateway.post(PayApi.operations.SALE, fields, at))
      yield* TestMerchant.settled
      const question = { login: Older.login, client_orderid: fields.client_orderid ?? "" }
      const { body } = yield* TestGateway.post(PayApi.operations.STATUS, question, at)
      assert.property(body, "redirect-to")
      assert.notProperty(body, "html")
    })
  )

  it.effect("an unknown outcome is shown as processing with its true stage, and causes no callback", () =>
    Effect.gen(function* () {
      const order = yield* pay("sale", { cvv2: "217" })
      yield* TestMerchant.pass("3 days")
      const reply = yield* status(order)
      Older.assertHas(reply, "status-response")
      assert.strictEqual(reply.fields.status, "processing")
      assert.strictEqual(reply.fields["order-stage"], "sale_unknown")
      const { callbacks } = yield* Shop.Shop
      assert.deepStrictEqual(callbacks(order.orderid), [])
      const numbers = yield* Operating.ask("GET", "/metrics")
      assert.match(numbers.text, /^pay_unknown_as_processing_total 1$/m)
    })
  )

  it.effect("a callback has the amount as the merchant wrote it, and a reversal's callback the reversed amount", () =>
    Effect.gen(function* () {
      const { callbacks } = yield* Shop.Shop
      const order = yield* pay("sale", { amount: "10.5" })
      Older.assertHas(yield* sendReturn(order, "4"), "async-response", "paynet-order-id")
      yield* TestMerchant.settled
      Older.assertHas(yield* sendReturn(order, "6.50"), "async-response", "paynet-order-id")
      yield* TestMerchant.settled
      assert.deepStrictEqual(
        callbacks(order.orderid).map(({ amount, status, type }) => [type, status, amount]),
        [
          ["sale", "approved", "10.5"],
          ["reversal", "approved", "4.00"],
          ["reversal", "approved", "6.50"]
        ]
      )
    })
  )

  it.effect("an order of JSON mode keeps its amount in both dialects", () =>
    Effect.gen(function* () {
      const { callbackUrl, callbacks } = yield* Shop.Shop
      const changes = { amount: "10.5", state: "WA", server_callback_url: callbackUrl }
      const fields = Older.payment(Older.freshId(), changes)
      const reply = yield* TestGateway.post(PayApi.operations.SALE, fields, {
        endpointId: endpoints.usd,
        key: Older.controlKey
      })
      yield* TestMerchant.settled
      const { orderid } = TestMerchant.nameOf(reply)
      assert.deepStrictEqual(
        callbacks(orderid).map(({ amount }) => amount),
        ["10.50"]
      )
    })
  )

  it.effect("a return of an uncaptured preauth may have its whole amount, and no other", () =>
    Effect.gen(function* () {
      const order = yield* pay("preauth", { amount: "25.00" })
      Older.assertRefused(yield* sendReturn(order, "24.99"), 62)
      const reply = yield* sendReturn(order, "25.00")
      Older.assertHas(reply, "async-response", "paynet-order-id")
      yield* TestMerchant.settled
      const again = yield* sendReturn(order, "25.00")
      Older.assertHas(again, "async-response", "paynet-order-id")
      const { fields } = yield* status(order)
      assert.deepStrictEqual([fields.status, fields["transaction-type"]], ["approved", "cancel"])
    })
  )

  it.effect("a repeated whole capture or return gets the first answer and has no second effect", () =>
    Effect.gen(function* () {
      const { callbacks } = yield* Shop.Shop
      const order = yield* pay("preauth", { amount: "25.00" })
      const acted = Effect.fnUntraced(function* (send: typeof sendReturn) {
        const first = yield* send(order, "25.00")
        Older.assertHas(first, "async-response", "paynet-order-id")
        const again = yield* send(order, "25.00")
        Older.assertHas(again, "async-response", "paynet-order-id")
        yield* TestMerchant.settled
        Older.assertHas(yield* send(order, "25.00"), "async-response", "paynet-order-id")
        yield* TestMerchant.pass("2 days")
        Older.assertHas(yield* send(order, "25.00"), "async-response", "paynet-order-id")
        yield* TestMerchant.settled
      })
      yield* acted((...parameters) => sendAct("capture", ...parameters))
      assert.strictEqual((yield* status(order)).fields["captured-amount"], "25.00")
      yield* acted(sendReturn)
      const { fields } = yield* status(order)
      assert.deepStrictEqual(
        [fields.status, fields["transaction-type"], fields["captured-amount"], fields["returned-amount"]],
        ["approved", "reversal", "25.00", "25.00"]
      )
      assert.deepStrictEqual(
        callbacks(order.orderid).map(({ amount, type }) => `${type} ${amount}`),
        ["preauth 25.00", "capture 25.00", "reversal 25.00"]
      )
      yield* TestMerchant.assertClean
    })
  )

  it.effect("a repeated partial amount is refused", () =>
    Effect.gen(function* () {
      const order = yield* pay("sale", { amount: "25.00" })
      Older.assertHas(yield* sendReturn(order, "5.00"), "async-response", "paynet-order-id")
      yield* TestMerchant.settled
      Older.assertRefused(yield* sendReturn(order, "5.00"), 53)
      assert.strictEqual((yield* status(order)).fields["returned-amount"], "5.00")
    })
  )

  it.effect("a declined order is not paid again under its client_orderid", () =>
    Effect.gen(function* () {
      const order = yield* pay("sale", { cvv2: "116" })
      const again = (changes: Older.Fields) =>
        Older.post(`sale/${endpoints.usd}`, Older.signedPayment(endpoints.usd, Older.payment(order.id, changes)))
      const { callbackUrl } = yield* Shop.Shop
      const same = yield* again({ server_callback_url: callbackUrl, cvv2: "123" })
      assert.strictEqual(same.fields["paynet-order-id"], order.orderid)
      Older.assertRefused(yield* again({ credit_card_number: "4444555566661111" }), 51)
      yield* TestMerchant.settled
      assert.strictEqual((yield* status(order)).fields.status, "declined")
    })
  )
})
