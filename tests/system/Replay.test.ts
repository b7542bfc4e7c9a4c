import { assert, it, layer } from "@effect/vitest"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import { Effect } from "effect"
import { temporaryFolder } from "../../packages/sqlite/test/TemporaryFolder.ts"
import * as Merchants from "../harness/Merchants.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"

const { endpoints } = TestGateway

const authorizations = Effect.fnUntraced(function* (orderid: string) {
  const { books } = yield* SandboxControl
  return (yield* books.ofOrder(orderid)).map(
    ({ repeats, request }) => `${request.kind} ${request.amountMinor} ${repeats}`
  )
})

/** Requests for one payment that are written differently. */
const sameContent: ReadonlyArray<readonly [name: string, fields: TestMerchant.Fields, options?: TestMerchant.Options]> =
  [
    ["the same fields", {}],
    ["an amount with another zero", { amount: "10.420" }],
    ["blanks around values", { amount: " 10.42 ", email: "\tjohn.smith@gmail.com\r\n", client_orderid: " same " }],
    ["a year of two digits", { expire_year: "30" }],
    ["another security code", { cvv2: "999" }],
    ["an Idempotency-Key, which creations do not need", {}, { headers: { "idempotency-key": "k" } }]
  ]

const otherContent: ReadonlyArray<readonly [name: string, fields: TestMerchant.Fields, endpointId?: string]> = [
  ["another amount", { amount: "10.43" }],
  ["another card", { credit_card_number: "4444555566661111" }],
  ["a callback", { server_callback_url: "http://127.0.0.1:9/" }],
  ["another endpoint", {}, endpoints.x100],
  ["the group of the endpoint", {}, endpoints.group]
]

layer(TestGateway.layer(), { excludeTestServices: true })("a payment with a used client_orderid", (it) => {
  /** Accepted once; each time after that itself a replay. */
  const original = Effect.gen(function* () {
    const reply = yield* TestMerchant.create("SALE", { client_orderid: "same" })
    TestMerchant.assertAccepted(reply)
    yield* TestMerchant.settled
    return reply
  })

  for (const [name, fields, options] of sameContent) {
    it.effect(`is a replay with ${name}: its own serial-number, and no second charge`, () =>
      Effect.gen(function* () {
        const first = yield* original
        const again = yield* TestMerchant.create("SALE", { client_orderid: "same", ...fields }, options)
        TestMerchant.assertAccepted(again)
        yield* TestMerchant.settled
        assert.deepStrictEqual({ ...again.body, "serial-number": "" }, { ...first.body, "serial-number": "" })
        assert.notStrictEqual(TestMerchant.text(again, "serial-number"), TestMerchant.text(first, "serial-number"))
        assert.deepStrictEqual(yield* authorizations(TestMerchant.nameOf(first).orderid), ["authorize 1042 0"])
      })
    )
  }

  for (const [name, fields, endpointId] of otherContent) {
    it.effect(`is refused with ${name}, and the refusal names client_orderid and the existing order`, () =>
      Effect.gen(function* () {
        const { orderid } = TestMerchant.nameOf(yield* original)
        const options = endpointId === undefined ? {} : { endpointId }
        const reply = yield* TestMerchant.create("SALE", { client_orderid: "same", ...fields }, options)
        TestMerchant.assertRefused(reply, "contentDiffers", "client_orderid")
        assert.deepInclude(reply.body, { "merchant-order-id": "same", "paynet-order-id": orderid })
        assert.deepStrictEqual(yield* authorizations(orderid), ["authorize 1042 0"])
      })
    )
  }

  it.effect("is refused for another card with the same last digits, without naming the difference", () =>
    Effect.gen(function* () {
      yield* original
      const reply = yield* TestMerchant.create("SALE", {
        client_orderid: "same",
        credit_card_number: "4444333322221129"
      })
      assert.notInclude(JSON.stringify(reply.body), "4444")
    })
  )
})

layer(TestGateway.layer(), { excludeTestServices: true })("repeated payments", (it) => {
  it.effect("fifty equal payments at the same time create one order and one authorization", () =>
    Effect.gen(function* () {
      const client_orderid = TestMerchant.freshId()
      const replies = yield* Effect.all(
        Array.from({ length: 50 }, () => TestMerchant.create("PREAUTH", { client_orderid })),
        { concurrency: "unbounded" }
      )
      for (const reply of replies) TestMerchant.assertAccepted(reply)
      yield* TestMerchant.settled
      const orders = new Set(replies.map((reply) => TestMerchant.text(reply, "paynet-order-id")))
      assert.strictEqual(orders.size, 1)
      assert.strictEqual(new Set(replies.map((reply) => TestMerchant.text(reply, "serial-number"))).size, 50)
      const { books } = yield* SandboxControl
      assert.strictEqual((yield* books.all).length, 1)
      for (const reply of replies.slice(0, 5)) {
        assert.deepInclude(yield* TestMerchant.outcomeOf(reply), { status: "approved", "transaction-type": "preauth" })
      }
      yield* TestMerchant.assertClean
    })
  )

  it.effect("a declined payment stays declined when repeated, also with another security code", () =>
    Effect.gen(function* () {
      const { client_orderid, orderid } = yield* TestMerchant.order("SALE", { cvv2: "116" })
      const again = yield* TestMerchant.order("SALE", { client_orderid, cvv2: "123" })
      assert.strictEqual(again.orderid, orderid)
      assert.deepInclude(yield* TestMerchant.status(again), { status: "declined", "error-code": "116" })
      assert.deepStrictEqual(yield* authorizations(orderid), ["authorize 1042 0"])
      yield* TestMerchant.assertClean
    })
  )
})

const changes: ReadonlyArray<readonly [name: string, merchants: ReturnType<typeof Merchants.both>, fresh: string]> = [
  ["the endpoint was switched off", Merchants.both({ [endpoints.usd]: { enabled: false } }), "50"],
  ["the operation was removed", Merchants.both({ [endpoints.usd]: { operations: ["STATUS"] } }), "50"],
  ["the currency was removed", Merchants.both({ [endpoints.usd]: { currencies: ["EUR"] } }), "64"]
]

for (const [name, merchants, freshCode] of changes) {
  it.live(`a repeated payment is a replay after ${name}, and a new one is refused`, () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const first = yield* TestGateway.running(folder)(TestMerchant.order("SALE", { client_orderid: "kept" }))
      yield* Effect.gen(function* () {
        const again = yield* TestMerchant.create("SALE", { client_orderid: "kept" })
        TestMerchant.assertAccepted(again)
        assert.strictEqual(TestMerchant.nameOf(again).orderid, first.orderid)
        const differing = yield* TestMerchant.create("SALE", { client_orderid: "kept", amount: "1.00" })
        TestMerchant.assertRefused(differing, "contentDiffers")
        const fresh = yield* TestMerchant.create("SALE", { client_orderid: "new" })
        assert.strictEqual(fresh.body["error-code"], freshCode)
        assert.strictEqual(yield* TestMerchant.orderStatus(first), "approved sale 10.42 10.42 0.00 0.00")
        yield* TestMerchant.assertClean
      }).pipe(TestGateway.running(folder, { merchants }))
    })
  )
}

it.live("a repeated payment is a replay after the limit was lowered and the card expired", () =>
  Effect.gen(function* () {
    const folder = yield* temporaryFolder
    const first = yield* TestGateway.running(folder)(TestMerchant.order("PREAUTH", { client_orderid: "kept" }))
    yield* Effect.gen(function* () {
      const again = yield* TestMerchant.order("PREAUTH", { client_orderid: "kept" })
      assert.strictEqual(again.orderid, first.orderid)
      assert.strictEqual(yield* TestMerchant.orderStatus(first), "approved preauth 10.42 0.00 0.00 10.42")
      const filtered = yield* TestMerchant.order("PREAUTH", { client_orderid: "new" })
      assert.strictEqual((yield* TestMerchant.status(filtered)).status, "filtered")
      yield* TestMerchant.pass("2000 days")
      TestMerchant.assertRefused(
        yield* TestMerchant.create("PREAUTH", { client_orderid: "newer" }),
        "cardExpired",
        "expire_year"
      )
      const late = yield* TestMerchant.create("PREAUTH", { client_orderid: "kept" })
      TestMerchant.assertAccepted(late)
      assert.strictEqual(TestMerchant.nameOf(late).orderid, first.orderid)
      yield* TestMerchant.assertClean
    }).pipe(
      TestGateway.running(folder, { merchants: Merchants.both({ [endpoints.usd]: { maxAmount: { USD: "5.00" } } }) })
    )
  })
)

it.live("a replay keeps the endpoint of the first request when its group would select another now", () =>
  Effect.gen(function* () {
    const folder = yield* temporaryFolder
    const fields = { client_orderid: "kept", currency: "EUR" }
    const inGroup = { endpointId: endpoints.group }
    const first = yield* TestGateway.running(folder)(TestMerchant.create("SALE", fields, inGroup))
    assert.strictEqual(TestMerchant.text(first, "end-point-id"), endpoints.eur)
    const merchants = Merchants.both({ [endpoints.usd]: { currencies: ["USD", "EUR"] } })
    yield* Effect.gen(function* () {
      assert.strictEqual(
        TestMerchant.text(yield* TestMerchant.create("SALE", fields, inGroup), "end-point-id"),
        endpoints.eur
      )
      const fresh = yield* TestMerchant.create("SALE", { ...fields, client_orderid: "new" }, inGroup)
      assert.strictEqual(TestMerchant.text(fresh, "end-point-id"), endpoints.usd)
    }).pipe(TestGateway.running(folder, { merchants }))
  })
)
