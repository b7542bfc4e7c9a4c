import { assert, layer } from "@effect/vitest"
import { declines } from "@pay/schema/Decline"
import { Effect } from "effect"
import * as Recurring from "../harness/Recurring.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"
import * as InProcessShop from "./InProcessShop.ts"
import { buyAndStoreCard, cards, isPaid, storedCardWay } from "./KilledShop.ts"
import * as ShopProcess from "./ShopProcess.ts"

const insufficientFunds = declines.notSufficientFunds
const expiry = "11/99"

/** Starts a subscription with a stored card. */
const newSubscription = Effect.gen(function* () {
  const shop = { url: yield* InProcessShop.url }
  const customer = ShopProcess.customer(shop)
  yield* buyAndStoreCard(customer, { ...cards.frictionless, expiry })
  const order = yield* customer.buy("seeds", { way: yield* storedCardWay(customer) })
  const { body } = yield* customer.until(order, isPaid)
  const path = /\/subscription\/\d+/.exec(body)?.[0] ?? ""
  return { customer, clerk: ShopProcess.clerk(shop), path, id: path.split("/").at(-1) ?? "" }
})

/** `Your subscription runs: Paid Paid`: the status that the page shows, and its payments, the latest first. */
const displayedStatus = Effect.fnUntraced(function* (customer: ShopProcess.Customer, path: string) {
  yield* TestMerchant.settled
  const { body, title } = yield* customer.until(path, ({ headers }) => headers.refresh === undefined)
  const payments = [...body.matchAll(/<span class="sign">([^<]*)/g)].map(([, label]) => label)
  return `${title.split(" ·")[0]}: ${payments.join(" ")}`
})

layer(InProcessShop.layer, { excludeTestServices: true })("a subscription", (it) => {
  it.effect("has an order for each month, which the back office can refund", () =>
    Effect.gen(function* () {
      const { clerk, customer, id, path } = yield* newSubscription
      yield* TestMerchant.pass("62 days")
      assert.strictEqual(yield* displayedStatus(customer, path), "Your subscription runs: Paid Paid Paid")
      const order = `/order/${id}:1`
      assert.include((yield* customer.visit(order)).title, "Thank you, this month is paid")
      assert.include((yield* customer.visit("/orders")).body, `href="${order}"`)
      const office = yield* clerk.visit("/office")
      assert.include(office.body, `${id}:2`)
      const form = { ...office.hidden, kind: "refund", amount: "12.00", action: "refund-of-one-month-00" }
      yield* clerk.visit(`/office${order}`, form)
      yield* customer.until(order, ({ title }) => title.startsWith("Your money is on its way back"))
      yield* customer.post(path, { change: "cancel" })
      assert.strictEqual(yield* displayedStatus(customer, path), "Your subscription has ended: Paid Refunded Paid")
      yield* TestMerchant.pass("62 days")
      assert.strictEqual(yield* displayedStatus(customer, path), "Your subscription has ended: Paid Refunded Paid")
      yield* TestMerchant.assertClean
    })
  )

  it.effect("stops when a month cannot be charged, shows the reason, and continues with another card", () =>
    Effect.gen(function* () {
      const { clerk, customer, path } = yield* newSubscription
      yield* Recurring.declining(insufficientFunds, insufficientFunds, insufficientFunds, insufficientFunds)
      yield* TestMerchant.pass("40 days")
      assert.strictEqual(yield* displayedStatus(customer, path), "Your card could not be charged: Declined Paid")
      const { body } = yield* clerk.visit("/office")
      assert.match(body, /Subscription \d+: suspended/)
      assert.include(body, "Not sufficient funds")
      const other = { ...cards.frictionless, creditCardNumber: "4444020200000002", expiry }
      yield* buyAndStoreCard(customer, other)
      yield* customer.post(path, { change: "card", card: (yield* storedCardWay(customer)).slice("kept:".length) })
      assert.strictEqual(yield* displayedStatus(customer, path), "Your subscription runs: Declined Paid")
      assert.include((yield* customer.visit(path)).body, "ends in 0002")
      yield* TestMerchant.pass("31 days")
      assert.strictEqual(yield* displayedStatus(customer, path), "Your subscription runs: Paid Declined Paid")
      yield* customer.post(path, { change: "cancel" })
      yield* TestMerchant.assertClean
    })
  )

  it.effect("charges nothing while it is paused, and continues when the customer resumes it", () =>
    Effect.gen(function* () {
      const { customer, path } = yield* newSubscription
      yield* customer.post(path, { change: "pause" })
      assert.strictEqual(yield* displayedStatus(customer, path), "Your subscription is paused: Paid")
      yield* TestMerchant.pass("40 days")
      assert.strictEqual(yield* displayedStatus(customer, path), "Your subscription is paused: Paid")
      yield* customer.post(path, { change: "resume" })
      assert.strictEqual(yield* displayedStatus(customer, path), "Your subscription runs: Paid")
      yield* TestMerchant.pass("31 days")
      assert.strictEqual(yield* displayedStatus(customer, path), "Your subscription runs: Paid Paid")
      yield* customer.post(path, { change: "cancel" })
      yield* TestMerchant.assertClean
    })
  )

  it.effect("changes once when a form is sent twice, for its own customer only, and only to a stored card", () =>
    Effect.gen(function* () {
      const { customer, path } = yield* newSubscription
      const page = yield* customer.visit(path)
      const form: Readonly<Record<string, string>> = { ...page.hidden, change: "pause" }
      const [one, two] = yield* Effect.all([customer.visit(path, form), customer.visit(path, form)], { concurrency: 2 })
      assert.deepStrictEqual([one.status, two.status], [303, 303])
      assert.strictEqual(yield* displayedStatus(customer, path), "Your subscription is paused: Paid")
      yield* customer.post(path, { change: "resume" })
      assert.strictEqual(yield* displayedStatus(customer, path), "Your subscription runs: Paid")
      assert.strictEqual((yield* customer.visit(path, form)).status, 303)
      assert.strictEqual(yield* displayedStatus(customer, path), "Your subscription runs: Paid")

      const otherCustomer = ShopProcess.customer({ url: yield* InProcessShop.url })
      const { hidden } = yield* otherCustomer.visit("/buy/can")
      const tried = [
        yield* otherCustomer.visit(path),
        yield* otherCustomer.visit(path, { ...hidden, name: form.name ?? "", change: "cancel" })
      ]
      assert.deepStrictEqual(
        tried.map(({ status }) => status),
        [404, 404]
      )
      const fresh = yield* customer.visit(path)
      for (const wrong of [{ change: "card", card: "1" }, { change: "resume" }, { change: "free" }, { name: "x" }]) {
        assert.strictEqual((yield* customer.visit(path, { ...fresh.hidden, ...wrong })).status, 400)
      }
      assert.strictEqual(yield* displayedStatus(customer, path), "Your subscription runs: Paid")
    })
  )
})
