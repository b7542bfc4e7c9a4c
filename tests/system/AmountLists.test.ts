/** `enumerate_amounts` through the whole gateway: each amount before the endpoint's rules, and the request said again. */
import { assert, layer } from "@effect/vitest"
import * as Directory from "@pay/gateway/Directory"
import { Order, OrderRequest } from "@pay/gateway/Entities"
import * as Reconciliation from "@pay/gateway/Reconciliation"
import { Scheduler } from "@pay/gateway/Scheduler"
import { Store } from "@pay/gateway/Store"
import * as TestCards from "@pay/sandbox/TestCards"
import * as PayApi from "@pay/schema/PayApi"
import * as PayClient from "@pay/transport/PayClient"
import { Effect, Layer, Schema } from "effect"
import * as Inbox from "../harness/Inbox.ts"
import * as TestGateway from "../harness/TestGateway.ts"

const { REBILL, SALE } = PayApi.operations
const { controlKey, endpoints, login, saleFields } = TestGateway

type Fields = Readonly<Record<string, string>>

/** The sandbox's merchant: no more than 20.00 a payment, and no more than 25.00 with one card in an hour. */
const gateway = (risk: object, settings: Parameters<typeof TestGateway.layer>[0] = {}) =>
  TestGateway.layer({
    ...settings,
    merchants: Schema.decodeUnknownSync(Directory.Config)([
      {
        login,
        controlKeys: [controlKey],
        endpoints: [{ id: endpoints.usd, currencies: ["USD"], threeds: "off", maxAmount: { USD: "20.00" }, risk }]
      }
    ])
  }).pipe(Layer.provideMerge(Inbox.layer))

const settled = Effect.flatMap(Scheduler, ({ settled }) => settled)

/** The reference of a test card with which 1.00 was paid. */
const stored = Effect.fnUntraced(function* (card: string, name: string) {
  const pay = yield* PayClient.PayClient
  const credit_card_number = TestCards.byName(card)?.number ?? "no such card"
  const expiry = { expire_month: "12", expire_year: "2040" }
  const reply = yield* TestGateway.post(SALE, {
    ...saleFields,
    ...expiry,
    client_orderid: name,
    credit_card_number,
    amount: "1.00"
  })
  yield* settled
  const ref = yield* pay.cardref({ client_orderid: name, orderid: String(reply.body["paynet-order-id"]) })
  return ref["card-ref-id"]
})

const charge = Effect.fnUntraced(function* (name: string, cardrefid: string, amounts: string, changes: Fields = {}) {
  const inbox = yield* Inbox.Inbox
  const [amount = "", ...list] = amounts.split(",")
  return yield* TestGateway.post(REBILL, {
    login,
    client_orderid: name,
    cardrefid,
    amount,
    enumerate_amounts: list.join(","),
    currency: "USD",
    order_desc: "Monthly fee",
    ipaddress: "203.0.113.9",
    server_callback_url: inbox.url,
    ...changes
  })
})

/** What status, callback, operator and the attempts' records say. */
const outcome = Effect.fnUntraced(function* (name: string) {
  const store = yield* Store
  const pay = yield* PayClient.PayClient
  const inbox = yield* Inbox.Inbox
  yield* settled
  const { amount, status, "error-code": code, "paynet-order-id": orderId } = yield* pay.status({ client_orderid: name })
  const rows = yield* store.find(OrderRequest, "order", { equals: [orderId], limit: 100 })
  assert.deepStrictEqual((yield* Reconciliation.check).findings, [])
  return {
    summary: [status, amount, code].join(" ").trim(),
    callbacks: inbox.about(orderId).map(({ amount, status }) => `${status} ${amount}`),
    rule: (yield* store.load(Order, [orderId]))?.filteredBy,
    attempts: rows
      .filter(({ operation }) => operation === "REBILL_ATTEMPT")
      .map(({ amountMinor, progress, sequence }) => `${sequence} ${amountMinor} ${progress}`)
  }
})

layer(gateway({ velocity: [{ per: "card", withinSeconds: 3600, sum: { USD: "25.00" } }] }), {
  excludeTestServices: true
})("a rebill with a list of amounts and a limit on the sum for each card", (it) => {
  it.effect("skips an amount above the endpoint's limit and tries the next", () =>
    Effect.gen(function* () {
      yield* charge("over", yield* stored("ordinary", "over-holder"), "30.00,20.01,19.00,5.00")
      assert.deepStrictEqual(yield* outcome("over"), {
        summary: "approved 19.00",
        callbacks: ["approved 19.00"],
        rule: null,
        attempts: ["0 3000 filtered", "1 2001 filtered", "2 1900 approved"]
      })
    })
  )
})

layer(gateway({}, { settings: { cardRate: { perSecond: 0.000_001, burst: 3 } } }), { excludeTestServices: true })(
  "a rebill with a list of amounts and the limit against card testing",
  (it) => {
    it.effect("counts each amount as one try", () =>
      Effect.gen(function* () {
        yield* charge("tries", yield* stored("funds-five", "tries-holder"), "9.00,8.00,7.00,4.00")
        assert.deepInclude(yield* outcome("tries"), {
          summary: "filtered 7.00 93",
          attempts: ["0 900 declined", "1 800 declined", "2 700 filtered"]
        })
      })
    )
  }
)

layer(gateway({}), { excludeTestServices: true })("a repeated rebill with a list of amounts", (it) => {
  it.effect("is a replay if the amounts are equal, however they are written, and is refused if they differ", () =>
    Effect.gen(function* () {
      const card = yield* stored("funds-five", "again-holder")
      const first = yield* charge("again", card, "9.00,8.00,4.00")
      yield* settled
      const again = yield* charge("again", card, "9,8.0, 4")
      assert.deepInclude(again, { status: 200 })
      assert.strictEqual(again.body["paynet-order-id"], first.body["paynet-order-id"])
      const other = yield* charge("again", card, "9.00,8.00,3.00")
      assert.deepInclude(other, { status: 400 })
      assert.strictEqual(other.body["error-code"], "51")
      assert.deepInclude(yield* outcome("again"), { summary: "approved 4.00", callbacks: ["approved 4.00"] })
    })
  )
})
