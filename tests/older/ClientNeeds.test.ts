/** What deployed clients of the older dialect need beyond the form of answers: verifications, refunds, one look at the status. */
import { assert, layer } from "@effect/vitest"
import * as PayApi from "@pay/schema/PayApi"
import { Effect } from "effect"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"
import * as Exchange from "./Exchange.ts"
import * as Older from "./OlderClient.ts"
import * as Shop from "./Shop.ts"

const { controlKey, login, sha1 } = Older
const { threedsGateway, threedsMerchant, usd } = Older.endpoints

/** What the PHP library and its copy for WooCommerce require of the answer; PHP counts `0` as empty, too. */
const required = [
  ...["type", "status", "paynet-order-id", "merchant-order-id", "phone", "email", "last-four-digits", "bin"],
  ...["cardholder-name", "card-exp-month", "card-exp-year", "card-ref-id", "card-hash-id", "card-type"]
]

/** A verification as the library sends it: without currency, amount and `redirect_url`. */
const verify = Effect.fnUntraced(function* (
  at: string,
  changes: Older.Fields = {},
  path = "sync/account-verification"
) {
  const id = Older.freshId()
  const { amount: _, currency: __, redirect_url: ___, ...fields } = Older.payment(id)
  const control = sha1(at, id, fields.email ?? "", controlKey)
  const reply = yield* Older.post(`${path}/${at}`, { ...fields, ...changes, control })
  return { id, reply }
})

const question = ({ fields }: Older.Reply) => ({
  id: fields["merchant-order-id"] ?? "",
  orderid: fields["paynet-order-id"] ?? ""
})

layer(Exchange.world, { excludeTestServices: true })("a verification of the PHP library", (it) => {
  it.effect.each([
    ["with a telephone", {}],
    ["without a telephone", { phone: "" }]
  ] as const)("has everything that the library requires, %s", ([, changes]) =>
    Effect.gen(function* () {
      const { reply } = yield* verify(usd, changes)
      Older.assertHas(reply, "status-response", ...required)
      assert.strictEqual(reply.fields.status, "approved")
      for (const name of required) assert.notStrictEqual(reply.fields[name], "0", name)
    })
  )

  it.effect(
    "stores its card once, under the reference that create-card-ref and status answer, and that can be charged",
    () =>
      Effect.gen(function* () {
        const { reply } = yield* verify(usd, { credit_card_number: "4444555566661111" })
        const reference = reply.fields["card-ref-id"] ?? ""
        const order = question(reply)
        const stored = yield* Older.post(`create-card-ref/${usd}`, Older.signedOrder(order.id, order.orderid))
        assert.strictEqual(stored.fields["card-ref-id"], reference)
        assert.deepInclude(yield* Exchange.status(order), { "card-ref-id": reference, "card-hash-id": reference })
        const again = yield* verify(usd, { credit_card_number: "4444555566661111" })
        const other = yield* verify(usd, { credit_card_number: "4444444444444448" })
        assert.strictEqual(again.reply.fields["card-hash-id"], reference)
        assert.notStrictEqual(other.reply.fields["card-hash-id"], reference)
        const id = Older.freshId()
        const rebill = {
          login,
          client_orderid: id,
          cardrefid: reference,
          amount: "3.10",
          currency: "USD",
          order_desc: "x"
        }
        const charged = yield* Older.post(`make-rebill/${usd}`, {
          ...rebill,
          ipaddress: "65.153.12.232",
          control: sha1(login, id, reference, "310", "USD", controlKey)
        })
        Older.assertHas(charged, "async-response", "paynet-order-id")
      })
  )

  it.effect("stores no card that the issuer declines, and none of a verification that does not wait", () =>
    Effect.gen(function* () {
      const declined = yield* verify(usd, { cvv2: "116", credit_card_number: "4444333322221111" })
      assert.deepInclude(declined.reply.fields, { status: "declined", "card-ref-id": "-" })
      assert.notProperty(yield* Exchange.status(question(declined.reply)), "card-ref-id")
      const { id, reply } = yield* verify(usd, { credit_card_number: "5555555555554444" }, "account-verification")
      Exchange.accepted(reply, id)
      yield* TestMerchant.settled
      const answer = yield* Exchange.status(question(reply))
      assert.strictEqual(answer.status, "approved")
      assert.notProperty(answer, "card-ref-id")
    })
  )

  it.effect("needs no redirect_url where the gateway runs 3-D Secure, and ends on the gateway's page", () =>
    Effect.gen(function* () {
      for (const path of ["sync/account-verification", "account-verification"]) {
        const { reply } = yield* verify(threedsGateway, { credit_card_number: "4444000011118888" }, path)
        assert.strictEqual(reply.fields.status, "processing", reply.text)
        if (path.startsWith("sync")) Older.assertHas(reply, "status-response", ...required, "html")
        yield* TestMerchant.settled
        const order = question(reply)
        const at = `status/${threedsGateway}`
        const page = /action="([^"]*)"/.exec((yield* Exchange.status(order, at)).html ?? "")?.[1] ?? ""
        const first = yield* Shop.browse(page)
        const request = yield* Shop.browse(first.action ?? "", first.hidden)
        const entry = { ...request.hidden, action: "confirm", password: "hint" }
        const decided = yield* Shop.browse(request.action ?? request.url, entry)
        yield* Shop.browse(decided.action ?? "", decided.hidden)
        yield* TestMerchant.settled
        const over = yield* Shop.browse(page)
        assert.deepStrictEqual([over.title, over.action], ["Card confirmed", undefined])
        assert.strictEqual(yield* Exchange.orderStatus(order, at), "account_verification/approved")
      }
    })
  )

  it.effect("needs redirect_url where the merchant runs 3-D Secure, and in JSON mode", () =>
    Effect.gen(function* () {
      const { reply } = yield* verify(threedsMerchant)
      Older.assertRefused(reply, 1)
      assert.include(reply.fields["error-message"], "redirect_url")
      const { redirect_url: _, ...fields } = Older.payment(Older.freshId(), { state: "WA" })
      const at = { endpointId: threedsGateway, key: controlKey }
      for (const operation of [PayApi.operations.ACCOUNT_VERIFICATION, PayApi.operations.SALE]) {
        const { body, status } = yield* TestGateway.post(operation, fields, at)
        assert.deepStrictEqual([status, body["error-code"]], [400, "1"])
      }
    })
  )
})

/** How shop modules sign a refund: as a payment. They send no amount; PHP makes `0` of it. */
const asPayment = (order: Exchange.Order, amount = "", email = ""): string =>
  sha1(usd, order.id, amount === "" ? "0" : Older.cents(amount), email, controlKey)

layer(Exchange.world, { excludeTestServices: true })("a refund that is signed as a payment", (it) => {
  const typed: ReadonlyArray<readonly [what: string, fields: Older.Fields, signed: string]> = [
    ["without an amount", {}, ""],
    ["with the amount beside it", { amount: "5.00", currency: "USD" }, ""],
    ["with the amount under it", { amount: "5.00", currency: "USD" }, "5.00"],
    ["with an e-mail address", { email: "john.smith@gmail.com" }, ""]
  ]
  it.effect.each(typed)("is refused without effect, and the answer says why: %s", ([, fields, amount]) =>
    Effect.gen(function* () {
      const order = yield* Exchange.pay("sale/", usd)
      yield* TestMerchant.settled
      for (const operation of ["return", "void", "capture"]) {
        const control = asPayment(order, amount, fields.email)
        const reply = yield* Older.post(`${operation}/${usd}`, {
          ...{ login, client_orderid: order.id, orderid: order.orderid, comment: "Order cancel " },
          ...fields,
          control
        })
        Older.assertRefused(reply, 40)
        assert.include(reply.fields["error-message"], "return the whole payment, whatever amount was typed")
      }
      yield* TestMerchant.settled
      assert.deepInclude(yield* Exchange.status(order), { "returned-amount": "0.00", "transaction-type": "sale" })
    })
  )

  it.effect("is not explained to a sender without the key", () =>
    Effect.gen(function* () {
      const order = yield* Exchange.pay("sale/", usd)
      const fields = { login, client_orderid: order.id, orderid: order.orderid, comment: "x" }
      const reply = yield* Older.post(`return/${usd}`, { ...fields, control: sha1(usd, order.id, "0", "another key") })
      Older.assertRefused(reply, 40)
      assert.notInclude(reply.fields["error-message"], "whatever amount")
    })
  )
})

layer(Older.gateway, { excludeTestServices: true })(
  "a module that requests the status once, directly after the sale",
  (it) => {
    it.effect.each([
      ["123", "approved"],
      ["116", "declined"]
    ] as const)("gets the outcome: code %s is %s", ([cvv2, outcome]) =>
      Effect.gen(function* () {
        const id = Older.freshId()
        const sale = yield* Older.post(`sale/${usd}`, Older.signedPayment(usd, Older.payment(id, { cvv2 })))
        const reply = yield* Older.post(`status/${usd}`, Older.signedOrder(id, sale.fields["paynet-order-id"] ?? ""))
        assert.strictEqual(reply.fields.status, outcome)
      })
    )
  }
)
