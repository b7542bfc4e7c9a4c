import { assert, layer } from "@effect/vitest"
import { Card, CardRef, Order } from "@pay/gateway/Entities"
import * as Reconciliation from "@pay/gateway/Reconciliation"
import { Scheduler } from "@pay/gateway/Scheduler"
import { Store } from "@pay/gateway/Store"
import * as PayApi from "@pay/schema/PayApi"
import * as PayClient from "@pay/transport/PayClient"
import { Effect } from "effect"
import * as TestGateway from "../harness/TestGateway.ts"

const { REBILL, SALE } = PayApi.operations
const { login, saleFields } = TestGateway

type Fields = Readonly<Record<string, string>>

/** Stores the card of an approved sale. */
const stored = Effect.fnUntraced(function* (name: string, changes: Fields = {}) {
  const scheduler = yield* Scheduler
  const pay = yield* PayClient.PayClient
  const reply = yield* TestGateway.post(SALE, { ...saleFields, client_orderid: name, ...changes })
  yield* scheduler.settled
  const ref = yield* pay.cardref({ client_orderid: name, orderid: String(reply.body["paynet-order-id"]) })
  return ref["card-ref-id"]
})

const fields = (name: string, cardrefid: string, changes: Fields = {}): Fields => ({
  login,
  client_orderid: name,
  cardrefid,
  amount: "10.42",
  currency: "USD",
  order_desc: "Monthly fee",
  ipaddress: "203.0.113.9",
  ...changes
})

const rebill = (name: string, cardrefid: string, changes: Fields = {}) =>
  TestGateway.post(REBILL, fields(name, cardrefid, changes))

const change = Effect.fnUntraced(function* (cardRefId: string, changes: Partial<CardRef>) {
  const store = yield* Store
  const row = yield* store.load(CardRef, [cardRefId])
  assert.isDefined(row)
  yield* store.commit({ guards: [], writes: [{ _tag: "Put", entity: CardRef, row: { ...row, ...changes } }] })
})

layer(TestGateway.layer(), { excludeTestServices: true })("make-rebill", (it) => {
  it.effect("charges a stored card without its holder, repeatedly", () =>
    Effect.gen(function* () {
      const scheduler = yield* Scheduler
      const pay = yield* PayClient.PayClient
      const store = yield* Store
      const card = yield* stored("holder-1")
      for (const name of ["rebill-1", "rebill-2"]) {
        const reply = yield* rebill(name, card)
        assert.deepInclude(reply, { status: 200 })
        assert.strictEqual(reply.body.type, "async-response")
        yield* scheduler.settled
        const status = yield* pay.status({ client_orderid: name })
        assert.deepInclude(status, {
          status: "approved",
          "transaction-type": "sale",
          "captured-amount": "10.42",
          bin: "444433",
          "last-four-digits": "1111",
          email: "john.smith@gmail.com"
        })
        const order = yield* store.load(Order, [String(reply.body["paynet-order-id"])])
        assert.deepInclude(order, { initiator: "merchant", hasCvv: 0, kind: "sale" })
      }
      assert.deepStrictEqual((yield* Reconciliation.check).findings, [])
    })
  )

  it.effect("stores the card encrypted for its own order, under the same hash", () =>
    Effect.gen(function* () {
      const scheduler = yield* Scheduler
      const pay = yield* PayClient.PayClient
      const store = yield* Store
      const card = yield* stored("holder-same")
      const reply = yield* rebill("rebill-same", card)
      yield* scheduler.settled
      const orderid = String(reply.body["paynet-order-id"])
      const again = yield* pay.cardref({ client_orderid: "rebill-same", orderid })
      assert.strictEqual(again["card-ref-id"], card)
      const [own, ref] = [yield* store.load(Card, [orderid]), yield* store.load(CardRef, [card])]
      assert.notDeepEqual(own?.encryptedPan, ref?.encryptedPan)
    })
  )

  it.effect("sends the security code if the request has one", () =>
    Effect.gen(function* () {
      const scheduler = yield* Scheduler
      const pay = yield* PayClient.PayClient
      const card = yield* stored("holder-cvv")
      yield* rebill("rebill-cvv", card, { cvv2: "116" })
      yield* scheduler.settled
      assert.deepInclude(yield* pay.status({ client_orderid: "rebill-cvv" }), {
        status: "declined",
        "error-code": "116"
      })
    })
  )

  it.effect("skips 3-D Secure, also on an endpoint that requires it", () =>
    Effect.gen(function* () {
      const scheduler = yield* Scheduler
      const pay = yield* PayClient.PayClient
      const card = yield* stored("holder-3ds")
      const { threedsMerchant: endpointId } = TestGateway.endpoints
      const reply = yield* TestGateway.post(REBILL, fields("rebill-3ds", card), { endpointId })
      assert.strictEqual(reply.status, 200)
      yield* scheduler.settled
      assert.deepInclude(yield* pay.status({ client_orderid: "rebill-3ds" }), { status: "approved" })
    })
  )

  const refusals: ReadonlyArray<readonly [string, Partial<CardRef>, Fields, string, string]> = [
    ["an expired card", { expireYear: 2020 }, {}, "65", "The card is expired"],
    ["a removed card", { removedAtMs: 1 }, {}, "56", "Unknown card reference"],
    ["another merchant's card", { merchantId: "somebody-else" }, {}, "56", "Unknown card reference"],
    [
      "a card that its holder never paid with",
      { cardholderInitiated: 0 },
      {},
      "55",
      "no approved payment by its holder"
    ]
  ]
  for (const [index, [name, changes, request, code, message]] of refusals.entries()) {
    it.effect(`is refused with ${name}, and no order is created`, () =>
      Effect.gen(function* () {
        const pay = yield* PayClient.PayClient
        const card = yield* stored(`holder-refused-${index}`, { expire_year: String(2040 + index) })
        yield* change(card, changes)
        const order = `rebill-refused-${index}`
        const reply = yield* rebill(order, card, request)
        assert.deepInclude(reply, { status: 400 })
        assert.strictEqual(reply.body["error-code"], code)
        assert.include(String(reply.body["error-message"]), message)
        assert.deepInclude(yield* Effect.flip(pay.status({ client_orderid: order })), { errorCode: 54 })
      })
    )
  }
})
