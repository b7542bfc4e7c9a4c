/** Tests what happens days later without a person at the shop: the gateway sends callbacks, and the shop's records follow. */
import { assert, layer } from "@effect/vitest"
import { RailControl } from "@pay/sandbox/RailControl"
import { Effect } from "effect"
import * as TestMerchant from "../harness/TestMerchant.ts"
import { cards, isPaid, orderIdOf } from "./KilledShop.ts"
import * as ShopHere from "./ShopHere.ts"
import * as ShopProcess from "./ShopProcess.ts"

/** How the latest payout stands. */
const latest = Effect.fnUntraced(function* (clerk: ShopProcess.Customer) {
  yield* TestMerchant.settled
  const { body } = yield* clerk.until("/office/payouts", ({ headers }) => headers.refresh === undefined)
  return /<span class="sign">([^<]*)/.exec(body)?.[1]
})

const confirming = /\/office\/payouts\/([\w-]+)\/confirm/

/** A supplier whose account was checked. */
const checked = Effect.gen(function* () {
  const clerk = ShopProcess.clerk({ url: yield* ShopHere.url })
  const supplier = { supplier: "Willow", account: "DE89370400440532013000", amount: "25.00" }
  yield* clerk.post("/office/payouts", supplier)
  assert.strictEqual(yield* latest(clerk), "To be confirmed")
  return clerk
})

layer(ShopHere.layer, { excludeTestServices: true })("days later", (it) => {
  it.effect("a hold that nobody charged is the customer's again, and nothing of it can be charged", () =>
    Effect.gen(function* () {
      const shop = { url: yield* ShopHere.url }
      const customer = ShopProcess.customer(shop)
      const order = yield* customer.buy("bench", { ...cards.quiet, expiry: "11/99" })
      yield* customer.until(order, isPaid)
      yield* TestMerchant.pass("8 days")
      yield* TestMerchant.settled
      yield* customer.until(order, ({ title }) => title.startsWith("Your order was cancelled"))
      const office = yield* ShopProcess.clerk(shop).visit("/office")
      assert.include(office.body, ">Released<")
      assert.notInclude(office.body, "Held")
      yield* TestMerchant.assertClean
    })
  )

  it.effect("a payout that nobody confirmed has lapsed", () =>
    Effect.gen(function* () {
      const clerk = yield* checked
      yield* TestMerchant.pass("25 hours")
      assert.strictEqual(yield* latest(clerk), "Refused")
      yield* TestMerchant.assertClean
    })
  )

  it.effect("a payout is paid once, however often it is confirmed, and one that comes back is told", () =>
    Effect.gen(function* () {
      const clerk = yield* checked
      const { body, hidden } = yield* clerk.visit("/office/payouts")
      const [path = "", id = ""] = confirming.exec(body) ?? []
      yield* Effect.all([clerk.visit(path, hidden), clerk.visit(path, hidden)], { concurrency: 2 })
      assert.strictEqual(yield* latest(clerk), "Paid")
      yield* clerk.visit(path, hidden)
      assert.strictEqual(yield* latest(clerk), "Paid")
      const rail = yield* RailControl
      const orderId = yield* orderIdOf(id)
      assert.deepInclude(yield* rail.books.totals(orderId), { paidMinor: 2500 })
      const paid = (yield* rail.books.ofOrder(orderId)).find(({ request }) => request.kind === "pay")
      yield* rail.refuseLate(paid?.request.reference ?? "", { code: 119, message: "The account is closed" })
      yield* TestMerchant.pass("1 day")
      assert.strictEqual(yield* latest(clerk), "Refused")
      yield* TestMerchant.assertClean
    })
  )
})
