/** What a merchant asks of a recurring payment: pause, resume, cancel, another amount or card, a charge out of turn. */
import { assert, layer } from "@effect/vitest"
import { Subscription } from "@pay/gateway/Entities"
import { Store } from "@pay/gateway/Store"
import { declines } from "@pay/schema/Decline"
import * as PayClient from "@pay/transport/PayClient"
import { Effect, Layer } from "effect"
import * as Inbox from "../harness/Inbox.ts"
import * as Merchants from "../harness/Merchants.ts"
import * as Recurring from "../harness/Recurring.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"

const { kwd, threeds3dsGateway, usd } = TestGateway.endpoints
const { notSufficientFunds: poor, stolenCard: stolen } = declines
const world = Layer.merge(TestGateway.layer({ merchants: Merchants.both({ [kwd]: { enabled: false } }) }), Inbox.layer)

layer(world, { excludeTestServices: true })("a change to a recurring payment", (it) => {
  it.effect("pause skips, resume continues, cancel ends, and a second request of each changes nothing", () =>
    Effect.gen(function* () {
      const { id, order } = yield* Recurring.listening({ period: "weekly" })
      for (const _ of [1, 2])
        assert.deepInclude(yield* Recurring.updated(id, { change: "pause" }), { status: "paused" })
      yield* TestMerchant.pass("15 days")
      assert.strictEqual(yield* Recurring.summary(id), "paused: charged skipped skipped")
      for (const _ of [1, 2])
        assert.deepInclude(yield* Recurring.updated(id, { change: "resume" }), { status: "active" })
      yield* TestMerchant.pass("7 days")
      assert.strictEqual(yield* Recurring.summary(id), "active: charged skipped skipped charged")
      for (const _ of [1, 2])
        assert.deepInclude(yield* Recurring.updated(id, { change: "cancel" }), { status: "cancelled" })
      yield* TestMerchant.pass("30 days")
      assert.strictEqual(yield* Recurring.summary(id), "cancelled: charged skipped skipped charged")
      assert.deepStrictEqual(yield* Recurring.callbacksOf(order), ["skipped", "skipped"])
      assert.strictEqual((yield* Recurring.rowOf(id)).encryptedPan.length, 0)
      for (const change of ["pause", "resume"]) {
        TestMerchant.assertRefused(yield* Recurring.update(id, { change }), "orderState", "recurring-payment-id")
      }
      const amount = yield* Recurring.update(id, { amount: "1.00", currency: "USD" })
      TestMerchant.assertRefused(amount, "orderState", "recurring-payment-id")
    })
  )

  it.effect("a cancel between two tries ends the order declined", () =>
    Effect.gen(function* () {
      const { id } = yield* Recurring.listening({ period: "weekly" })
      yield* Recurring.declining(poor)
      yield* TestMerchant.pass("7 days")
      yield* Recurring.updated(id, { change: "cancel" })
      yield* TestMerchant.settled
      assert.strictEqual(yield* Recurring.summary(id), "cancelled: charged failed")
      assert.deepStrictEqual(yield* Recurring.outcomes(id, 1), ["declined 116"])
    })
  )

  it.effect("process charges now with an order of its own, and leaves the schedule as it was", () =>
    Effect.gen(function* () {
      const { id, order } = yield* Recurring.listening({ period: "weekly" })
      const fields = { client_orderid: "process-1", amount: "3.00", currency: "USD" }
      const replies = yield* Effect.forEach([1, 2, 3], () => Recurring.process(id, fields), { concurrency: 3 })
      assert.strictEqual(new Set(replies.map(({ body }) => body["paynet-order-id"])).size, 1)
      yield* TestMerchant.settled
      assert.deepInclude(yield* TestMerchant.status({ client_orderid: "process-1" }), {
        status: "approved",
        "captured-amount": "3.00",
        "recurring-payment-id": id
      })
      const other = yield* Recurring.process(id, { ...fields, amount: "3.01" })
      TestMerchant.assertRefused(other, "contentDiffers", "client_orderid")
      yield* Recurring.declining(stolen)
      yield* Recurring.process(id)
      yield* TestMerchant.pass("8 days")
      assert.strictEqual(yield* Recurring.summary(id), "active: charged charged")
      assert.deepStrictEqual(yield* Recurring.callbacksOf(order), [])
      yield* Recurring.updated(id, { change: "cancel" })
      TestMerchant.assertRefused(yield* Recurring.process(id), "orderState", "recurring-payment-id")
      const free = { client_orderid: order.client_orderid }
      TestMerchant.assertRefused(yield* Recurring.process(id, free), "contentDiffers", "client_orderid")
      yield* TestMerchant.assertClean
    })
  )

  const strange = [
    ["unknown", "1", undefined],
    ["another merchant's", undefined, Merchants.other]
  ] as const
  for (const [name, unknown] of strange) {
    it.effect(`a change of one that is ${name} gets the same refusal`, () =>
      Effect.gen(function* () {
        const { id } = yield* Recurring.listening({ period: "weekly" })
        const store = yield* Store
        if (unknown === undefined) {
          const row = yield* Recurring.rowOf(id)
          const foreign = { ...row, merchantId: Merchants.other.login }
          yield* store.commit({ guards: [], writes: [{ _tag: "Put", entity: Subscription, row: foreign }] })
        }
        const request = unknown ?? id
        for (const reply of [
          yield* Recurring.update(request, { change: "cancel" }),
          yield* Recurring.process(request)
        ]) {
          TestMerchant.assertRefused(reply, "subscriptionNotFound", "recurring-payment-id")
          assert.strictEqual(reply.body["error-message"], "Unknown recurring payment")
        }
      })
    )
  }

  it.effect("process is refused for another currency and an expired card", () =>
    Effect.gen(function* () {
      const store = yield* Store
      const { id } = yield* Recurring.listening()
      const other = yield* Recurring.process(id, { amount: "1.00", currency: "EUR" })
      TestMerchant.assertRefused(other, "currencyMismatch", "currency")
      const expired = { ...(yield* Recurring.rowOf(id)), expireYear: 2025 }
      yield* store.commit({ guards: [], writes: [{ _tag: "Put", entity: Subscription, row: expired }] })
      TestMerchant.assertRefused(yield* Recurring.process(id), "cardExpired", "recurring-payment-id")
      yield* Recurring.updated(id, { change: "cancel" })
    })
  )

  it.effect("an endpoint that is switched off charges nothing until it is on again", () =>
    Effect.gen(function* () {
      const store = yield* Store
      const { id } = yield* Recurring.listening({ period: "weekly" })
      const move = Effect.fnUntraced(function* (endpointId: string) {
        const row = { ...(yield* Recurring.rowOf(id)), endpointId }
        yield* store.commit({ guards: [], writes: [{ _tag: "Put", entity: Subscription, row }] })
      })
      yield* move(kwd)
      yield* TestMerchant.pass("9 days")
      assert.strictEqual(yield* Recurring.summary(id), "active: charged")
      yield* move(usd)
      yield* TestMerchant.pass("2 hours")
      assert.strictEqual(yield* Recurring.summary(id), "active: charged charged")
      yield* Recurring.updated(id, { change: "cancel" })
    })
  )

  it.effect("an update is refused for another currency, an expired card and a card without a verified holder", () =>
    Effect.gen(function* () {
      const { id } = yield* Recurring.listening()
      TestMerchant.assertRefused(
        yield* Recurring.update(id, { amount: "1.00", currency: "EUR" }),
        "currencyMismatch",
        "currency"
      )
      const old = { credit_card_number: "4444555566661111", expire_month: "11", expire_year: "2025" }
      TestMerchant.assertRefused(yield* Recurring.update(id, old), "cardExpired", "expire_year")
      TestMerchant.assertRefused(yield* Recurring.update(id, { cardrefid: "1" }), "cardNotFound", "cardrefid")
      const pay = yield* PayClient.PayClient
      const stored = yield* pay.cardref(yield* TestMerchant.order("SALE", { expire_year: "2088" }))
      const proved = yield* Recurring.listening(
        { cardrefid: stored["card-ref-id"], credit_card_number: "", expire_month: "", expire_year: "", cvv2: "" },
        { endpointId: threeds3dsGateway }
      )
      const fresh = { credit_card_number: "4444555566661111", expire_month: "10", expire_year: "2097" }
      TestMerchant.assertRefused(yield* Recurring.update(proved.id, fresh), "orderState", "credit_card_number")
      yield* TestMerchant.order("SALE", fresh)
      assert.deepInclude(yield* Recurring.updated(proved.id, fresh), { status: "active" })
      for (const each of [id, proved.id]) yield* Recurring.updated(each, { change: "cancel" })
    })
  )
})
