import { assert, layer } from "@effect/vitest"
import { CardRef } from "@pay/gateway/Entities"
import { Scheduler } from "@pay/gateway/Scheduler"
import { Store } from "@pay/gateway/Store"
import * as PayApi from "@pay/schema/PayApi"
import * as PayClient from "@pay/transport/PayClient"
import { Effect } from "effect"
import * as TestGateway from "../harness/TestGateway.ts"

const { SALE } = PayApi.operations
const { saleFields } = TestGateway

/** An order of this card, settled as the CVV says. */
const paid = Effect.fnUntraced(function* (name: string, changes: Readonly<Record<string, string>> = {}) {
  const scheduler = yield* Scheduler
  const reply = yield* TestGateway.post(SALE, { ...saleFields, client_orderid: name, ...changes })
  yield* scheduler.settled
  return { client_orderid: name, orderid: String(reply.body["paynet-order-id"]) }
})

layer(TestGateway.layer(), { excludeTestServices: true })("a stored card", (it) => {
  it.effect("is created from an approved order and shown without its number", () =>
    Effect.gen(function* () {
      const pay = yield* PayClient.PayClient
      const stored = yield* pay.cardref(yield* paid("stored"))
      assert.strictEqual(stored.type, "create-card-ref-response")
      const info = yield* pay.cardinfo({ cardrefid: stored["card-ref-id"] })
      assert.deepInclude(info, {
        bin: "444433",
        "last-four-digits": "1111",
        "masked-pan": "444433******1111",
        "card-type": "VISA",
        "expire-month": "12",
        "expire-year": "2030"
      })
    })
  )

  it.effect("has one reference for each merchant, however often it is stored", () =>
    Effect.gen(function* () {
      const pay = yield* PayClient.PayClient
      const store = yield* Store
      const orders = yield* Effect.forEach(["same-1", "same-2"], (name) => paid(name))
      const stored = yield* Effect.forEach([...orders, ...orders, ...orders], (order) => pay.cardref(order), {
        concurrency: "unbounded"
      })
      assert.strictEqual(new Set(stored.map((answer) => answer["card-ref-id"])).size, 1)
      const other = yield* pay.cardref(yield* paid("other-expiry", { expire_year: "2031" }))
      assert.notStrictEqual(other["card-ref-id"], stored[0]?.["card-ref-id"])
      assert.strictEqual((yield* store.find(CardRef, "key", { limit: 10 })).length, 2)
    })
  )
})
