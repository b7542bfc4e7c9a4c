import { assert, layer } from "@effect/vitest"
import { RailControl } from "@pay/sandbox/RailControl"
import { Effect } from "effect"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"
import * as TestPayouts from "../harness/TestPayouts.ts"

const checked = (fields: TestMerchant.Fields = TestPayouts.plain) => TestPayouts.made("PAYOUT_V4_CHECK", fields)

const paid = Effect.fnUntraced(function* (order: TestMerchant.Order) {
  const rail = yield* RailControl
  const books = yield* rail.books.ofOrder(order.orderid)
  return books.filter(({ request }) => request.kind === "pay").length
})

layer(TestGateway.layer(), { excludeTestServices: true })("a payout in two steps", (it) => {
  it.effect("holds its money after the check, and is paid after payout-pay", () =>
    Effect.gen(function* () {
      const [available = 0, heldMinor = 0, gone = 0] = yield* TestPayouts.balances()
      const order = yield* checked()
      assert.strictEqual(yield* TestPayouts.orderStatus(order), "processing payout_checked")
      assert.deepStrictEqual(yield* TestPayouts.balances(), [available - 1042, heldMinor + 1042, gone])
      assert.strictEqual(yield* paid(order), 0)
      yield* TestPayouts.assertClean
      const reply = yield* TestPayouts.pay(order)
      TestMerchant.assertAccepted(reply)
      assert.strictEqual(reply.body["payout-id"], order.orderid)
      yield* TestMerchant.settled
      assert.strictEqual(yield* TestPayouts.orderStatus(order), "approved payout_approved")
      assert.deepInclude(yield* TestMerchant.outcomeOf(reply), { status: "approved", "transaction-type": "payout" })
      assert.deepStrictEqual(yield* TestPayouts.balances(), [available - 1042, heldMinor, gone + 1042])
      yield* TestPayouts.assertClean
    })
  )

  it.effect("is paid once by a hundred payout-pay requests at the same time, with any Idempotency-Keys", () =>
    Effect.gen(function* () {
      const order = yield* checked()
      const replies = yield* Effect.forEach(
        Array.from({ length: 100 }, (_, n) => n),
        (n) => TestPayouts.pay(order, n % 2 === 0 ? {} : { headers: { "idempotency-key": `key-${n}` } }),
        { concurrency: "unbounded" }
      )
      for (const reply of replies) TestMerchant.assertAccepted(reply)
      assert.strictEqual(new Set(replies.map(({ body }) => body["serial-number"])).size, 100)
      yield* TestMerchant.settled
      assert.strictEqual(yield* paid(order), 1)
      TestMerchant.assertAccepted(yield* TestPayouts.pay(order))
      yield* TestMerchant.settled
      assert.strictEqual(yield* paid(order), 1)
      yield* TestPayouts.assertClean
    })
  )

  it.effect("is declined after a day without payout-pay, with a callback, and its money is available again", () =>
    Effect.gen(function* () {
      const before = yield* TestPayouts.balances()
      const url = "http://127.0.0.1:9/lapsed"
      const order = yield* checked({ ...TestPayouts.plain, server_callback_url: url })
      yield* TestMerchant.pass("23 hours")
      assert.strictEqual(yield* TestPayouts.orderStatus(order), "processing payout_checked")
      yield* TestMerchant.pass("1 hour")
      assert.deepInclude(yield* TestMerchant.status(order), { status: "declined", "error-code": "98" })
      assert.deepStrictEqual(yield* TestPayouts.balances(), before)
      const events = yield* TestPayouts.events(order)
      assert.deepStrictEqual(
        events.map((event) => event.url),
        [url]
      )
      assert.match(String(events[0]?.query), /status=declined.*error_code=98/)
      TestMerchant.assertRefused(yield* TestPayouts.pay(order), "orderState")
      yield* TestPayouts.assertClean
    })
  )
})
