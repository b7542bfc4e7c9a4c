import { assert, layer } from "@effect/vitest"
import { Order, OrderRequest } from "@pay/gateway/Entities"
import { Store } from "@pay/gateway/Store"
import { Effect } from "effect"
import * as Approver from "../harness/Approver.ts"
import * as HostedPage from "../harness/HostedPage.ts"
import * as PayoutPage from "../harness/PayoutPage.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"
import * as TestPayouts from "../harness/TestPayouts.ts"

const { endpoints } = TestGateway
const { open, planned, receive, shop, toAccount } = PayoutPage
const opening = 1_000_000

const rate = { settings: { sessionRate: { perSecond: 0, burst: 0 } } }

layer(TestGateway.layer(rate), { excludeTestServices: true })("a hosted payout page", (it) => {
  it.effect("asks the recipient for a destination, pays it and returns with a signed outcome", () =>
    Effect.gen(function* () {
      const { order, reply, url } = yield* open()
      assert.deepInclude(reply.body, { type: "async-form-response", status: "processing" })
      assert.deepStrictEqual(yield* TestPayouts.balances(), [opening - 1042, 1042, 0], "held from the beginning")
      const form = yield* HostedPage.browse(url)
      assert.deepInclude(form, { status: 200, title: "Money from Sandbox merchant" })
      // The sandbox's address begins with http://.
      assert.match(form.body, /class="secure"><span>Your details are never shown to the sender in full\.</)
      for (const way of ["Card", "Bank account", "Phone number", "E-wallet"]) assert.include(form.body, `>${way}<`)
      const over = yield* receive(url, toAccount)
      assert.deepInclude(over, { title: "The money is on its way", action: shop })
      assert.deepInclude(over.hidden, { status: "approved", orderid: order.orderid })
      assert.deepInclude(yield* TestMerchant.status(order), {
        status: "approved",
        "transaction-type": "payout",
        destination: "DE****************3000"
      })
      assert.deepStrictEqual(yield* TestPayouts.balances(), [opening - 1042, 0, 1042])
      yield* TestPayouts.assertClean
    })
  )

  it.effect("allows three destinations that cannot be paid, and declines the order at the last", () =>
    Effect.gen(function* () {
      const before = yield* TestPayouts.balances()
      const store = yield* Store
      const corrected = yield* open()
      const again = yield* receive(corrected.url, planned("no-account"))
      assert.deepInclude(again, { title: "Money from Sandbox merchant" })
      assert.include(again.body, "The money cannot be sent there")
      assert.include(again.body, "You can try 2 more times")
      assert.deepInclude(yield* TestMerchant.status(corrected.order), { status: "processing" })
      assert.strictEqual((yield* receive(corrected.url, toAccount, "1")).title, "The money is on its way")

      const refused = yield* open()
      for (const attempts of ["0", "1", "2"]) yield* receive(refused.url, planned("no-account"), attempts)
      assert.strictEqual((yield* HostedPage.browse(refused.url)).title, "The money was not sent")
      assert.deepInclude(yield* TestMerchant.status(refused.order), { status: "declined" })
      const [payable = 0, heldMinor, gone = 0] = before
      assert.deepStrictEqual(yield* TestPayouts.balances(), [payable - 1042, heldMinor, gone + 1042])
      const records = yield* store.find(OrderRequest, "order", { equals: [refused.order.orderid], limit: 10 })
      assert.deepStrictEqual(records.map(({ operation, progress }) => `${operation} ${progress}`).sort(), [
        "HOSTED_ATTEMPT declined",
        "HOSTED_ATTEMPT declined",
        "HOSTED_ATTEMPT declined",
        "PAYOUTFORM declined"
      ])
      yield* TestPayouts.assertClean
    })
  )

  it.effect("pays once if the button is pressed several times, and not again from an outdated page", () =>
    Effect.gen(function* () {
      const { url } = yield* open()
      const [, heldMinor = 0, gone = 0] = yield* TestPayouts.balances()
      yield* Effect.all(
        ["1", "2", "3", "4"].map(() => HostedPage.visit(url, { form: { attempts: "0", action: "pay", ...toAccount } })),
        { concurrency: "unbounded" }
      )
      yield* TestMerchant.settled
      yield* receive(url, { way: "wallet", wallet: "wallet-4711", recipient: "Jane Doe" })
      assert.deepStrictEqual((yield* TestPayouts.balances()).slice(1), [heldMinor - 1042, gone + 1042])
      yield* TestPayouts.assertClean
    })
  )

  it.effect("makes its money available again after it is cancelled or expires", () =>
    Effect.gen(function* () {
      const before = yield* TestPayouts.balances()
      const cancelled = yield* open()
      const page = yield* HostedPage.browse(cancelled.url, { form: { action: "cancel" } })
      assert.deepInclude(page, { title: "Cancelled", action: shop })
      assert.deepInclude(yield* TestMerchant.status(cancelled.order), {
        status: "declined",
        "error-code": "99",
        "order-stage": "payout_cancelled"
      })
      const expired = yield* open()
      yield* TestMerchant.pass("31 minutes")
      assert.strictEqual((yield* HostedPage.browse(expired.url)).title, "Time is up")
      assert.deepInclude(yield* TestMerchant.status(expired.order), {
        status: "declined",
        "order-stage": "payout_expired"
      })
      assert.strictEqual((yield* receive(expired.url, toAccount)).title, "Time is up")
      const [, , gone = 0] = before
      assert.deepStrictEqual(
        yield* TestPayouts.balances(),
        [opening - gone, 0, gone],
        "every page that was left is over"
      )
      yield* TestPayouts.assertClean
    })
  )

  it.effect("waits for the second approver after the recipient has submitted a destination", () =>
    Effect.gen(function* () {
      const endpointId = endpoints.approval
      const { order, url } = yield* open({}, { endpointId })
      assert.strictEqual((yield* Approver.look(order.orderid)).status, 401, "there is nothing to agree to yet")
      const page = yield* receive(url, toAccount)
      assert.deepInclude(page, { title: "We have your details", action: shop })
      assert.strictEqual(yield* TestPayouts.orderStatus(order, { endpointId }), "processing payout_waiting_approval")
      yield* TestMerchant.pass("2 hours")
      assert.deepInclude((yield* Approver.look(order.orderid)).body, { recipientShown: "DE****************3000" })
      yield* Approver.decide(order.orderid, "approve")
      yield* TestMerchant.settled
      assert.strictEqual((yield* HostedPage.browse(url)).title, "The money is on its way")
      assert.deepInclude(yield* TestMerchant.status(order, { endpointId }), { status: "approved" })
      yield* TestPayouts.assertClean
    })
  )
})

layer(TestGateway.layer({ settings: { cardRate: { perSecond: 0.001, burst: 2 } } }), { excludeTestServices: true })(
  "hosted payout pages for one card",
  (it) => {
    it.effect("end filtered from the third page on, and other cards are not affected", () =>
      Effect.gen(function* () {
        const given = Effect.fnUntraced(function* (number: string) {
          const { order, url } = yield* open()
          yield* receive(url, { way: "card", number, recipient: "Jane Doe" })
          const { status } = yield* TestMerchant.status(order)
          return [status, (yield* (yield* Store).load(Order, [order.orderid]))?.filteredBy]
        })
        for (const _ of [1, 2]) assert.deepStrictEqual(yield* given("4444555566661111"), ["approved", null])
        assert.deepStrictEqual(yield* given("4444555566661111"), ["filtered", "velocity:card-rate"])
        assert.deepStrictEqual(yield* given("4444444444444448"), ["approved", null])
        yield* TestPayouts.assertClean
      })
    )
  }
)
