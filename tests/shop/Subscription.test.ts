import { assert, layer } from "@effect/vitest"
import { declines } from "@pay/schema/Decline"
import { Effect } from "effect"
import * as Recurring from "../harness/Recurring.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"
import { cards, isPaid, keeps, keptWay } from "./KilledShop.ts"
import * as ShopHere from "./ShopHere.ts"
import * as ShopProcess from "./ShopProcess.ts"

const poor = declines.notSufficientFunds
const expiry = "11/99"

/** A subscription that has just begun. */
const begun = Effect.gen(function* () {
  const shop = { url: yield* ShopHere.url }
  const customer = ShopProcess.customer(shop)
  yield* keeps(customer, { ...cards.quiet, expiry })
  const order = yield* customer.buy("seeds", { way: yield* keptWay(customer) })
  const { body } = yield* customer.until(order, isPaid)
  const path = /\/subscription\/\d+/.exec(body)?.[0] ?? ""
  return { customer, clerk: ShopProcess.clerk(shop), path, id: path.split("/").at(-1) ?? "" }
})

/** `Your subscription runs: Paid Paid`: how the page says it stands, and its payments, the latest first. */
const standing = Effect.fnUntraced(function* (customer: ShopProcess.Customer, path: string) {
  yield* TestMerchant.settled
  const { body, title } = yield* customer.until(path, ({ headers }) => headers.refresh === undefined)
  const payments = [...body.matchAll(/<span class="sign">([^<]*)/g)].map(([, label]) => label)
  return `${title.split(" ·")[0]}: ${payments.join(" ")}`
})

layer(ShopHere.layer, { excludeTestServices: true })("a subscription", (it) => {
  it.effect("every month is a payment of its own, for the customer and in the office, which can give it back", () =>
    Effect.gen(function* () {
      const { clerk, customer, id, path } = yield* begun
      yield* TestMerchant.pass("62 days")
      assert.strictEqual(yield* standing(customer, path), "Your subscription runs: Paid Paid Paid")
      const order = `/order/${id}:1`
      assert.include((yield* customer.visit(order)).title, "Thank you, this month is paid")
      assert.include((yield* customer.visit("/orders")).body, `href="${order}"`)
      const office = yield* clerk.visit("/office")
      assert.include(office.body, `${id}:2`)
      const form = { ...office.hidden, kind: "refund", amount: "12.00", action: "refund-of-one-month-00" }
      yield* clerk.visit(`/office${order}`, form)
      yield* customer.until(order, ({ title }) => title.startsWith("Your money is on its way back"))
      yield* customer.post(path, { change: "cancel" })
      assert.strictEqual(yield* standing(customer, path), "Your subscription has ended: Paid Refunded Paid")
      yield* TestMerchant.pass("62 days")
      assert.strictEqual(yield* standing(customer, path), "Your subscription has ended: Paid Refunded Paid")
      yield* TestMerchant.assertClean
    })
  )

  it.effect("a month that cannot be charged is shown, stops it, and it goes on with another card", () =>
    Effect.gen(function* () {
      const { clerk, customer, path } = yield* begun
      yield* Recurring.declining(poor, poor, poor, poor)
      yield* TestMerchant.pass("40 days")
      assert.strictEqual(yield* standing(customer, path), "Your card could not be charged: Declined Paid")
      const { body } = yield* clerk.visit("/office")
      assert.match(body, /Subscription \d+: suspended/)
      assert.include(body, "Not sufficient funds")
      const other = { ...cards.quiet, creditCardNumber: "4444020200000002", expiry }
      yield* keeps(customer, other)
      yield* customer.post(path, { change: "card", card: (yield* keptWay(customer)).slice("kept:".length) })
      assert.strictEqual(yield* standing(customer, path), "Your subscription runs: Declined Paid")
      assert.include((yield* customer.visit(path)).body, "ends in 0002")
      yield* TestMerchant.pass("31 days")
      assert.strictEqual(yield* standing(customer, path), "Your subscription runs: Paid Declined Paid")
      yield* customer.post(path, { change: "cancel" })
      yield* TestMerchant.assertClean
    })
  )

  it.effect("paused it charges nothing, and goes on when its customer says so", () =>
    Effect.gen(function* () {
      const { customer, path } = yield* begun
      yield* customer.post(path, { change: "pause" })
      assert.strictEqual(yield* standing(customer, path), "Your subscription is paused: Paid")
      yield* TestMerchant.pass("40 days")
      assert.strictEqual(yield* standing(customer, path), "Your subscription is paused: Paid")
      yield* customer.post(path, { change: "resume" })
      assert.strictEqual(yield* standing(customer, path), "Your subscription runs: Paid")
      yield* TestMerchant.pass("31 days")
      assert.strictEqual(yield* standing(customer, path), "Your subscription runs: Paid Paid")
      yield* customer.post(path, { change: "cancel" })
      yield* TestMerchant.assertClean
    })
  )

  it.effect("the same form twice is one change, also later; nobody else sees or changes it; no strange card", () =>
    Effect.gen(function* () {
      const { customer, path } = yield* begun
      const page = yield* customer.visit(path)
      const form: Readonly<Record<string, string>> = { ...page.hidden, change: "pause" }
      const [one, two] = yield* Effect.all([customer.visit(path, form), customer.visit(path, form)], { concurrency: 2 })
      assert.deepStrictEqual([one.status, two.status], [303, 303])
      assert.strictEqual(yield* standing(customer, path), "Your subscription is paused: Paid")
      yield* customer.post(path, { change: "resume" })
      assert.strictEqual(yield* standing(customer, path), "Your subscription runs: Paid")
      assert.strictEqual((yield* customer.visit(path, form)).status, 303)
      assert.strictEqual(yield* standing(customer, path), "Your subscription runs: Paid")

      const stranger = ShopProcess.customer({ url: yield* ShopHere.url })
      const { hidden } = yield* stranger.visit("/buy/can")
      const tried = [
        yield* stranger.visit(path),
        yield* stranger.visit(path, { ...hidden, name: form.name ?? "", change: "cancel" })
      ]
      assert.deepStrictEqual(
        tried.map(({ status }) => status),
        [404, 404]
      )
      const fresh = yield* customer.visit(path)
      for (const wrong of [{ change: "card", card: "1" }, { change: "resume" }, { change: "free" }, { name: "x" }]) {
        assert.strictEqual((yield* customer.visit(path, { ...fresh.hidden, ...wrong })).status, 400)
      }
      assert.strictEqual(yield* standing(customer, path), "Your subscription runs: Paid")
    })
  )
})
