/** A recurring payment through time: its days, its declines, its end; and what the merchant is told. */
import { assert, layer } from "@effect/vitest"
import { OrderRequest } from "@pay/gateway/entities/OrderRequest"
import { Scheduler } from "@pay/gateway/Scheduler"
import { Store } from "@pay/gateway/Store"

import { SandboxControl } from "@pay/sandbox/SandboxControl"
import { declines } from "@pay/schema/Decline"
import { Effect, Layer } from "effect"
import * as Inbox from "../harness/Inbox.ts"
import * as Merchants from "../harness/Merchants.ts"
import * as Recurring from "../harness/Recurring.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"

const { eur } = TestGateway.endpoints
const newYork = { [eur]: { currencies: ["EUR", "USD"] as const, timeZone: "America/New_York" } }

const { notSufficientFunds: poor, stolenCard: stolen } = declines

/** Every test begins on a day of its own, with nothing of the others under way. */
const world = Layer.merge(TestGateway.layer({ merchants: Merchants.both(newYork) }), Inbox.layer)

layer(world, { excludeTestServices: true })("a recurring payment", (it) => {
  it.effect("of every day is charged 46 times in order when the clock advances 45 days", () =>
    Effect.gen(function* () {
      const { id } = yield* Recurring.listening({ period: "daily" })
      yield* TestMerchant.pass("45 days")
      const { state, next } = yield* Recurring.rowOf(id)
      assert.deepStrictEqual([state, next], ["active", 46])
      const times = yield* Effect.forEach(
        Array.from({ length: 45 }, (_, n) => n + 1),
        (n) =>
          Effect.map(Recurring.chargeOf(id, n), ({ createdAtMs, state }) => [state, createdAtMs % 86_400_000 < 60_000])
      )
      assert.deepStrictEqual(new Set(times.map(String)), new Set(["settled,true"]))
      yield* Recurring.updated(id, { change: "cancel" })
      yield* TestMerchant.assertClean
    })
  )

  it.effect("on the 31st is charged on the last day of shorter months, and on the 31st again afterwards", () =>
    Effect.gen(function* () {
      const year = Number((yield* Recurring.dayFromNow(400)).slice(0, 4))
      const { id } = yield* Recurring.listening({ "start-date": `${year}-01-31`, occurrences: "3" })
      yield* Recurring.until(`${year}-04-01`)
      const february = year % 4 === 0 ? "29" : "28"
      assert.strictEqual(
        yield* Recurring.standing(id),
        `finished: 0 ${year}-01-31 charged, 1 ${year}-02-${february} charged, 2 ${year}-03-31 charged`
      )
    })
  )

  it.effect("is due from midnight in the endpoint's time zone, also over changes of daylight saving time", () =>
    Effect.gen(function* () {
      const year = Number((yield* Recurring.dayFromNow(400)).slice(0, 4))
      const start = `${year}-03-07`
      const { id } = yield* Recurring.listening(
        { "start-date": start, period: "daily", occurrences: "9" },
        { endpointId: eur }
      )
      yield* Recurring.until(`${year}-03-20`)
      assert.match(yield* Recurring.story(id), /^finished: (charged ?){9}$/)
      const at = (n: number) =>
        Effect.map(Recurring.chargeOf(id, n), ({ createdAtMs }) => new Date(createdAtMs).toISOString().slice(11, 16))
      assert.deepStrictEqual([yield* at(0), yield* at(8)], ["05:00", "04:00"])
    })
  )

  it.effect("is not charged after its finish-date, and ends with a callback", () =>
    Effect.gen(function* () {
      const finish = yield* Recurring.dayFromNow(10)
      const { id, order } = yield* Recurring.listening({ period: "weekly", "finish-date": finish })
      yield* TestMerchant.pass("30 days")
      assert.strictEqual(yield* Recurring.story(id), "finished: charged charged")
      assert.deepStrictEqual(yield* Recurring.callbacksOf(order), ["finished"])
      const scheduler = yield* Scheduler
      assert.isUndefined(yield* scheduler.nextDueMs)
      assert.strictEqual((yield* Recurring.rowOf(id)).sealedPan.length, 0)
    })
  )

  it.effect("is tried again 1, 3 and 5 days after a soft decline, as the same order", () =>
    Effect.gen(function* () {
      const { id, order } = yield* Recurring.listening()
      yield* Recurring.declining(poor, poor, poor)
      yield* TestMerchant.pass("31 days")
      assert.match(yield* Recurring.story(id), /^active: charged retrying/)
      const { clientOrderId, orderId } = yield* Recurring.chargeOf(id, 1)
      assert.deepInclude(yield* TestMerchant.status({ client_orderid: clientOrderId }), {
        status: "processing",
        "error-code": "116"
      })
      yield* TestMerchant.pass("7 days")
      assert.strictEqual(yield* Recurring.story(id), "active: charged charged*4")
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
      assert.strictEqual(yield* Recurring.story(id), "suspended: charged failed*4")
      assert.deepStrictEqual(yield* Recurring.outcomes(id, 1), ["declined 116"])
      assert.deepStrictEqual(yield* Recurring.callbacksOf(order), ["suspended 116"])
      yield* TestMerchant.pass("30 days")
      assert.strictEqual(yield* Recurring.story(id), "suspended: charged failed*4 skipped")
      assert.deepStrictEqual(yield* Recurring.callbacksOf(order), ["suspended 116", "skipped"])
      TestMerchant.assertRefused(
        yield* Recurring.update(id, { change: "resume" }),
        "orderState",
        "recurring-payment-id"
      )
      const card = { credit_card_number: "4444555566661111", expire_month: "12", expire_year: "2099" }
      assert.deepInclude(yield* Recurring.updated(id, card), { status: "active" })
      yield* TestMerchant.pass("31 days")
      assert.strictEqual(yield* Recurring.story(id), "active: charged failed*4 skipped charged")
      assert.deepInclude(yield* Recurring.chargeOf(id, 3), { lastFour: "1111", bin: "444455" })
      yield* Recurring.updated(id, { change: "cancel" })
      yield* TestMerchant.assertClean
    })
  )

  it.effect("is suspended at once for a stolen card", () =>
    Effect.gen(function* () {
      const { id, order } = yield* Recurring.listening()
      yield* Recurring.declining(stolen)
      yield* TestMerchant.pass("32 days")
      assert.strictEqual(yield* Recurring.story(id), "suspended: charged failed")
      assert.deepStrictEqual(yield* Recurring.callbacksOf(order), ["suspended 209"])
    })
  )

  it.effect("is not tried again after the next occurrence is due", () =>
    Effect.gen(function* () {
      const daily = yield* Recurring.listening({ period: "daily", interval: "2" })
      yield* Recurring.declining(poor, poor)
      yield* TestMerchant.pass("3 days")
      assert.strictEqual(yield* Recurring.story(daily.id), "suspended: charged failed*2")
    })
  )

  it.effect("is tried again with the new card after a change of card", () =>
    Effect.gen(function* () {
      const { id } = yield* Recurring.listening()
      yield* Recurring.declining(poor)
      yield* TestMerchant.pass("31 days")
      yield* Recurring.updated(id, { credit_card_number: "4444555566661111", expire_month: "11", expire_year: "2098" })
      yield* TestMerchant.pass("2 days")
      assert.strictEqual(yield* Recurring.story(id), "active: charged charged*2")
      assert.deepInclude(yield* Recurring.chargeOf(id, 1), { bin: "444455", expireYear: 2098 })
      yield* Recurring.updated(id, { change: "cancel" })
    })
  )

  it.effect("waits for an unknown outcome, and then charges only the latest occurrence", () =>
    Effect.gen(function* () {
      const control = yield* SandboxControl
      const { id, order } = yield* Recurring.listening({ period: "weekly" })
      yield* control.next("authorize", { journey: { _tag: "Undecided" } })
      yield* TestMerchant.pass("24 days")
      assert.strictEqual(yield* Recurring.story(id), "active: charged charging")
      const { clientOrderId, orderId } = yield* Recurring.chargeOf(id, 1)
      assert.strictEqual((yield* TestMerchant.status({ client_orderid: clientOrderId })).status, "unknown")
      yield* control.settle(`${orderId}-sale-0`, { _tag: "Approve" })
      yield* TestMerchant.pass("1 day")
      assert.strictEqual(yield* Recurring.story(id), "active: charged charged skipped charged")
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
      assert.strictEqual(yield* Recurring.story(id), "suspended: charged skipped")
      assert.deepStrictEqual(yield* Recurring.callbacksOf(order), ["card_expiring 101", "suspended 101"])
    })
  )
})
