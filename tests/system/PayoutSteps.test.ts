import { assert, layer } from "@effect/vitest"
import { Order } from "@pay/gateway/Entities"
import { Store } from "@pay/gateway/Store"
import { RailControl } from "@pay/sandbox/RailControl"
import * as PayApi from "@pay/schema/PayApi"
import * as OAuthKey from "@pay/signing/OAuth"
import { Effect } from "effect"
import * as Merchants from "../harness/Merchants.ts"
import * as OAuth from "../harness/OAuth.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"
import * as TestPayouts from "../harness/TestPayouts.ts"

const { PAYOUT_V4_CHECK, PAYOUT_V4_PAY } = PayApi.operations

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

  it.effect("is declined if the recipient fails the check, and holds no money", () =>
    Effect.gen(function* () {
      const before = yield* TestPayouts.balances()
      const order = yield* checked(TestPayouts.toCard("no-account"))
      assert.deepInclude(yield* TestMerchant.status(order), { status: "declined", "error-code": "114" })
      assert.deepStrictEqual(yield* TestPayouts.balances(), before)
      TestMerchant.assertRefused(yield* TestPayouts.pay(order), "orderState")
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

  it.effect("answers a second payout-pay like the first if the rail refuses", () =>
    Effect.gen(function* () {
      const order = yield* checked(TestPayouts.toCard("pay-refused"))
      TestMerchant.assertAccepted(yield* TestPayouts.pay(order))
      yield* TestMerchant.settled
      assert.deepInclude(yield* TestMerchant.status(order), { status: "declined", "error-code": "104" })
      TestMerchant.assertAccepted(yield* TestPayouts.pay(order))
      yield* TestMerchant.settled
      assert.strictEqual(yield* paid(order), 1)
      yield* TestPayouts.assertClean
    })
  )

  it.effect("refuses a bound Idempotency-Key with different content", () =>
    Effect.gen(function* () {
      const order = yield* checked()
      const headers = { "idempotency-key": "bound" }
      TestMerchant.assertAccepted(yield* TestPayouts.pay(order, { headers }))
      TestMerchant.assertAccepted(yield* TestPayouts.pay(order, { headers }))
      const other = yield* TestPayouts.pay(order, { headers, fields: { server_callback_url: "http://127.0.0.1:9/x" } })
      TestMerchant.assertRefused(other, "idempotencyKeyConflict")
      yield* TestMerchant.settled
      yield* TestPayouts.assertClean
    })
  )

  it.effect("is refused before its check has ended, and paid afterwards", () =>
    Effect.gen(function* () {
      const rail = yield* RailControl
      yield* rail.next("check", { delivery: { _tag: "NeverArrives", times: 1 } })
      const reply = yield* TestPayouts.send("PAYOUT_V4_CHECK", TestPayouts.plain)
      yield* TestMerchant.settled
      const order = TestMerchant.nameOf(reply)
      assert.strictEqual(yield* TestPayouts.orderStatus(order), "processing payout_processing")
      const early = yield* TestPayouts.pay(order)
      TestMerchant.assertRefused(early, "orderState")
      assert.include(TestMerchant.text(early, "error-message"), "still being checked")
      yield* TestMerchant.pass("5 seconds")
      assert.strictEqual(yield* TestPayouts.orderStatus(order), "processing payout_checked")
      TestMerchant.assertAccepted(yield* TestPayouts.pay(order))
      yield* TestMerchant.settled
      assert.strictEqual(yield* TestPayouts.orderStatus(order), "approved payout_approved")
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

  it.effect("is checked when the rail is available again within the day", () =>
    Effect.gen(function* () {
      const rail = yield* RailControl
      yield* rail.next("check", { delivery: { _tag: "NotSent", times: 9 } })
      const order = yield* checked()
      yield* TestMerchant.pass("1 hour")
      assert.strictEqual(yield* TestPayouts.orderStatus(order), "processing payout_processing")
      yield* TestMerchant.pass("4 hours")
      assert.strictEqual(yield* TestPayouts.orderStatus(order), "processing payout_checked")
      TestMerchant.assertAccepted(yield* TestPayouts.pay(order))
      yield* TestMerchant.settled
    })
  )

  it.effect("is declined after a day if its check is never answered", () =>
    Effect.gen(function* () {
      const before = yield* TestPayouts.balances()
      const order = yield* checked(TestPayouts.toCard("check-never"))
      yield* TestMerchant.pass("25 hours")
      assert.deepInclude(yield* TestMerchant.status(order), { status: "declined", "error-code": "98" })
      assert.deepStrictEqual(yield* TestPayouts.balances(), before)
      yield* TestPayouts.assertClean
    })
  )

  it.effect("does not lapse after payout-pay while the rail does not answer", () =>
    Effect.gen(function* () {
      const order = yield* checked(TestPayouts.toCard("never-decided"))
      TestMerchant.assertAccepted(yield* TestPayouts.pay(order))
      yield* TestMerchant.pass("3 days")
      assert.strictEqual(yield* TestPayouts.orderStatus(order), "unknown payout_unknown")
      const rail = yield* RailControl
      yield* rail.settle(`${order.orderid}-pay-1`, { _tag: "Approve" })
      yield* TestMerchant.pass("1 day")
      assert.strictEqual(yield* TestPayouts.orderStatus(order), "approved payout_approved")
      yield* TestPayouts.assertClean
    })
  )

  it.effect("is checked once if it is repeated", () =>
    Effect.gen(function* () {
      const fields = { ...TestPayouts.plain, client_orderid: TestMerchant.freshId() }
      const replies = yield* Effect.forEach([1, 2, 3], () => TestPayouts.send("PAYOUT_V4_CHECK", fields), {
        concurrency: 3
      })
      assert.strictEqual(new Set(replies.map(({ body }) => body["payout-id"])).size, 1)
      yield* TestMerchant.settled
    })
  )

  it.effect("is the only order that payout-pay accepts: not a payout in one step or a sale", () =>
    Effect.gen(function* () {
      const payout = yield* TestPayouts.made("PAYOUT_V4")
      const sale = yield* TestMerchant.order("SALE")
      for (const order of [payout, sale]) TestMerchant.assertRefused(yield* TestPayouts.pay(order), "orderState")
      for (const name of ["CAPTURE", "VOID", "RETURN"] as const)
        TestMerchant.assertRefused(yield* TestMerchant.act(name, payout), "orderState")
      yield* TestPayouts.assertClean
    })
  )
})

layer(TestGateway.layer({ merchants: Merchants.both() }), { excludeTestServices: true })("payout-pay", (it) => {
  it.effect("gets one refusal for another merchant's, a mismatched and an unknown order", () =>
    Effect.gen(function* () {
      const mine = yield* checked()
      const second = yield* checked()
      const { endpointId, login } = Merchants.other
      const theirs = { login, endpointId }
      const replies = [
        yield* TestPayouts.pay(mine, theirs),
        yield* TestPayouts.pay({ ...mine, orderid: "1" }),
        yield* TestPayouts.pay({ ...mine, client_orderid: second.client_orderid }),
        yield* TestPayouts.pay({ ...mine, client_orderid: "nobody-s" })
      ]
      for (const reply of replies) TestMerchant.assertRefused(reply, "orderNotFound")
      yield* TestMerchant.settled
      const store = yield* Store
      assert.strictEqual((yield* store.load(Order, [mine.orderid]))?.state, "checked")
    })
  )

  it.effect("is refused with a wrong signature, and the balance stays as it was", () =>
    Effect.gen(function* () {
      const order = yield* checked()
      const fields = { ...order }
      TestMerchant.assertRefused(
        yield* OAuth.send(PAYOUT_V4_PAY, { fields, key: OAuth.hmac }),
        "oauthMethodUnsupported"
      )
      TestMerchant.assertRefused(
        yield* OAuth.send(PAYOUT_V4_PAY, { fields: { ...fields, login: "other-merchant" } }),
        "oauthSignatureInvalid"
      )
      TestMerchant.assertRefused(yield* OAuth.send(PAYOUT_V4_CHECK, { key: OAuth.hmac }), "oauthMethodUnsupported")
      TestMerchant.assertRefused(
        yield* OAuth.send(PAYOUT_V4_CHECK, { key: OAuthKey.hmac("guessed") }),
        "oauthMethodUnsupported"
      )
      yield* TestMerchant.settled
      assert.strictEqual(yield* TestPayouts.orderStatus(order), "processing payout_checked")
    })
  )
})
