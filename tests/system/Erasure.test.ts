import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it, layer } from "@effect/vitest"
import { Card } from "@pay/gateway/entities/Card"
import { CardRef } from "@pay/gateway/entities/CardRef"
import { Order } from "@pay/gateway/entities/Order"
import { Store } from "@pay/gateway/Store"
import * as PayApi from "@pay/schema/PayApi"
import { Effect } from "effect"
import { ask } from "./Operating.ts"
import * as Play from "./Play.ts"
import * as TestGateway from "./TestGateway.ts"

const { CARDREF } = PayApi.operations

const store = (order: Play.Order) =>
  TestGateway.post(CARDREF, { login: TestGateway.login, client_orderid: order.client_orderid, orderid: order.orderid })

const erase = (order: Play.Order) => ask("POST", `/operator/orders/${order.orderid}/erase`)

layer(TestGateway.layer(), { excludeTestServices: true })("card data erased at a person's request", (it) => {
  it.effect("is gone with what tells who it was, and follow-ups go on without it", () =>
    Effect.gen(function* () {
      const rows = yield* Store
      const order = yield* Play.order("PREAUTH", { card_printed_name: "MARKED PERSON", email: "marked@person.example" })
      assert.strictEqual((yield* erase(order)).status, 200)
      assert.isUndefined(yield* rows.load(Card, [order.orderid]))
      assert.notInclude(JSON.stringify(yield* rows.load(Order, [order.orderid])), "arked")
      yield* Play.done("CAPTURE", order)
      yield* Play.done("RETURN", order, { amount: "2.00", currency: "USD" })
      assert.strictEqual(yield* Play.standing(order), "approved capture 10.42 10.42 2.00 8.42")
      const stored = yield* store(order)
      assert.strictEqual(stored.status, 400)
      assert.include(JSON.stringify(stored.body), "card is erased")
      yield* Play.assertClean
      const { text } = yield* ask("GET", `/operator/audit?subject=order:${order.orderid}`)
      assert.include(text, "card.erase")
      assert.strictEqual((yield* erase(order)).status, 200)
    })
  )

  it.effect("waits for what is under way", () =>
    Effect.gen(function* () {
      const rows = yield* Store
      const order = yield* Play.order("SALE", { cvv2: "217" })
      assert.strictEqual((yield* erase(order)).status, 409)
      assert.isDefined(yield* rows.load(Card, [order.orderid]))
      assert.strictEqual((yield* erase({ client_orderid: "", orderid: "1" })).status, 404)
    })
  )

  it.effect("of a stored card is refused from then on, and the card may be stored anew", () =>
    Effect.gen(function* () {
      const rows = yield* Store
      const order = yield* Play.order("SALE")
      const id = String((yield* store(order)).body["card-ref-id"])
      const before = yield* rows.load(CardRef, [id])
      assert.strictEqual((yield* ask("POST", `/operator/cards/${id}/erase`)).status, 200)
      assert.strictEqual((yield* ask("POST", `/operator/cards/${id}/erase`)).status, 200)
      const after = yield* rows.load(CardRef, [id])
      assert.deepInclude(after, { panHash: `erased:${id}`, cardholder: "" })
      assert.strictEqual(after?.sealedPan.length, 0)
      assert.isAbove(before?.sealedPan.length ?? 0, 0)
      const info = yield* TestGateway.post(PayApi.operations.CARDINFO, { login: TestGateway.login, cardrefid: id })
      assert.strictEqual(info.status, 400)
      assert.notStrictEqual(String((yield* store(order)).body["card-ref-id"]), id)
      assert.strictEqual((yield* ask("POST", "/operator/cards/1/erase")).status, 404)
    })
  )
})

describe("card data that was kept long enough", () => {
  it.live("is erased from the files, an order in use is kept", () =>
    Effect.gen(function* () {
      const folder = yield* TestGateway.folder
      const sealed = yield* Effect.gen(function* () {
        const rows = yield* Store
        const order = yield* Play.order("SALE")
        const kept = yield* Play.order("SALE", { cvv2: "217" })
        const card = yield* rows.load(Card, [order.orderid])
        assert.isDefined(card)
        yield* Play.pass("399 days")
        assert.isDefined(yield* rows.load(Card, [order.orderid]))
        yield* Play.pass("2 days")
        assert.isUndefined(yield* rows.load(Card, [order.orderid]))
        assert.isDefined(yield* rows.load(Card, [kept.orderid]))
        assert.include((yield* ask("GET", "/operator/audit")).text, '"action":"card.expire"')
        return Buffer.from(card.sealedPan)
      }).pipe(TestGateway.living(folder))
      assert.isFalse(readFileSync(join(folder, "gateway.db")).includes(sealed))
    })
  )
})
