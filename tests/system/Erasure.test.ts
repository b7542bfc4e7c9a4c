import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, it, layer } from "@effect/vitest"
import * as Decision from "@pay/gateway/Decision"
import { Card, CardRef, Order, Payout, Subscription } from "@pay/gateway/Entities"
import { Store } from "@pay/gateway/Store"
import * as PayApi from "@pay/schema/PayApi"
import { Effect } from "effect"
import { temporaryFolder } from "../../packages/sqlite/test/TemporaryFolder.ts"
import { ask } from "../harness/Operating.ts"
import * as Recurring from "../harness/Recurring.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"
import * as TestPayouts from "../harness/TestPayouts.ts"
import * as Transfers from "../harness/Transfers.ts"

const { CARDREF } = PayApi.operations

const store = (order: TestMerchant.Order) =>
  TestGateway.post(CARDREF, { login: TestGateway.login, client_orderid: order.client_orderid, orderid: order.orderid })

const erase = (order: TestMerchant.Order) => ask("POST", `/operator/orders/${order.orderid}/erase`)

layer(TestGateway.layer(), { excludeTestServices: true })("an erasure of an order's card data", (it) => {
  it.effect("removes the card and the person's data, and follow-ups still work", () =>
    Effect.gen(function* () {
      const rows = yield* Store
      const order = yield* TestMerchant.order("PREAUTH", {
        card_printed_name: "MARKED PERSON",
        email: "marked@person.example"
      })
      assert.strictEqual((yield* erase(order)).status, 200)
      assert.isUndefined(yield* rows.load(Card, [order.orderid]))
      assert.notInclude(JSON.stringify(yield* rows.load(Order, [order.orderid])), "arked")
      yield* TestMerchant.done("CAPTURE", order)
      yield* TestMerchant.done("RETURN", order, { amount: "2.00", currency: "USD" })
      assert.strictEqual(yield* TestMerchant.orderStatus(order), "approved capture 10.42 10.42 2.00 0.00")
      const stored = yield* store(order)
      assert.strictEqual(stored.status, 400)
      assert.include(JSON.stringify(stored.body), "card is erased")
      yield* TestMerchant.assertClean
      const { text } = yield* ask("GET", `/operator/audit?subject=order:${order.orderid}`)
      assert.include(text, "card.erase")
      assert.strictEqual((yield* erase(order)).status, 200)
    })
  )

  it.effect("is refused while the order is under way", () =>
    Effect.gen(function* () {
      const rows = yield* Store
      const order = yield* TestMerchant.order("SALE", { cvv2: "217" })
      assert.strictEqual((yield* erase(order)).status, 409)
      assert.isDefined(yield* rows.load(Card, [order.orderid]))
      assert.strictEqual((yield* erase({ client_orderid: "", orderid: "1" })).status, 404)
    })
  )

  it.effect("removes a stored card, which is refused afterwards and can be stored again", () =>
    Effect.gen(function* () {
      const rows = yield* Store
      const order = yield* TestMerchant.order("SALE")
      const id = String((yield* store(order)).body["card-ref-id"])
      const before = yield* rows.load(CardRef, [id])
      assert.strictEqual((yield* ask("POST", `/operator/cards/${id}/erase`)).status, 200)
      assert.strictEqual((yield* ask("POST", `/operator/cards/${id}/erase`)).status, 200)
      const after = yield* rows.load(CardRef, [id])
      assert.deepInclude(after, { panHash: `erased:${id}`, cardholder: "" })
      assert.strictEqual(after?.encryptedPan.length, 0)
      assert.isAbove(before?.encryptedPan.length ?? 0, 0)
      const info = yield* TestGateway.post(PayApi.operations.CARDINFO, { login: TestGateway.login, cardrefid: id })
      assert.strictEqual(info.status, 400)
      assert.notStrictEqual(String((yield* store(order)).body["card-ref-id"]), id)
      assert.strictEqual((yield* ask("POST", "/operator/cards/1/erase")).status, 404)
    })
  )
})

const recipientOf = Effect.fnUntraced(function* ({ orderid }: TestMerchant.Order) {
  const rows = yield* Store
  const payout = yield* rows.load(Payout, [orderid])
  assert.isDefined(payout)
  return payout
})

layer(TestGateway.layer(), { excludeTestServices: true })("an erasure of a recipient", (it) => {
  const toCard = { ...TestPayouts.plain, account_number: "", credit_card_number: Transfers.cards.ordinary }
  const made = {
    "a payout to an account": TestPayouts.made("PAYOUT", { ...TestPayouts.plain, purpose: "MARKED" }),
    "a payout to a card": TestPayouts.made("PAYOUT_V4", { ...toCard, email: "marked@person.example" }),
    "a transfer": Transfers.done(Transfers.transfer({ card_printed_name: "MARKED PERSON" }))
  }
  const display = (order: TestMerchant.Order) =>
    Effect.map(TestMerchant.status(order), (body) => [body.status, body["order-stage"], body.destination, body.amount])

  it.effect.each(["a payout to an account", "a payout to a card", "a transfer"] as const)(
    "removes the recipient of %s, and leaves the order's status as it was",
    (name) =>
      Effect.gen(function* () {
        const rows = yield* Store
        const order = yield* made[name]
        const before = yield* recipientOf(order)
        assert.isAbove(before.encryptedDestination.length, 0)
        const stood = yield* display(order)
        assert.strictEqual((yield* erase(order)).status, 200)
        const after = yield* recipientOf(order)
        assert.deepInclude(after, { recipient: `erased:${order.orderid}`, masked: before.masked })
        assert.strictEqual(after.encryptedDestination.length, 0)
        const left = JSON.stringify([after, yield* rows.load(Order, [order.orderid])])
        assert.notInclude(left.toLowerCase(), "marked")
        assert.deepStrictEqual(yield* display(order), stood)
        yield* TestMerchant.pass("1 second")
        assert.strictEqual((yield* erase(order)).status, 200)
        assert.strictEqual((yield* recipientOf(order)).erasedAtMs, after.erasedAtMs)
        yield* TestPayouts.assertClean
      })
  )

  it.effect("is refused while a payout is under way or may still be paid after its check", () =>
    Effect.gen(function* () {
      const moving = yield* TestPayouts.made("PAYOUT", TestPayouts.toCard("never-decided"))
      assert.strictEqual((yield* erase(moving)).status, 409)
      assert.isAbove((yield* recipientOf(moving)).encryptedDestination.length, 0)

      const checked = yield* TestPayouts.made("PAYOUT_V4_CHECK")
      const lapsing = yield* TestPayouts.made("PAYOUT_V4_CHECK")
      const refused = yield* erase(checked)
      assert.strictEqual(refused.status, 409)
      assert.include(refused.text, "may still be paid and needs its recipient")
      TestMerchant.assertAccepted(yield* TestPayouts.pay(checked))
      yield* TestMerchant.settled
      assert.strictEqual(yield* TestPayouts.orderStatus(checked), "approved payout_approved")
      yield* TestMerchant.pass("1 day")
      assert.strictEqual((yield* TestMerchant.status(lapsing)).status, "declined")
      for (const order of [checked, lapsing]) assert.strictEqual((yield* erase(order)).status, 200)
      assert.strictEqual((yield* ask("POST", "/operator/keys/rotation")).status, 202)
      yield* Effect.yieldNow.pipe(
        Effect.andThen(ask("GET", "/operator/keys/rotation")),
        Effect.repeat({ until: ({ body }) => body.state === "done" })
      )
      assert.strictEqual((yield* ask("GET", "/operator/keys/rotation")).body.failed, 0)
    })
  )
})

layer(TestGateway.layer(), { excludeTestServices: true })("an erasure of a recurring payment's card", (it) => {
  it.effect("is refused with its remedy while the payment is active, and works after it is cancelled", () =>
    Effect.gen(function* () {
      const { id } = yield* Recurring.created({ card_printed_name: "MARKED PERSON", email: "marked@person.example" })
      const request = ask("POST", `/operator/subscriptions/${id}/erase`)
      const refused = yield* request
      assert.strictEqual(refused.status, 409)
      assert.include(refused.text, "is active and needs its card: its merchant cancels it first")
      assert.isAbove((yield* Recurring.rowOf(id)).encryptedPan.length, 0)
      yield* Recurring.updated(id, { change: "cancel" })
      const before = yield* Recurring.rowOf(id)
      assert.strictEqual((yield* request).status, 200)
      const row = yield* Recurring.rowOf(id)
      assert.deepInclude(row, { state: "cancelled", panHash: `erased:${id}`, lastFour: before.lastFour })
      assert.strictEqual(row.encryptedPan.length, 0)
      assert.notInclude(JSON.stringify(row).toLowerCase(), "marked")
      assert.strictEqual((yield* request).status, 200)
      assert.include((yield* ask("GET", `/operator/audit?subject=subscription:${id}`)).text, "card.erase")
      assert.strictEqual((yield* ask("POST", "/operator/subscriptions/1/erase")).status, 404)
    })
  )
})

it.live("expired card data is overwritten in the database file with recipients, except for orders under way", () =>
  Effect.gen(function* () {
    const folder = yield* temporaryFolder
    const encrypted = yield* Effect.gen(function* () {
      const rows = yield* Store
      const kept = yield* TestPayouts.made("PAYOUT", TestPayouts.toCard("never-decided"))
      const moving = yield* TestMerchant.order("SALE", { cvv2: "217" })
      const sold = yield* TestMerchant.order("SALE")
      const paid = yield* TestPayouts.made("PAYOUT", { ...TestPayouts.plain, email: "marked@person.example" })
      const sent = yield* Transfers.done(Transfers.transfer())
      const card = yield* rows.load(Card, [sold.orderid])
      assert.isDefined(card)
      yield* TestMerchant.pass("399 days")
      assert.isAbove((yield* recipientOf(paid)).encryptedDestination.length, 0)
      assert.isDefined(yield* rows.load(Card, [sold.orderid]))
      yield* TestMerchant.pass("2 days")
      for (const order of [paid, sent]) {
        assert.strictEqual((yield* recipientOf(order)).encryptedDestination.length, 0)
        assert.strictEqual((yield* rows.load(Order, [order.orderid]))?.email, "")
      }
      for (const order of [paid, sent, sold]) assert.isUndefined(yield* rows.load(Card, [order.orderid]))
      assert.isAbove((yield* recipientOf(kept)).encryptedDestination.length, 0)
      assert.isDefined(yield* rows.load(Card, [moving.orderid]))
      assert.include((yield* ask("GET", "/operator/audit")).text, '"action":"card.expire"')
      yield* TestPayouts.assertClean
      return Buffer.from(card.encryptedPan)
    }).pipe(TestGateway.running(folder))
    assert.isFalse(readFileSync(join(folder, "gateway.db")).includes(encrypted))
  })
)

layer(TestGateway.layer(), { excludeTestServices: true })("an erasure of everything of a customer", (it) => {
  const eraseCustomer = (input: object) =>
    Effect.map(ask("POST", "/operator/customers/erase", input), ({ body, status, text }) => {
      assert.strictEqual(status, 200, text)
      return body
    })
  const emailOf = (order: TestMerchant.Order) =>
    Effect.flatMap(Store, (rows) => Effect.map(rows.load(Order, [order.orderid]), (row) => row?.email))

  it.effect("takes every spelling of the address, of one merchant or of all, and leaves others", () =>
    Effect.gen(function* () {
      const rows = yield* Store
      const [ada, upper, other] = [
        yield* TestMerchant.order("SALE", { email: "ada@shop.example" }),
        yield* TestMerchant.order("SALE", { email: "Ada@Shop.example" }),
        yield* TestMerchant.order("SALE", { email: "adam@shop.example" })
      ]
      const stored = yield* store(ada)
      assert.strictEqual(stored.status, 200)
      yield* TestMerchant.settled
      const customer = { email: "ADA@shop.example" }
      assert.deepStrictEqual(yield* eraseCustomer({ ...customer, merchant: "another" }), { erased: 0, kept: [] })
      assert.deepStrictEqual(yield* eraseCustomer({ ...customer, merchant: TestGateway.login }), {
        erased: 2,
        kept: []
      })
      for (const order of [ada, upper]) {
        assert.strictEqual(yield* emailOf(order), "")
        const { text } = yield* ask("GET", `/operator/audit?subject=order:${order.orderid}`)
        assert.include(text, "card.erase")
      }
      assert.strictEqual(yield* emailOf(other), "adam@shop.example")
      const refs = yield* rows.find(CardRef, "key", { limit: 10 })
      assert.deepStrictEqual(
        refs.map(({ cardholder }) => cardholder),
        [""]
      )
      assert.deepStrictEqual(yield* eraseCustomer(customer), { erased: 0, kept: [] })
    })
  )

  it.effect("goes through pages, also past orders that are left", () =>
    Effect.gen(function* () {
      const rows = yield* Store
      const lost = yield* TestMerchant.order("SALE", { email: "many@shop.example", cvv2: "217" })
      yield* TestMerchant.settled
      const row = yield* rows.load(Order, [lost.orderid])
      assert.isDefined(row)
      yield* rows.commit({
        guards: [],
        writes: Array.from({ length: 150 }, (_, at) =>
          Decision.append(Order, { ...row, orderId: `8${at}`, clientOrderId: `8${at}`, createdAtMs: at })
        )
      })
      const first = yield* eraseCustomer({ email: "many@shop.example" })
      assert.deepInclude(first, { erased: 99 })
      assert.include(JSON.stringify(first.kept), lost.orderid)
      const second = yield* eraseCustomer({ email: "many@shop.example", after: first.next })
      assert.deepStrictEqual(second, { erased: 51, kept: [] })
    })
  )

  it.effect("leaves an active recurring payment with the order that created it, until it is over", () =>
    Effect.gen(function* () {
      const rows = yield* Store
      const { id } = yield* Recurring.created({ email: "sub@shop.example" })
      const customer = { email: "sub@shop.example" }
      const kept = yield* eraseCustomer(customer)
      assert.include(JSON.stringify(kept.kept), "is active and needs its card")
      yield* Recurring.updated(id, { change: "cancel" })
      const after = yield* eraseCustomer(customer)
      assert.deepStrictEqual(after.kept, [])
      const row = yield* rows.load(Subscription, [id])
      assert.deepInclude(row, { email: "", cardholder: "" })
    })
  )

  it.effect.each([[{}], [{ email: "ada" }], [{ email: "" }], [{ email: "a@b.example", merchant: 1 }]] as const)(
    "%j is refused",
    ([input]) =>
      Effect.map(ask("POST", "/operator/customers/erase", input), ({ status }) => assert.strictEqual(status, 400))
  )
})
