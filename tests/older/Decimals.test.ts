/** Totals with more decimals than the currency has, as shops' modules send them: exact ones are taken, others refused by name. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as TestMerchant from "../harness/TestMerchant.ts"
import * as Exchange from "./Exchange.ts"
import * as Older from "./OlderClient.ts"
import * as Shop from "./Shop.ts"

const { controlKey, endpoints, login, sha1 } = Older
const { usd } = endpoints

/** A sale of this amount, whose control covers this text. */
const sell = Effect.fnUntraced(function* (amount: string, signed: string, id = Older.freshId()) {
  const { callbackUrl } = yield* Shop.Shop
  const fields = Older.payment(id, { amount, server_callback_url: callbackUrl })
  const control = sha1(usd, id, signed, fields.email ?? "", controlKey)
  return { id, reply: yield* Older.post(`sale/${usd}`, { ...fields, control }) }
})

layer(Exchange.world, { excludeTestServices: true })("an amount with four decimals", (it) => {
  for (const [amount, signed, printed] of [
    ["10.5000", "1050", "10.50"],
    ["010.5000", "1050", "10.50"],
    ["0.0100", "1", "0.01"],
    ["10000000.0000", "1000000000", "10000000.00"],
    ["10.50000000000000000", "1050", "10.50"]
  ] as const)
    it.effect(`is taken if it is exact: ${amount}, signed as ${signed}, is ${printed}`, () =>
      Effect.gen(function* () {
        const { id, reply } = yield* sell(amount, signed)
        const order = Exchange.accepted(reply, id)
        yield* TestMerchant.settled
        const { callbacks } = yield* Shop.Shop
        assert.deepStrictEqual(
          callbacks(order.orderid).map((callback) => callback.amount),
          [amount]
        )
        assert.strictEqual((yield* Exchange.status(order)).amount, printed)
        const again = yield* sell(printed, signed, id)
        assert.strictEqual(Exchange.accepted(again.reply, id).orderid, order.orderid)
      })
    )

  for (const [amount, signed, code, message] of [
    ["10.5001", "1050.01", 63, "Parameter amount has more than 2 decimals"],
    ["10.5001", "1050", 63, "Parameter amount has more than 2 decimals"],
    ["10.5050", "1051", 63, "Parameter amount has more than 2 decimals"],
    ["10.5001", "105001", 63, "Parameter amount has more than 2 decimals"],
    ["10.5000", "105000", 40, ""],
    ["10.500000000000000000000", "1050", 3, "Parameter amount is longer than 20 characters"],
    [".5", "50", 2, "Parameter amount must be a decimal number above zero, like 10.50"],
    ["5.", "500", 2, "Parameter amount must be a decimal number above zero, like 10.50"],
    ["10,5000", "1050", 2, "Parameter amount must be a decimal number above zero, like 10.50"],
    ["1,050.00", "105000", 2, "Parameter amount must be a decimal number above zero, like 10.50"],
    ["1 050.00", "105000", 2, "Parameter amount must be a decimal number above zero, like 10.50"]
  ] as const)
    it.effect(`is refused by name if it is not exact or has another form: ${amount}, signed as ${signed}`, () =>
      Effect.gen(function* () {
        const { reply } = yield* sell(amount, signed)
        Older.assertRefused(reply, code)
        if (message !== "") assert.strictEqual(reply.fields["error-message"], message)
      })
    )

  it.effect("is taken by a form at a group, a preauth, its capture, a return and a rebill", () =>
    Effect.gen(function* () {
      const amount = "10.5000"
      const form = Older.payment(Older.freshId(), { amount, credit_card_number: "", cvv2: "" })
      const { client_orderid = "", email = "" } = form
      const control = sha1(endpoints.group, client_orderid, "1050", email, controlKey)
      const page = yield* Older.post(`sale-form/group/${endpoints.group}`, { ...form, control })
      Older.assertHas(page, "async-form-response", "redirect-url")
      assert.match((yield* Shop.browse(page.fields["redirect-url"] ?? "")).body, /10\.50(?!\d)/)

      const id = Older.freshId()
      const hold = Older.payment(id, { amount })
      const order = Exchange.accepted(
        yield* Older.post(`preauth/${usd}`, { ...hold, control: sha1(usd, id, "1050", email, controlKey) }),
        id
      )
      yield* TestMerchant.settled
      const { orderid } = order
      const part = { login, client_orderid: id, orderid, amount, currency: "USD" }
      for (const path of ["capture", "return"]) {
        const acted = { ...part, control: sha1(login, id, orderid, "1050", "USD", controlKey) }
        Exchange.accepted(yield* Older.post(`${path}/${usd}`, acted), id)
        yield* TestMerchant.settled
      }
      assert.strictEqual((yield* Exchange.status(order))["returned-amount"], "10.50")

      const card =
        (yield* Older.post(`create-card-ref/${usd}`, Older.signedOrder(id, orderid))).fields["card-ref-id"] ?? ""
      const next = Older.freshId()
      const rebill = {
        ...{ login, client_orderid: next, cardrefid: card, amount, currency: "USD", order_desc: "Next month" },
        ...{ ipaddress: "65.153.12.232", control: sha1(login, next, card, "1050", "USD", controlKey) }
      }
      const charged = Exchange.accepted(yield* Older.post(`make-rebill/${usd}`, rebill), next)
      yield* TestMerchant.settled
      assert.strictEqual((yield* Exchange.status(charged)).amount, "10.50")
      yield* TestMerchant.assertClean
    })
  )
})
