import { assert, layer } from "@effect/vitest"
import { Order } from "@pay/gateway/entities/Order"
import { Store } from "@pay/gateway/Store"
import { RailControl } from "@pay/sandbox/RailControl"
import * as PayApi from "@pay/schema/PayApi"
import * as OAuthKey from "@pay/signing/OAuth"
import { Effect } from "effect"
import * as Merchants from "./Merchants.ts"
import * as OAuth from "./OAuth.ts"
import * as PayoutPlay from "./PayoutPlay.ts"
import * as Play from "./Play.ts"
import * as TestGateway from "./TestGateway.ts"

const { PAYOUT_V4_CHECK, PAYOUT_V4_PAY } = PayApi.operations

const checked = (fields: Play.Fields = PayoutPlay.plain) => PayoutPlay.made("PAYOUT_V4_CHECK", fields)

const paid = Effect.fnUntraced(function* (order: Play.Order) {
  const rail = yield* RailControl
  const books = yield* rail.books.ofOrder(order.orderid)
  return books.filter(({ request }) => request.kind === "pay").length
})

layer(TestGateway.layer(), { excludeTestServices: true })("a payout in two steps", (it) => {
  it.effect("is checked with its money set aside, and paid when its merchant says so", () =>
    Effect.gen(function* () {
      const [available = 0, held = 0, gone = 0] = yield* PayoutPlay.balances()
      const order = yield* checked()
      assert.strictEqual(yield* PayoutPlay.standing(order), "processing payout_checked")
      assert.deepStrictEqual(yield* PayoutPlay.balances(), [available - 1042, held + 1042, gone])
      assert.strictEqual(yield* paid(order), 0)
      yield* PayoutPlay.assertClean
      const reply = yield* PayoutPlay.pay(order)
      Play.assertAccepted(reply)
      assert.strictEqual(reply.body["payout-id"], order.orderid)
      yield* Play.settled
      assert.strictEqual(yield* PayoutPlay.standing(order), "approved payout_approved")
      assert.deepInclude(yield* Play.outcomeOf(reply), { status: "approved", "transaction-type": "payout" })
      assert.deepStrictEqual(yield* PayoutPlay.balances(), [available - 1042, held, gone + 1042])
      yield* PayoutPlay.assertClean
    })
  )

  it.effect("to somebody who fails the check is declined, and nothing stays set aside", () =>
    Effect.gen(function* () {
      const before = yield* PayoutPlay.balances()
      const order = yield* checked(PayoutPlay.toCard("no-account"))
      assert.deepInclude(yield* Play.status(order), { status: "declined", "error-code": "114" })
      assert.deepStrictEqual(yield* PayoutPlay.balances(), before)
      Play.assertRefused(yield* PayoutPlay.pay(order), "orderState")
      yield* PayoutPlay.assertClean
    })
  )

  it.effect("is paid once, however often and with whatever keys a hundred at once say so", () =>
    Effect.gen(function* () {
      const order = yield* checked()
      const replies = yield* Effect.forEach(
        Array.from({ length: 100 }, (_, n) => n),
        (n) => PayoutPlay.pay(order, n % 2 === 0 ? {} : { headers: { "idempotency-key": `key-${n}` } }),
        { concurrency: "unbounded" }
      )
      for (const reply of replies) Play.assertAccepted(reply)
      assert.strictEqual(new Set(replies.map(({ body }) => body["serial-number"])).size, 100)
      yield* Play.settled
      assert.strictEqual(yield* paid(order), 1)
      Play.assertAccepted(yield* PayoutPlay.pay(order))
      yield* Play.settled
      assert.strictEqual(yield* paid(order), 1)
      yield* PayoutPlay.assertClean
    })
  )

  it.effect("that the rail refuses answers a second payout-pay as the first", () =>
    Effect.gen(function* () {
      const order = yield* checked(PayoutPlay.toCard("pay-refused"))
      Play.assertAccepted(yield* PayoutPlay.pay(order))
      yield* Play.settled
      assert.deepInclude(yield* Play.status(order), { status: "declined", "error-code": "104" })
      Play.assertAccepted(yield* PayoutPlay.pay(order))
      yield* Play.settled
      assert.strictEqual(yield* paid(order), 1)
      yield* PayoutPlay.assertClean
    })
  )

  it.effect("an Idempotency-Key that was bound answers for its content only", () =>
    Effect.gen(function* () {
      const order = yield* checked()
      const headers = { "idempotency-key": "bound" }
      Play.assertAccepted(yield* PayoutPlay.pay(order, { headers }))
      Play.assertAccepted(yield* PayoutPlay.pay(order, { headers }))
      const other = yield* PayoutPlay.pay(order, { headers, fields: { server_callback_url: "http://127.0.0.1:9/x" } })
      Play.assertRefused(other, "idempotencyKeyConflict")
      yield* Play.settled
      yield* PayoutPlay.assertClean
    })
  )

  it.effect("cannot be paid before its check has ended, and can afterwards", () =>
    Effect.gen(function* () {
      const rail = yield* RailControl
      yield* rail.next("check", { journey: { _tag: "NeverArrives", times: 1 } })
      const reply = yield* PayoutPlay.send("PAYOUT_V4_CHECK", PayoutPlay.plain)
      yield* Play.settled
      const order = Play.nameOf(reply)
      assert.strictEqual(yield* PayoutPlay.standing(order), "processing payout_processing")
      const early = yield* PayoutPlay.pay(order)
      Play.assertRefused(early, "orderState")
      assert.include(Play.text(early, "error-message"), "still being checked")
      yield* Play.pass("5 seconds")
      assert.strictEqual(yield* PayoutPlay.standing(order), "processing payout_checked")
      Play.assertAccepted(yield* PayoutPlay.pay(order))
      yield* Play.settled
      assert.strictEqual(yield* PayoutPlay.standing(order), "approved payout_approved")
    })
  )

  it.effect("nobody confirms is over after a day: declined, told, its money free", () =>
    Effect.gen(function* () {
      const before = yield* PayoutPlay.balances()
      const url = "http://127.0.0.1:9/lapsed"
      const order = yield* checked({ ...PayoutPlay.plain, server_callback_url: url })
      yield* Play.pass("23 hours")
      assert.strictEqual(yield* PayoutPlay.standing(order), "processing payout_checked")
      yield* Play.pass("1 hour")
      assert.deepInclude(yield* Play.status(order), { status: "declined", "error-code": "98" })
      assert.deepStrictEqual(yield* PayoutPlay.balances(), before)
      const events = yield* PayoutPlay.events(order)
      assert.deepStrictEqual(
        events.map((event) => event.url),
        [url]
      )
      assert.match(String(events[0]?.query), /status=declined.*error_code=98/)
      Play.assertRefused(yield* PayoutPlay.pay(order), "orderState")
      yield* PayoutPlay.assertClean
    })
  )

  it.effect("is checked once the rail is back, however long that takes within the day", () =>
    Effect.gen(function* () {
      const rail = yield* RailControl
      yield* rail.next("check", { journey: { _tag: "NotSent", times: 9 } })
      const order = yield* checked()
      yield* Play.pass("1 hour")
      assert.strictEqual(yield* PayoutPlay.standing(order), "processing payout_processing")
      yield* Play.pass("4 hours")
      assert.strictEqual(yield* PayoutPlay.standing(order), "processing payout_checked")
      Play.assertAccepted(yield* PayoutPlay.pay(order))
      yield* Play.settled
    })
  )

  it.effect("whose check is never answered is over after a day as well", () =>
    Effect.gen(function* () {
      const before = yield* PayoutPlay.balances()
      const order = yield* checked(PayoutPlay.toCard("check-never"))
      yield* Play.pass("25 hours")
      assert.deepInclude(yield* Play.status(order), { status: "declined", "error-code": "98" })
      assert.deepStrictEqual(yield* PayoutPlay.balances(), before)
      yield* PayoutPlay.assertClean
    })
  )

  it.effect("that was confirmed no longer lapses, whatever the rail takes to say so", () =>
    Effect.gen(function* () {
      const order = yield* checked(PayoutPlay.toCard("never-decided"))
      Play.assertAccepted(yield* PayoutPlay.pay(order))
      yield* Play.pass("3 days")
      assert.strictEqual(yield* PayoutPlay.standing(order), "unknown payout_unknown")
      const rail = yield* RailControl
      yield* rail.settle(`${order.orderid}-pay-1`, { _tag: "Approve" })
      yield* Play.pass("1 day")
      assert.strictEqual(yield* PayoutPlay.standing(order), "approved payout_approved")
      yield* PayoutPlay.assertClean
    })
  )

  it.effect("sent twice is checked once", () =>
    Effect.gen(function* () {
      const fields = { ...PayoutPlay.plain, client_orderid: Play.freshId() }
      const replies = yield* Effect.forEach([1, 2, 3], () => PayoutPlay.send("PAYOUT_V4_CHECK", fields), {
        concurrency: 3
      })
      assert.strictEqual(new Set(replies.map(({ body }) => body["payout-id"])).size, 1)
      yield* Play.settled
    })
  )

  it.effect("is not what a payout in one step or a sale is", () =>
    Effect.gen(function* () {
      const payout = yield* PayoutPlay.made("PAYOUT_V4")
      const sale = yield* Play.order("SALE")
      for (const order of [payout, sale]) Play.assertRefused(yield* PayoutPlay.pay(order), "orderState")
      for (const name of ["CAPTURE", "VOID", "RETURN"] as const)
        Play.assertRefused(yield* Play.act(name, payout), "orderState")
      yield* PayoutPlay.assertClean
    })
  )
})

layer(TestGateway.layer({ merchants: Merchants.both() }), { excludeTestServices: true })("payout-pay", (it) => {
  it.effect("of another merchant's, a mismatched and an unknown order is one and the same refusal", () =>
    Effect.gen(function* () {
      const mine = yield* checked()
      const second = yield* checked()
      const { endpointId, login } = Merchants.other
      const theirs = { login, endpointId }
      const replies = [
        yield* PayoutPlay.pay(mine, theirs),
        yield* PayoutPlay.pay({ ...mine, orderid: "1" }),
        yield* PayoutPlay.pay({ ...mine, client_orderid: second.client_orderid }),
        yield* PayoutPlay.pay({ ...mine, client_orderid: "nobody-s" })
      ]
      for (const reply of replies) Play.assertRefused(reply, "orderNotFound")
      yield* Play.settled
      const store = yield* Store
      assert.strictEqual((yield* store.load(Order, [mine.orderid]))?.state, "checked")
    })
  )

  it.effect("is refused where its signature is, and costs nothing", () =>
    Effect.gen(function* () {
      const order = yield* checked()
      const fields = { ...order }
      Play.assertRefused(yield* OAuth.send(PAYOUT_V4_PAY, { fields, key: OAuth.hmac }), "oauthMethodUnsupported")
      Play.assertRefused(
        yield* OAuth.send(PAYOUT_V4_PAY, { fields: { ...fields, login: "other-merchant" } }),
        "oauthSignatureInvalid"
      )
      Play.assertRefused(yield* OAuth.send(PAYOUT_V4_CHECK, { key: OAuth.hmac }), "oauthMethodUnsupported")
      Play.assertRefused(
        yield* OAuth.send(PAYOUT_V4_CHECK, { key: OAuthKey.hmac("guessed") }),
        "oauthMethodUnsupported"
      )
      yield* Play.settled
      assert.strictEqual(yield* PayoutPlay.standing(order), "processing payout_checked")
    })
  )
})
