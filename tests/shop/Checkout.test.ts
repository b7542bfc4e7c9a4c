/** The form of the checkout: its messages about mistakes, and the input that it keeps. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as TestMerchant from "../harness/TestMerchant.ts"
import * as InProcessShop from "./InProcessShop.ts"
import { cards, idOf, isPaid } from "./KilledShop.ts"
import * as ShopProcess from "./ShopProcess.ts"

const { details } = ShopProcess

const newCustomer = Effect.map(InProcessShop.url, (url) => ShopProcess.customer({ url }))

const fill = Effect.fnUntraced(function* (product: string, form: Readonly<Record<string, string>>) {
  const customer = yield* newCustomer
  const { hidden } = yield* customer.visit(`/buy/${product}`)
  return yield* customer.visit(`/buy/${product}`, { ...hidden, ...details, ...form })
})

/** What the page says beside the field. */
const beside = (body: string, field: string) => new RegExp(`id="${field}-error">([^<]*)`).exec(body)?.[1]

const month = (offset: number) =>
  Effect.sync(() => {
    const now = new Date()
    const day = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset))
    return `${String(day.getUTCMonth() + 1).padStart(2, "0")}/${String(day.getUTCFullYear()).slice(2)}`
  })

layer(InProcessShop.layer, { excludeTestServices: true })("the checkout form", (it) => {
  it.effect("refuses an expired card beside its field, and accepts a card that expires this month", () =>
    Effect.gen(function* () {
      for (const product of ["can", "bench", "seeds"]) {
        const { body, status } = yield* fill(product, { ...cards.frictionless, expiry: yield* month(-2) })
        assert.deepStrictEqual(
          [status, beside(body, "expiry")],
          [422, "This card has expired. Please use another one."],
          product
        )
      }
      const both = yield* fill("can", { ...cards.frictionless, expiry: "1/2020", email: "" })
      assert.isDefined(beside(both.body, "expiry"))
      assert.isDefined(beside(both.body, "email"))
      assert.strictEqual((yield* fill("can", { ...cards.frictionless, expiry: yield* month(0) })).status, 303)
    })
  )

  it.effect("keeps refused input, the card number included, and never the security code", () =>
    Effect.gen(function* () {
      const typed = { ...cards.frictionless, creditCardNumber: "4444 0202 0000 0002", cvv2: "9473", expiry: "10/33" }
      const { body, headers, status } = yield* fill("can", { ...typed, email: "" })
      assert.deepStrictEqual([status, headers["cache-control"]], [422, "no-store"])
      assert.include(body, 'value="4444 0202 0000 0002"')
      assert.include(body, 'value="10/33"')
      assert.notInclude(body, "9473")
    })
  )

  it.effect("sells a gift card of the amount that the customer types, and refuses one beyond its limits", () =>
    Effect.gen(function* () {
      for (const amount of ["", "4.99", "500.01", "25.001", "25,5", "-25"]) {
        const { body, status } = yield* fill("gift", { ...cards.frictionless, amount })
        const says = "Enter an amount of $5.00 to $500.00, such as 25.00."
        assert.deepStrictEqual([status, beside(body, "amount")], [422, says], amount)
        assert.include(body, `name="amount" value="${amount}"`)
      }
      const customer = yield* newCustomer
      const order = yield* customer.buy("gift", { ...cards.frictionless, amount: "25.5" })
      const request = yield* customer.untilRedirected(order)
      yield* customer.visit(yield* customer.backPath(order), request.hidden)
      const { body } = yield* customer.until(order, isPaid)
      assert.include(body, "$25.50")
      const status = yield* TestMerchant.status({ client_orderid: idOf(order) })
      assert.deepInclude(status, { amount: "25.50", status: "approved" })
      yield* TestMerchant.assertClean
    })
  )

  it.effect("sells a product of the catalogue at its price, whatever amount a browser posts", () =>
    Effect.gen(function* () {
      const customer = yield* newCustomer
      const order = yield* customer.buy("can", { way: "hosted", amount: "5.00" })
      assert.include((yield* customer.visit(order)).body, "$48.00")
    })
  )

  it.effect("sells a subscription by a new card with 3-D Secure, and requires its security code", () =>
    Effect.gen(function* () {
      const noCode = yield* fill("seeds", { ...cards.frictionless, cvv2: "" })
      assert.deepStrictEqual([noCode.status, beside(noCode.body, "cvv2") !== undefined], [422, true])
      const customer = yield* newCustomer
      const order = yield* customer.buy("seeds", cards.frictionless)
      const request = yield* customer.untilRedirected(order)
      yield* customer.visit(yield* customer.backPath(order), request.hidden)
      const { body } = yield* customer.until(order, isPaid)
      const path = /\/subscription\/\d+/.exec(body)?.[0] ?? ""
      assert.include((yield* customer.visit(path)).title, "Your subscription runs")
      assert.deepInclude(yield* TestMerchant.status({ client_orderid: idOf(order) }), {
        amount: "12.00",
        status: "approved"
      })
      yield* customer.post(path, { change: "cancel" })
      yield* customer.until(path, ({ title }) => title.startsWith("Your subscription has ended"))
      yield* TestMerchant.assertClean
    })
  )
})
