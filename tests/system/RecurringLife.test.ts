/** A recurring payment over time: its due days, declines, end and callbacks. */
import { assert, layer } from "@effect/vitest"
import { OrderRequest } from "@pay/gateway/Entities"
import { Store } from "@pay/gateway/Store"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import { declines } from "@pay/schema/Decline"
import { Effect, Layer } from "effect"
import * as Inbox from "../harness/Inbox.ts"
import * as Recurring from "../harness/Recurring.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"

const { notSufficientFunds: poor } = declines

/** Each test starts on its own day, when nothing of another test is under way. */
const world = Layer.merge(TestGateway.layer(), Inbox.layer)

layer(world, { excludeTestServices: true })("a recurring payment", (it) => {
  it.effect("is tried again 1, 3 and 5 days after a soft decline, as the same order", () =>
    Effect.gen(function* () {
      const { id, order } = yield* Recurring.listening()
      yield* Recurring.declining(poor, poor, poor)
      yield* TestMerchant.pass("31 days")
      assert.match(yield* Recurring.summary(id), /^active: charged retrying/)
      const { clientOrderId, orderId } = yield* Recurring.chargeOf(id, 1)
      assert.deepInclude(yield* TestMerchant.status({ client_orderid: clientOrderId }), {
        status: "processing",
        "error-code": "116"
      })
      yield* TestMerchant.pass("7 days")
      assert.strictEqual(yield* Recurring.summary(id), "active: charged charged*4")
      const charged = yield* TestMerchant.status({ client_orderid: clientOrderId })
      assert.deepInclude(charged, { status: "approved", "captured-amount": "10.42" })
      assert.notProperty(charged, "error-code")
      const store = yield* Store
      const requests = yield* store.find(OrderRequest, "order", { equals: [orderId], limit: 9 })
      assert.deepStrictEqual(
        requests.map(({ operation, progress, sequence }) => `${sequence} ${operation} ${progress}`).sort(),
        [
          "0 RECURRING_ATTEMPT declined",
          "1 RECURRING_ATTEMPT declined",
          "2 RECURRING_ATTEMPT declined",
          "3 RECURRING_CHARGE approved"
        ]
      )
      assert.deepStrictEqual(yield* Recurring.outcomes(id, 1), ["approved"])
      assert.deepStrictEqual(yield* Recurring.callbacksOf(order), [])
      yield* Recurring.updated(id, { change: "cancel" })
      yield* TestMerchant.assertClean
    })
  )

  it.effect("is suspended after the last try, and continues with another card", () =>
    Effect.gen(function* () {
      const { id, order } = yield* Recurring.listening()
      yield* Recurring.declining(poor, poor, poor, poor)
      yield* TestMerchant.pass("40 days")
      assert.strictEqual(yield* Recurring.summary(id), "suspended: charged failed*4")
      assert.deepStrictEqual(yield* Recurring.outcomes(id, 1), ["declined 116"])
      assert.deepStrictEqual(yield* Recurring.callbacksOf(order), ["suspended 116"])
      yield* TestMerchant.pass("30 days")
      assert.strictEqual(yield* Recurring.summary(id), "suspended: charged failed*4 skipped")
      assert.deepStrictEqual(yield* Recurring.callbacksOf(order), ["suspended 116", "skipped"])
      TestMerchant.assertRefused(
        yield* Recurring.update(id, { change: "resume" }),
        "orderState",
        "recurring-payment-id"
      )
      const card = { credit_card_number: "4444555566661111", expire_month: "12", expire_year: "2099" }
      assert.deepInclude(yield* Recurring.updated(id, card), { status: "active" })
      yield* TestMerchant.pass("31 days")
      assert.strictEqual(yield* Recurring.summary(id), "active: charged failed*4 skipped charged")
      assert.deepInclude(yield* Recurring.chargeOf(id, 3), { lastFour: "1111", bin: "444455" })
      yield* Recurring.updated(id, { change: "cancel" })
      yield* TestMerchant.assertClean
    })
  )

  it.effect("is tried again with the new card after a change of card", () =>
    Effect.gen(function* () {
      const { id } = yield* Recurring.listening({ period: "weekly" })
      yield* Recurring.declining(poor)
      yield* TestMerchant.pass("7 days")
      yield* Recurring.updated(id, { credit_card_number: "4444555566661111", expire_month: "11", expire_year: "2098" })
      yield* TestMerchant.pass("2 days")
      assert.strictEqual(yield* Recurring.summary(id), "active: charged charged*2")
      assert.deepInclude(yield* Recurring.chargeOf(id, 1), { bin: "444455", expireYear: 2098 })
      yield* Recurring.updated(id, { change: "cancel" })
    })
  )

  it.effect("waits for an unknown outcome, and then charges only the latest occurrence", () =>
    Effect.gen(function* () {
      const control = yield* SandboxControl
      const { id, order } = yield* Recurring.listening({ period: "weekly" })
      yield* control.next("authorize", { delivery: { _tag: "Undecided" } })
      yield* TestMerchant.pass("24 days")
      assert.strictEqual(yield* Recurring.summary(id), "active: charged charging")
      const { clientOrderId, orderId } = yield* Recurring.chargeOf(id, 1)
      assert.strictEqual((yield* TestMerchant.status({ client_orderid: clientOrderId })).status, "unknown")
      yield* control.settle(`${orderId}-sale-0`, { _tag: "Approve" })
      yield* TestMerchant.pass("1 day")
      assert.strictEqual(yield* Recurring.summary(id), "active: charged charged skipped charged")
      assert.deepStrictEqual(yield* Recurring.callbacksOf(order), ["skipped"])
      yield* Recurring.updated(id, { change: "cancel" })
      yield* TestMerchant.assertClean
    })
  )

  it.effect("announces the expiry of its card ahead, and is suspended at the expiry", () =>
    Effect.gen(function* () {
      const today = yield* Recurring.dayFromNow(0)
      const [year = "", month = ""] = today.split("-")
      const { id, order } = yield* Recurring.listening({ expire_month: month, expire_year: year })
      assert.deepStrictEqual(yield* Recurring.callbacksOf(order), ["card_expiring 101"])
      yield* TestMerchant.pass("32 days")
      assert.strictEqual(yield* Recurring.summary(id), "suspended: charged skipped")
      assert.deepStrictEqual(yield* Recurring.callbacksOf(order), ["card_expiring 101", "suspended 101"])
    })
  )
})
