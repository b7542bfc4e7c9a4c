import { assert, layer } from "@effect/vitest"
import * as Decision from "@pay/gateway/Decision"
import { Order } from "@pay/gateway/Entities"
import { Store } from "@pay/gateway/Store"
import { Effect, Schema } from "effect"
import { ask } from "../harness/Operating.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"

const OrderPage = Schema.Struct({
  orders: Schema.Array(
    Schema.Struct({ id: Schema.String, merchantOrder: Schema.String, card: Schema.NullOr(Schema.String) })
  ),
  looked: Schema.Int,
  next: Schema.optionalKey(Schema.String)
})
const read = Schema.decodeUnknownSync(OrderPage)

const { login } = TestGateway
const merchant = { merchant: login }
const search = (criteria: object) =>
  Effect.map(ask("POST", "/operator/orders/search", criteria), ({ body, status, text }) => {
    assert.strictEqual(status, 200, text)
    return read(body)
  })
const names = (criteria: object) =>
  Effect.map(search(criteria), ({ orders }) => orders.map(({ merchantOrder }) => merchantOrder).sort())

const other = { credit_card_number: "5555555555554444" }
const cardOf = (number: string | undefined) => ({
  number,
  month: TestGateway.saleFields.expire_month,
  year: TestGateway.saleFields.expire_year
})

/** Orders of one customer, in another spelling of her address for each. */
const ada = ["Ada@b\u00fccher.example", "ada@xn--bcher-kva.example"] as const

const world = Effect.gen(function* () {
  yield* TestMerchant.order("SALE", { client_orderid: "plain", amount: "10.42" })
  yield* TestMerchant.order("PREAUTH", { client_orderid: "hold", amount: "7.00", ...other })
  yield* TestMerchant.create("SALE", { client_orderid: "declined", cvv2: "999", email: ada[1] })
  yield* TestMerchant.create("SALE", { client_orderid: "lost", cvv2: "217", email: ada[0] })
  yield* TestMerchant.create(
    "SALE",
    { client_orderid: "filtered", amount: "100.01" },
    { endpointId: TestGateway.endpoints.limited }
  )
  yield* TestMerchant.settled
})

layer(TestGateway.layer(), { excludeTestServices: true })("a search for orders by an operator", (it) => {
  it.effect("finds orders by each shown attribute and by all together", () =>
    Effect.gen(function* () {
      yield* world
      const all = ["declined", "filtered", "hold", "lost", "plain"]
      const store = yield* Store
      const approved = yield* store.load(Order, [login, "plain"], "clientOrder")
      assert.isDefined(approved)
      const table: ReadonlyArray<readonly [object, ReadonlyArray<string>]> = [
        [{}, all],
        [merchant, all],
        [{ merchant: "nobody" }, []],
        [{ ...merchant, clientOrderId: "hold" }, ["hold"]],
        [{ ...merchant, clientOrderId: "nothing" }, []],
        [{ status: "approved" }, ["hold", "plain"]],
        [{ status: "declined" }, ["declined"]],
        [{ status: "filtered" }, ["filtered"]],
        [{ status: "unknown" }, ["lost"]],
        [{ state: "authorized" }, ["hold"]],
        [{ unknownForMs: 0 }, ["lost"]],
        [{ unknownForMs: 86_400_000 }, []],
        [{ filteredBy: "max-amount" }, ["filtered"]],
        [{ lastFour: "4444" }, ["hold"]],
        [{ lastFour: "4444", ...merchant, status: "approved" }, ["hold"]],
        [{ lastFour: "4444", status: "declined" }, []],
        [{ amount: "7", currency: "USD" }, ["hold"]],
        [{ amount: "7.00", currency: "EUR" }, []],
        [{ ...merchant, card: cardOf(other.credit_card_number) }, ["hold"]],
        [
          { ...merchant, card: cardOf(TestGateway.saleFields.credit_card_number) },
          all.filter((name) => name !== "hold")
        ],
        [{ merchant: "nobody", card: cardOf(other.credit_card_number) }, []],
        [{ email: "ADA@B\u00dcCHER.example" }, ["declined", "lost"]],
        [{ email: ada[0], status: "unknown" }, ["lost"]],
        [{ email: ada[0], unknownForMs: 86_400_000 }, []],
        [{ ...merchant, card: cardOf(TestGateway.saleFields.credit_card_number), status: "unknown" }, ["lost"]],
        [{ ...merchant, clientOrderId: "plain", status: "unknown" }, []],
        [{ email: ada[0], status: "declined" }, ["declined"]],
        [{ email: "a@bücher.example" }, []],
        [{ approvalCode: approved.approvalCode }, ["plain"]],
        [{ bankId: approved.processorTxId }, ["plain"]],
        [{ bankId: approved.processorTxId, approvalCode: "nothing" }, []],
        [{ approvalCode: approved.approvalCode, merchant: "nobody" }, []],
        [{ from: "2100-01-01" }, []],
        [{ to: "2020-01-01T00:00:00Z" }, []],
        [{ from: "2020-01-01", to: "2100-01-01" }, all]
      ]
      for (const [criteria, expected] of table)
        assert.deepStrictEqual([criteria, yield* names(criteria)], [criteria, expected])
    })
  )

  it.effect("has pages in every order of sorting", () =>
    Effect.gen(function* () {
      for (const criteria of [
        {},
        merchant,
        { lastFour: String(TestGateway.saleFields.credit_card_number).slice(-4) },
        { ...merchant, card: cardOf(TestGateway.saleFields.credit_card_number) },
        { status: "unknown" }
      ]) {
        const whole = (yield* search(criteria)).orders.map(({ id }) => id)
        const values: Array<string> = []
        let after: string | undefined
        do {
          const page = yield* search({ ...criteria, limit: 1, ...(after && { after }) })
          values.push(...page.orders.map(({ id }) => id))
          after = page.next
        } while (after !== undefined)
        assert.deepStrictEqual(values, whole)
      }
    })
  )

  it.effect("by e-mail, approval code and bank's number reads only the orders that it finds", () =>
    Effect.gen(function* () {
      const store = yield* Store
      const order = yield* store.load(Order, [login, "plain"], "clientOrder")
      assert.isDefined(order)
      const { approvalCode, processorTxId: bankId } = order
      for (const [criteria, expected] of [
        [{ email: ada[0] }, 2],
        [{ approvalCode }, 1],
        [{ bankId }, 1],
        [{ email: "nobody@shop.example" }, 0]
      ] as const) {
        const { looked, orders } = yield* search(criteria)
        assert.deepStrictEqual([criteria, orders.length, looked], [criteria, expected, expected])
      }
    })
  )

  it.effect("finds no erased order by its customer", () =>
    Effect.gen(function* () {
      const order = yield* TestMerchant.order("SALE", { client_orderid: "erased", email: "gone@shop.example" })
      yield* TestMerchant.settled
      const mine = { email: "gone@shop.example" }
      assert.deepStrictEqual(yield* names(mine), ["erased"])
      assert.strictEqual((yield* ask("POST", `/operator/orders/${order.orderid}/erase`, {})).status, 200)
      assert.deepStrictEqual(yield* search(mine), { orders: [], looked: 0 })
    })
  )

  it.effect("reads a bounded number of rows for a page, and the next page continues", () =>
    Effect.gen(function* () {
      const store = yield* Store
      const [first] = yield* store.find(Order, "created", { limit: 1 })
      assert.isDefined(first)
      for (let part = 0; part < 6; part += 1)
        yield* store.commit({
          guards: [],
          writes: Array.from({ length: 1000 }, (_, at) => {
            const id = `9${part}${String(at).padStart(4, "0")}`
            return Decision.append(Order, {
              ...first,
              orderId: id,
              clientOrderId: id,
              merchantId: "many",
              createdAtMs: at
            })
          })
        })
      const page = yield* search({ merchant: "many", filteredBy: "nothing" })
      assert.deepStrictEqual([page.orders, page.looked], [[], 5000])
      assert.isDefined(page.next)
      const rest = yield* search({ merchant: "many", filteredBy: "nothing", after: page.next })
      assert.deepStrictEqual(rest, { orders: [], looked: 1000 })
    })
  )

  it.effect("shows no card number, also in error messages", () =>
    Effect.gen(function* () {
      for (const number of ["4111111111111111x", "411111111111111111111"]) {
        const { status, text } = yield* ask("POST", "/operator/orders/search", { ...merchant, card: cardOf(number) })
        assert.strictEqual(status, 400)
        assert.notInclude(text, "41111111")
      }
    })
  )

  it.effect.each([
    [{ card: cardOf("4111111111111111") }],
    [{ clientOrderId: "plain" }],
    [{ status: "lost" }],
    [{ currency: "usd" }],
    [{ currency: "US$" }],
    [{ state: "lost" }],
    [{ from: "yesterday" }],
    [{ limit: 1001 }],
    [{ after: "x" }],
    [{ lastfour: "1111" }],
    [{ amount: "ten" }]
  ] as const)("%j is refused", ([criteria]) =>
    Effect.map(ask("POST", "/operator/orders/search", criteria), ({ status }) => assert.strictEqual(status, 400))
  )

  it.effect("leads to an order with its requests, bookings, callbacks and jobs", () =>
    Effect.gen(function* () {
      const order = yield* TestMerchant.order("PREAUTH", { server_callback_url: "http://127.0.0.1:1/nobody" })
      yield* TestMerchant.done("CAPTURE", order, { amount: "1.00", currency: "USD" })
      const { body } = yield* ask("GET", `/operator/orders/${order.orderid}`)
      const Lists = Schema.Record(Schema.String, Schema.Array(Schema.Record(Schema.String, Schema.Unknown)))
      const { callbacks, due, ledger, requests } = Schema.decodeUnknownSync(Lists)(
        Object.fromEntries(Object.entries(body).filter(([, value]) => Array.isArray(value)))
      )
      assert.deepStrictEqual(
        requests?.map(({ operation, progress }) => `${operation} ${progress}`),
        ["PREAUTH approved", "CAPTURE approved"]
      )
      assert.deepStrictEqual(ledger?.map(({ cause }) => cause).sort(), [
        "capture",
        "capture",
        "capture",
        "capture",
        "hold",
        "hold"
      ])
      assert.deepStrictEqual(
        due?.map(({ kind }) => kind),
        ["lapse", "callback", "callback"]
      )
      assert.strictEqual(callbacks?.length, 2)
    })
  )
})
