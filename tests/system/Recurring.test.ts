/** `create-recurring-payment`: its first order, its refusals, and its charges. */
import { assert, layer } from "@effect/vitest"
import { CardRef, Order } from "@pay/gateway/Entities"
import { Store } from "@pay/gateway/Store"
import type * as ErrorCode from "@pay/schema/ErrorCode"
import * as PayClient from "@pay/transport/PayClient"
import { Effect } from "effect"
import * as Recurring from "../harness/Recurring.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"

const { threeds3dsGateway, threedsMerchant } = TestGateway.endpoints

/** Stores the card of an approved sale. */
const storedCard = Effect.fnUntraced(function* (fields: TestMerchant.Fields = {}) {
  const pay = yield* PayClient.PayClient
  const stored = yield* pay.cardref(yield* TestMerchant.order("SALE", fields))
  return stored["card-ref-id"]
})

const byStored = (cardrefid: string) => ({
  cardrefid,
  credit_card_number: undefined,
  expire_month: undefined,
  expire_year: undefined,
  cvv2: undefined
})

layer(TestGateway.layer(), { excludeTestServices: true })("create-recurring-payment", (it) => {
  it.effect("charges at once under the merchant's client_orderid, and then on each day of the schedule", () =>
    Effect.gen(function* () {
      const { id, order, reply } = yield* Recurring.created({ client_orderid: "sub-first" })
      assert.deepInclude(reply.body, {
        type: "create-recurring-payment-response",
        status: "starting",
        "merchant-order-id": "sub-first",
        "next-charge-date": reply.body["next-charge-date"]
      })
      const first = yield* TestMerchant.status(order)
      assert.deepInclude(first, {
        status: "approved",
        "transaction-type": "sale",
        "captured-amount": "10.42",
        "recurring-payment-id": id,
        "recurring-payment-status": "active",
        "next-charge-date": reply.body["next-charge-date"]
      })
      yield* TestMerchant.pass("65 days")
      assert.strictEqual(yield* Recurring.summary(id), "active: charged charged charged")
      assert.deepInclude(yield* TestMerchant.status({ client_orderid: `${id}:2` }), {
        status: "approved",
        "captured-amount": "10.42",
        "recurring-payment-id": id
      })
      assert.deepInclude(yield* Recurring.chargeOf(id, 1), { initiator: "merchant", hasCvv: 0 })
      yield* TestMerchant.assertClean
    })
  )

  it.effect("a repeat is a replay, and its client_orderid is refused for another order", () =>
    Effect.gen(function* () {
      const store = yield* Store
      const fields = { client_orderid: "sub-again" }
      const replies = yield* Effect.forEach([1, 2, 3], () => Recurring.create(fields), { concurrency: 3 })
      yield* TestMerchant.settled
      const later = yield* Recurring.create(fields)
      const all = [...replies, later]
      for (const reply of all) TestMerchant.assertAccepted(reply)
      assert.strictEqual(new Set(all.map(Recurring.idOf)).size, 1)
      assert.strictEqual(new Set(all.map(({ body }) => body["paynet-order-id"])).size, 1)
      assert.strictEqual(new Set(all.map(({ body }) => body["serial-number"])).size, 4)
      assert.strictEqual(later.body.status, "active")
      TestMerchant.assertRefused(
        yield* Recurring.create({ ...fields, amount: "10.43" }),
        "contentDiffers",
        "client_orderid"
      )
      TestMerchant.assertRefused(yield* Recurring.create({ ...fields, expire_year: "2031" }), "contentDiffers")
      TestMerchant.assertRefused(yield* TestMerchant.create("SALE", fields), "contentDiffers", "client_orderid")
      const sold = yield* TestMerchant.order("SALE")
      const reused = yield* Recurring.create({ client_orderid: sold.client_orderid })
      TestMerchant.assertRefused(reused, "contentDiffers", "client_orderid")
      const own = yield* store.load(Order, [String(later.body["paynet-order-id"])])
      assert.strictEqual(own?.subscriptionId, Recurring.idOf(later))
    })
  )

  it.effect("a declined first charge ends the recurring payment", () =>
    Effect.gen(function* () {
      const { id, order } = yield* Recurring.created({ cvv2: "116" })
      assert.deepInclude(yield* TestMerchant.status(order), {
        status: "declined",
        "recurring-payment-status": "failed"
      })
      yield* TestMerchant.pass("40 days")
      assert.strictEqual(yield* Recurring.summary(id), "failed: failed")
      assert.deepInclude(yield* Recurring.rowOf(id), { reasonCode: 116, encryptedPan: new Uint8Array(0) })
    })
  )

  it.effect("a later start date verifies the card now and charges on that date", () =>
    Effect.gen(function* () {
      const start = yield* Recurring.dayFromNow(10)
      const { id, order, reply } = yield* Recurring.created({ "start-date": start })
      assert.strictEqual(reply.body["next-charge-date"], start)
      assert.deepInclude(yield* TestMerchant.status(order), {
        status: "approved",
        "transaction-type": "account_verification",
        amount: "0.00",
        "recurring-payment-status": "active"
      })
      yield* TestMerchant.pass("9 days")
      assert.strictEqual(yield* Recurring.summary(id), "active: ")
      yield* TestMerchant.pass("1 day")
      assert.strictEqual(yield* Recurring.orderStatus(id), `active: 0 ${start} charged`)
      assert.deepInclude(yield* TestMerchant.status({ client_orderid: `${id}:0` }), { status: "approved" })
      yield* TestMerchant.assertClean
    })
  )

  it.effect("a stored card that its holder has paid with is charged without 3-D Secure", () =>
    Effect.gen(function* () {
      const cardrefid = yield* storedCard()
      const { id, order } = yield* Recurring.created(byStored(cardrefid), { endpointId: threeds3dsGateway })
      assert.deepInclude(yield* TestMerchant.status(order), { status: "approved", "cardholder-name": "JOHN SMITH" })
      assert.strictEqual(yield* Recurring.summary(id), "active: charged")
    })
  )

  it.effect.each([threeds3dsGateway, threedsMerchant])(
    "a card number goes through the endpoint's 3-D Secure (%s)",
    (at) =>
      Effect.gen(function* () {
        const redirect_url = "https://shop.example/back"
        TestMerchant.assertRefused(yield* Recurring.create({}, { endpointId: at }), "parameterRequired", "redirect_url")
        const waiting = yield* Recurring.created({ redirect_url, cvv2: "321" }, { endpointId: at })
        assert.deepInclude(yield* TestMerchant.status(waiting.order), {
          status: "processing",
          "order-stage": "sale_3d_validating",
          "recurring-payment-status": "starting"
        })
        const quiet = yield* Recurring.created({ redirect_url, cvv2: "111" }, { endpointId: at })
        // Its request says nothing of the browser, so a merchant's upload is waited for.
        yield* TestMerchant.pass("30 seconds")
        assert.strictEqual(yield* Recurring.summary(quiet.id), "active: charged")
        const start = yield* Recurring.dayFromNow(3)
        const later = { redirect_url, cvv2: "321", "start-date": start }
        const verifying = yield* Recurring.created(later, { endpointId: at })
        assert.strictEqual((yield* TestMerchant.status(verifying.order)).status, "processing")
        yield* TestMerchant.pass("15 minutes")
        assert.strictEqual(yield* Recurring.summary(waiting.id), "failed: failed")
        assert.strictEqual(yield* Recurring.summary(verifying.id), "failed: ")
        yield* TestMerchant.assertClean
      })
  )

  it.effect("a return address is refused that is too long for the issuer, if the merchant sends it there", () =>
    Effect.gen(function* () {
      const fields = { redirect_url: "https://shop.example/back?".padEnd(257, "x"), cvv2: "321" }
      const refused = yield* Recurring.create(fields, { endpointId: threedsMerchant })
      TestMerchant.assertRefused(refused, "parameterTooLong", "redirect_url")
      yield* Recurring.created(fields, { endpointId: threeds3dsGateway })
    })
  )

  const refusals: ReadonlyArray<
    readonly [string, Readonly<Record<string, string | undefined>>, ErrorCode.Name, string]
  > = [
    ["a start in the past", { "start-date": "2020-01-31" }, "parameterCombination", "start-date"],
    ["a finish in the past", { "finish-date": "2020-01-31" }, "parameterCombination", "finish-date"],
    [
      "a finish before the start",
      { "start-date": "2029-02-01", "finish-date": "2029-01-31" },
      "parameterCombination",
      "finish-date"
    ],
    ["a card that expires before the first charge", { "start-date": "2031-06-01" }, "cardExpired", "expire_year"]
  ]
  it.effect.each(refusals)("%s is refused, and the client_orderid stays free", ([name, fields, error, field]) =>
    Effect.gen(function* () {
      const client_orderid = `sub refused ${name}`
      const reply = yield* Recurring.create({ client_orderid, ...fields })
      TestMerchant.assertRefused(reply, error, field)
      yield* TestMerchant.assertFree(client_orderid)
    })
  )

  it.effect("a day that is over in the time zone of the endpoint is refused with today's day and the time zone", () =>
    Effect.gen(function* () {
      const today = `${yield* Recurring.dayFromNow(0)} in UTC, the time zone of this endpoint`
      const yesterday = yield* Recurring.dayFromNow(-1)
      const messages = yield* Effect.forEach(["start-date", "finish-date"], (name) =>
        Effect.map(Recurring.create({ [name]: yesterday }), (reply) => TestMerchant.text(reply, "error-message"))
      )
      assert.deepStrictEqual(messages, [
        `Parameter start-date is in the past; today is ${today}`,
        `Parameter finish-date is before the first charge, ${today}`
      ])
    })
  )

  it.effect("a stored card that its holder never paid with is refused", () =>
    Effect.gen(function* () {
      const store = yield* Store
      const cardrefid = yield* storedCard({ expire_year: "2039" })
      const row = yield* store.load(CardRef, [cardrefid])
      assert.isDefined(row)
      const changed = { ...row, cardholderInitiated: 0 }
      yield* store.commit({ guards: [], writes: [{ _tag: "Put", entity: CardRef, row: changed }] })
      TestMerchant.assertRefused(yield* Recurring.create(byStored(cardrefid)), "orderState", "cardrefid")
    })
  )
})
