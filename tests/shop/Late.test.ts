/** Tests what happens days later without a person at the shop: the gateway sends callbacks, and the shop's records follow. */
import { assert, layer } from "@effect/vitest"
import { RailControl } from "@pay/sandbox/RailControl"
import { Effect } from "effect"
import * as TestMerchant from "../harness/TestMerchant.ts"
import * as InProcessShop from "./InProcessShop.ts"
import { cards, isPaid, orderIdOf } from "./KilledShop.ts"
import * as ShopProcess from "./ShopProcess.ts"

/** Returns the displayed status of the latest payout. */
const latestStatus = Effect.fnUntraced(function* (clerk: ShopProcess.Customer) {
  yield* TestMerchant.settled
  const { body } = yield* clerk.until("/office/payouts", ({ headers }) => headers.refresh === undefined)
  return /<span class="sign">([^<]*)/.exec(body)?.[1]
})

const confirming = /\/office\/payouts\/([\w-]+)\/confirm/

/** Enters a payout to a supplier, whose account is then checked. */
const checkedPayout = Effect.gen(function* () {
  const clerk = ShopProcess.clerk({ url: yield* InProcessShop.url })
  const supplier = { supplier: "Willow", account: "DE89370400440532013000", amount: "25.00" }
  yield* clerk.post("/office/payouts", supplier)
  assert.strictEqual(yield* latestStatus(clerk), "To be confirmed")
  return clerk
})

layer(InProcessShop.layer, { excludeTestServices: true })("the shop days later", (it) => {
  it.effect("shows a lapsed hold as released, and offers no capture of it", () =>
    Effect.gen(function* () {
      const shop = { url: yield* InProcessShop.url }
      const customer = ShopProcess.customer(shop)
      const order = yield* customer.buy("bench", { ...cards.frictionless, expiry: "11/99" })
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

  it.effect("shows an unconfirmed payout as refused after it has lapsed", () =>
    Effect.gen(function* () {
      const clerk = yield* checkedPayout
      yield* TestMerchant.pass("25 hours")
      assert.strictEqual(yield* latestStatus(clerk), "Refused")
      yield* TestMerchant.assertClean
    })
  )

  it.effect("pays a payout once if it is confirmed repeatedly, and shows its late refusal", () =>
    Effect.gen(function* () {
      const clerk = yield* checkedPayout
      const { body, hidden } = yield* clerk.visit("/office/payouts")
      const [path = "", id = ""] = confirming.exec(body) ?? []
      yield* Effect.all([clerk.visit(path, hidden), clerk.visit(path, hidden)], { concurrency: 2 })
      assert.strictEqual(yield* latestStatus(clerk), "Paid")
      yield* clerk.visit(path, hidden)
      assert.strictEqual(yield* latestStatus(clerk), "Paid")
      const rail = yield* RailControl
      const orderId = yield* orderIdOf(id)
      assert.deepInclude(yield* rail.books.totals(orderId), { paidMinor: 2500 })
      const paid = (yield* rail.books.ofOrder(orderId)).find(({ request }) => request.kind === "pay")
      yield* rail.refuseLate(paid?.request.reference ?? "", { code: 119, message: "The account is closed" })
      yield* TestMerchant.pass("1 day")
      assert.strictEqual(yield* latestStatus(clerk), "Refused")
      yield* TestMerchant.assertClean
    })
  )
})
