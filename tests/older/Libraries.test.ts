/** The PHP and Ruby libraries as they are deployed, on the wire only; and what of theirs and others' stays refused. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as TestMerchant from "../harness/TestMerchant.ts"
import * as Exchange from "./Exchange.ts"
import * as Older from "./OlderClient.ts"
import * as Shop from "./Shop.ts"

const { accepted, pay, orderStatus, status, world } = Exchange
const { controlKey, endpoints, login, sha1 } = Older
const { usd } = endpoints

const act = (
  path: string,
  { id, orderid }: Exchange.Order,
  amount: string,
  currency: string,
  sent: Older.Fields = {}
) =>
  Older.post(`${path}/${usd}`, {
    login,
    client_orderid: id,
    orderid,
    ...sent,
    control: sha1(login, id, orderid, Older.cents(amount), currency, controlKey)
  })

layer(world, { excludeTestServices: true })("the existing PHP and Ruby libraries", (it) => {
  it.effect("make a sale, poll its status, read its callback and return it", () =>
    Effect.gen(function* () {
      const { callbacks } = yield* Shop.Shop
      const order = yield* pay("sale/", usd, { amount: "10.5" })
      yield* TestMerchant.settled
      assert.strictEqual(yield* orderStatus(order), "sale/approved")
      assert.strictEqual(
        callbacks(order.orderid)
          .map(({ amount, type }) => `${type} ${amount}`)
          .join(),
        "sale 10.5"
      )
      const sent = { amount: "10.5", currency: "USD", comment: "Customer changed her mind" }
      accepted(yield* act("return", order, "10.5", "USD", sent), order.id)
      yield* TestMerchant.settled
      assert.strictEqual(yield* orderStatus(order), "reversal/approved")
      assert.strictEqual(callbacks(order.orderid).at(-1)?.type, "reversal")
    })
  )

  it.effect("make a preauth, capture it without an amount and release it", () =>
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
      assert.strictEqual(yield* orderStatus(whole), "capture/approved")
    })
  )

  it.effect("make a sale at a group, and at a base address with a slash at its end", () =>
    Effect.gen(function* () {
      const order = yield* pay("/sale/group/", endpoints.group)
      yield* TestMerchant.settled
      assert.strictEqual(yield* orderStatus(order, `/status/group/${endpoints.group}`), "sale/approved")
    })
  )

  it.effect("store a card, read it and charge it with rebills", () =>
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
        assert.strictEqual(yield* orderStatus(made), ends)
      }
    })
  )

  it.effect("verify an account asynchronously and synchronously", () =>
    Effect.gen(function* () {
      const send = (path: string, id: string, changes: Older.Fields = {}) => {
        const { amount: _, currency: __, ...fields } = Older.payment(id, changes)
        const control = sha1(usd, id, fields.email ?? "", controlKey)
        return Older.post(`${path}/${usd}`, { ...fields, control })
      }
      const id = Older.freshId()
      const order = accepted(yield* send("account-verification", id), id)
      yield* TestMerchant.settled
      assert.strictEqual(yield* orderStatus(order), "account_verification/approved")
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

layer(world, { excludeTestServices: true })("a known defect of an older client is still refused", (it) => {
  it.effect("a return whose control covers neither order nor amount", () =>
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

  it.effect("a rebill signed by the 2013 recipe, and an amount with truncated cents", () =>
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

  it.effect("an unknown order, with HTTP 200 and no data of another order", () =>
    Effect.gen(function* () {
      const reply = yield* Older.post(`status/${usd}`, Older.signedOrder(Older.freshId(), "123456"))
      Older.assertRefused(reply, 54)
      assert.notProperty(reply.fields, "merchant-order-id")
    })
  )
})
