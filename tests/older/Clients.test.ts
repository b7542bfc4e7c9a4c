/**
 * Each public client as it is deployed, on the wire only: what it sends, in its form, and the fields that it reads. Every number of
 * an order or a card in every answer fits a signed integer of 32 bits.
 */
import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as TestMerchant from "../system/TestMerchant.ts"
import * as Older from "./OlderClient.ts"
import * as Shop from "./Shop.ts"

const { controlKey, endpoints, login, sha1 } = Older
const { usd } = endpoints

interface Order {
  readonly id: string
  readonly orderid: string
}

/** What PHP and Ruby read of an acknowledgement; a `status` that is missing would be `processing`. */
const accepted = (reply: Older.Reply, id: string): Order => {
  Older.assertHas(reply, "async-response", "merchant-order-id", "paynet-order-id", "status")
  assert.strictEqual(reply.fields["merchant-order-id"], id)
  assert.strictEqual(reply.fields.status, "processing")
  assert.isAtMost(reply.fields["serial-number"]?.length ?? 0, 255)
  return { id, orderid: reply.fields["paynet-order-id"] ?? "" }
}

const pay = Effect.fnUntraced(function* (path: string, endpoint: string, changes: Older.Fields = {}) {
  const { callbackUrl } = yield* Shop.Shop
  const id = Older.freshId()
  const fields = Older.payment(id, { server_callback_url: callbackUrl, ...changes })
  return accepted(yield* Older.post(`${path}${endpoint}`, Older.signedPayment(endpoint, fields)), id)
})

const status = Effect.fnUntraced(function* ({ id, orderid }: Order, path = `status/${usd}`) {
  const reply = yield* Older.post(path, Older.signedOrder(id, orderid))
  const read = ["status", "paynet-order-id", "merchant-order-id", "transaction-type"]
  Older.assertHas(reply, "status-response", ...read)
  assert.strictEqual(reply.fields["paynet-order-id"], orderid)
  return reply.fields
})

/** WooCommerce joins the two. */
const standing = (order: Order, path?: string) =>
  Effect.map(status(order, path), (fields) => `${fields["transaction-type"]}/${fields.status}`)

const act = (path: string, { id, orderid }: Order, amount: string, currency: string, sent: Older.Fields = {}) =>
  Older.post(`${path}/${usd}`, {
    login,
    client_orderid: id,
    orderid,
    ...sent,
    control: sha1(login, id, orderid, Older.cents(amount), currency, controlKey)
  })

const world = Layer.provideMerge(Shop.layer, Older.gateway)

layer(world, { excludeTestServices: true })("The PHP and Ruby libraries", (it) => {
  it.effect("sale, polling, callback, return", () =>
    Effect.gen(function* () {
      const { callbacks } = yield* Shop.Shop
      const order = yield* pay("sale/", usd, { amount: "10.5" })
      yield* TestMerchant.settled
      assert.strictEqual(yield* standing(order), "sale/approved")
      assert.strictEqual(
        callbacks(order.orderid)
          .map(({ amount, type }) => `${type} ${amount}`)
          .join(),
        "sale 10.5"
      )
      const sent = { amount: "10.5", currency: "USD", comment: "Customer changed her mind" }
      accepted(yield* act("return", order, "10.5", "USD", sent), order.id)
      yield* TestMerchant.settled
      assert.strictEqual(yield* standing(order), "reversal/approved")
      assert.strictEqual(callbacks(order.orderid).at(-1)?.type, "reversal")
    })
  )

  it.effect("preauth, capture without an amount, release", () =>
    Effect.gen(function* () {
      const order = yield* pay("preauth/", usd, { amount: "20.00" })
      yield* TestMerchant.settled
      accepted(yield* act("capture", order, "5.00", "USD", { amount: "5.00", currency: "USD" }), order.id)
      yield* TestMerchant.settled
      const { id, orderid } = order
      accepted(yield* Older.post(`void/${usd}`, Older.signedOrder(id, orderid)), id)
      yield* TestMerchant.settled
      const fields = yield* status(order)
      assert.deepStrictEqual(
        [fields.status, fields["captured-amount"], fields["remaining-amount"]],
        ["approved", "5.00", "0.00"]
      )
      const whole = yield* pay("preauth/", usd)
      yield* TestMerchant.settled
      accepted(yield* act("capture", whole, "10.42", "USD"), whole.id)
      yield* TestMerchant.settled
      assert.strictEqual(yield* standing(whole), "capture/approved")
    })
  )

  it.effect("preauth and return of the whole hold", () =>
    Effect.gen(function* () {
      const order = yield* pay("preauth/", usd)
      yield* TestMerchant.settled
      accepted(yield* act("return", order, "10.42", "USD", { amount: "10.42", currency: "USD" }), order.id)
      yield* TestMerchant.settled
      assert.strictEqual(yield* standing(order), "cancel/approved")
    })
  )

  it.effect("a sale at a group, and at a base address with a slash at its end", () =>
    Effect.gen(function* () {
      const order = yield* pay("/sale/group/", endpoints.group)
      yield* TestMerchant.settled
      assert.strictEqual(yield* standing(order, `/status/group/${endpoints.group}`), "sale/approved")
    })
  )

  it.effect("card reference, card info, rebills", () =>
    Effect.gen(function* () {
      const order = yield* pay("sale/", usd)
      yield* TestMerchant.settled
      const stored = yield* Older.post(`create-card-ref/${usd}`, Older.signedOrder(order.id, order.orderid))
      Older.assertHas(stored, "create-card-ref-response", "card-ref-id")
      assert.strictEqual(stored.fields.status, "approved")
      const cardrefid = stored.fields["card-ref-id"] ?? ""
      const info = yield* Older.post(`get-card-info/${usd}`, {
        login,
        cardrefid,
        control: sha1(login, cardrefid, controlKey)
      })
      const read = ["card-printed-name", "expire-year", "expire-month", "bin", "last-four-digits"]
      Older.assertHas(info, "get-card-info-response", ...read)
      for (const [path, ends] of [
        ["make-rebill", "sale/approved"],
        ["make-rebill-sale", "sale/approved"],
        ["make-rebill-preauth", "preauth/approved"]
      ] as const) {
        const id = Older.freshId()
        const fields = { login, client_orderid: id, cardrefid, amount: "3.10", currency: "USD" }
        const rebill = yield* Older.post(`${path}/${usd}`, {
          ...fields,
          order_desc: "Renewal",
          ipaddress: "65.153.12.232",
          control: sha1(login, id, cardrefid, "310", "USD", controlKey)
        })
        const made = accepted(rebill, id)
        yield* TestMerchant.settled
        assert.strictEqual(yield* standing(made), ends)
      }
    })
  )

  it.effect("verification, asynchronous and synchronous", () =>
    Effect.gen(function* () {
      const send = (path: string, id: string, changes: Older.Fields = {}) => {
        const { amount: _, currency: __, ...fields } = Older.payment(id, changes)
        const control = sha1(usd, id, fields.email ?? "", controlKey)
        return Older.post(`${path}/${usd}`, { ...fields, control })
      }
      const id = Older.freshId()
      const order = accepted(yield* send("account-verification", id), id)
      yield* TestMerchant.settled
      assert.strictEqual(yield* standing(order), "account_verification/approved")
      for (const [cvv2, ends] of [
        ["123", "approved"],
        ["116", "declined"]
      ] as const) {
        const twin = Older.freshId()
        const reply = yield* send("sync/account-verification", twin, { cvv2 })
        const names = ["status", "paynet-order-id", "merchant-order-id", "transaction-type"]
        Older.assertHas(reply, "status-response", ...names)
        assert.strictEqual(reply.fields.status, ends)
        const again = yield* send("sync/account-verification", twin, { cvv2 })
        assert.strictEqual(again.fields["paynet-order-id"], reply.fields["paynet-order-id"])
        assert.strictEqual(again.fields.status, ends)
      }
    })
  )
})

layer(world, { excludeTestServices: true })("The shop modules", (it) => {
  it.effect("WooCommerce: form at a group, payment, callback, return of the browser", () =>
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
      assert.strictEqual(yield* standing({ id, orderid }), "sale/approved")
      assert.lengthOf(callbacks(orderid), 1)
    })
  )

  it.effect("PrestaShop and OpenCart: a form whose bank does not answer comes back as processing", () =>
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

  it.effect("3-D Secure by the html of the status, to its end", () =>
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
      assert.strictEqual(yield* standing(order, at), "sale/approved")
    })
  )

  it.effect("a transfer form asks for both cards where the request names none", () =>
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
      assert.strictEqual(yield* standing(order), "transfer/approved")
      assert.strictEqual((yield* status(order))["dest-last-four-digits"], "1111")
    })
  )
})

describe("Signers with OAuth", () => {
  const read = (reply: Older.Reply, name: string): string =>
    new RegExp(`"${name}":"([^"]*)"`).exec(reply.text)?.[1] ?? ""

  layer(world, { excludeTestServices: true })((it) => {
    it.effect("tmhOAuth: a payout, signed over the prefix", () =>
      Effect.gen(function* () {
        const id = Older.freshId()
        const fields = { client_orderid: id, amount: "7.00", currency: "USD", account_number: "DE89370400440532013000" }
        const reply = yield* Older.oauth("HMAC-SHA1", `/paynet/api/v2/payout/${usd}`, fields)
        const order = accepted(reply, id)
        assert.strictEqual(reply.fields["payout-id"], order.orderid)
        yield* TestMerchant.settled
        assert.strictEqual(yield* standing(order), "payout/approved")
        const refused = yield* Older.oauth("RSA-SHA256", `/paynet/api/v2/payout/${usd}`, fields)
        Older.assertRefused(refused, 42)
      })
    )

    it.effect("version 4: payouts and their steps, in JSON", () =>
      Effect.gen(function* () {
        const id = Older.freshId()
        const path = (name: string) => `/paynet/api/v4/${name}/${usd}`
        const fields = { amount: "7.00", currency: "USD", account_number: "DE89370400440532013000" }
        const one = yield* Older.oauth("RSA-SHA256", path("payout"), { "client-order-id": id, ...fields })
        assert.strictEqual(one.status, 200, one.text)
        assert.match(read(one, "payout-id"), /^\d{1,10}$/)
        const check = Older.freshId()
        const two = yield* Older.oauth("RSA-SHA256", path("payout-check"), { client_orderid: check, ...fields })
        const orderid = read(two, "paynet-order-id")
        yield* TestMerchant.settled
        const paid = yield* Older.oauth("RSA-SHA256", path("payout-pay"), { login, client_orderid: check, orderid })
        assert.strictEqual(paid.status, 200, paid.text)
        yield* TestMerchant.settled
        assert.strictEqual(yield* standing({ id: check, orderid }), "payout/approved")
      })
    )

    it.effect("hosted-fields signers: sale and status of version 4, in JSON", () =>
      Effect.gen(function* () {
        const id = Older.freshId()
        const sale = yield* Older.oauth("RSA-SHA256", `/paynet/api/v4/sale/${usd}`, Older.payment(id))
        assert.deepStrictEqual([sale.status, read(sale, "status")], [200, "processing"])
        yield* TestMerchant.settled
        const question = { client_orderid: id, orderid: read(sale, "paynet-order-id") }
        const answer = yield* Older.oauth("RSA-SHA256", `/paynet/api/v4/status/${usd}`, question)
        assert.deepStrictEqual([read(answer, "type"), read(answer, "status")], ["status-response", "approved"])
      })
    )

    it.effect("a stored card without its holder's name has a name that is not empty", () =>
      Effect.gen(function* () {
        const card = { credit_card_number: "4444555566661111", expire_month: "12", expire_year: "2030" }
        const stored = yield* Older.oauth("RSA-SHA256", `/paynet/api/v4/create-card-ref/${usd}`, {
          client_orderid: Older.freshId(),
          ...card
        })
        const cardrefid = read(stored, "card-ref-id")
        const control = sha1(login, cardrefid, controlKey)
        const info = yield* Older.post(`get-card-info/${usd}`, { login, cardrefid, control })
        Older.assertHas(info, "get-card-info-response", "card-printed-name")
      })
    )

    it.effect("node and PHP: a transfer between stored cards, and from the balance", () =>
      Effect.gen(function* () {
        const store = Effect.gen(function* () {
          const order = yield* pay("sale/", usd)
          yield* TestMerchant.settled
          const stored = yield* Older.post(`create-card-ref/${usd}`, Older.signedOrder(order.id, order.orderid))
          return stored.fields["card-ref-id"] ?? ""
        })
        const card = yield* store
        for (const source of [card, ""]) {
          const id = Older.freshId()
          const reply = yield* Older.post(`transfer-by-ref/${usd}`, {
            login,
            client_orderid: id,
            "source-card-ref-id": source,
            "destination-card-ref-id": card,
            amount: "2.00",
            currency: "USD",
            control: sha1(login, id, source, card, "200", "USD", controlKey)
          })
          const order = accepted(reply, id)
          yield* TestMerchant.settled
          assert.strictEqual(yield* standing(order), "transfer/approved")
        }
      })
    )
  })
})

layer(world, { excludeTestServices: true })("Client bugs and older recipes stay refused", (it) => {
  it.effect("a return that covers neither order nor amount", () =>
    Effect.gen(function* () {
      const order = yield* pay("sale/", usd)
      yield* TestMerchant.settled
      const reply = yield* Older.post(`return/${usd}`, {
        login,
        client_orderid: order.id,
        orderid: order.orderid,
        amount: "10.42",
        currency: "USD",
        control: sha1(usd, order.id, "0", controlKey)
      })
      Older.assertRefused(reply, 40)
    })
  )

  it.effect("a rebill signed as in 2013, and cents cut off from a float", () =>
    Effect.gen(function* () {
      const id = Older.freshId()
      const rebill = yield* Older.post(`make-rebill/${usd}`, {
        ...{ login, client_orderid: id, cardrefid: "1", amount: "3.10", currency: "USD", order_desc: "x" },
        ipaddress: "65.153.12.232",
        control: sha1(usd, id, "310", "1", controlKey)
      })
      Older.assertRefused(rebill, 40)
      const sale = Older.payment(Older.freshId(), { amount: "19.99" })
      const control = sha1(usd, sale.client_orderid ?? "", "1998", sale.email ?? "", controlKey)
      Older.assertRefused(yield* Older.post(`sale/${usd}`, { ...sale, control }), 40)
    })
  )

  it.effect("an order that is not there: HTTP 200, and nothing of another's", () =>
    Effect.gen(function* () {
      const reply = yield* Older.post(`status/${usd}`, Older.signedOrder(Older.freshId(), "123456"))
      Older.assertRefused(reply, 54)
      assert.notProperty(reply.fields, "merchant-order-id")
    })
  )
})
