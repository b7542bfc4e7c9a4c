import { assert, layer } from "@effect/vitest"
import { OrderRequest } from "@pay/gateway/Entities"
import { Store } from "@pay/gateway/Store"
import { Effect } from "effect"
import * as TestMerchant from "../harness/TestMerchant.ts"
import { at, customer } from "./Browser.ts"
import * as PaymentPage from "./PaymentPage.ts"

/** Returns how often a card was sent to the bank for the order. */
const attempts = Effect.fnUntraced(function* (orderid: string) {
  const store = yield* Store
  const records = yield* store.find(OrderRequest, "order", { equals: [orderid], limit: 10 })
  return records.filter(({ operation }) => operation === "HOSTED_ATTEMPT").length
})

/** The gateway waits ten seconds for the hidden method page of this card. */
const slow = "4444 0211 0000 0001"

layer(PaymentPage.layer, { concurrent: true, excludeTestServices: true })("a customer on a hosted form", (it) => {
  it.effect("pays and returns to the shop without JavaScript", () =>
    Effect.gen(function* () {
      const page = yield* customer({ javaScriptEnabled: false })
      const opened = yield* PaymentPage.open(page)
      yield* at(page, async () => {
        await page.getByLabel("Card number").fill("4444")
        await PaymentPage.payButton(page).click()
        await page.getByRole("alert").getByText("Please check the marked fields.").waitFor()
        await page.getByLabel("Card number").fill("")
        await PaymentPage.pay(page)
      })
      yield* PaymentPage.goBack(page, opened, "Payment successful", "approved")
    })
  )

  it.effect("returns to the shop without pressing a button", () =>
    Effect.gen(function* () {
      const page = yield* customer()
      const { names } = yield* PaymentPage.open(page)
      yield* at(page, () => PaymentPage.pay(page))
      yield* PaymentPage.backInShop(page, names, "approved")
    })
  )

  it.effect("pays once with a double click", () =>
    Effect.gen(function* () {
      const page = yield* customer()
      const opened = yield* PaymentPage.open(page)
      const posts = yield* at(page, async () => {
        const sent: Array<string> = []
        page.on("request", (request) => request.method() === "POST" && sent.push(request.url()))
        await PaymentPage.typeCard(page)
        await PaymentPage.payButton(page).dblclick()
        await PaymentPage.heading(page, "Payment successful")
        return sent.filter((url) => url.startsWith(opened.url)).length
      })
      yield* PaymentPage.goBack(page, opened, "Payment successful", "approved")
      assert.deepStrictEqual([posts, yield* attempts(opened.names.orderid)], [1, 1])
    })
  )

  it.effect("goes back in the history to the outcome, and neither pays nor returns to the shop twice", () =>
    Effect.gen(function* () {
      const page = yield* customer()
      const opened = yield* PaymentPage.open(page)
      yield* at(page, () => PaymentPage.pay(page))
      yield* PaymentPage.goBack(page, opened, "Payment successful", "approved")
      yield* at(page, async () => {
        await page.goBack()
        await PaymentPage.heading(page, "Payment successful")
        await page.goBack()
        await PaymentPage.heading(page, "Payment successful")
      })
      yield* TestMerchant.settled
      assert.strictEqual(yield* attempts(opened.names.orderid), 1)
      yield* PaymentPage.statusIs(opened.names, "approved")
    })
  )

  it.effect(
    "pays once after a reload of the page while the payment is processed",
    () =>
      Effect.gen(function* () {
        const page = yield* customer()
        const opened = yield* PaymentPage.openSecure(page)
        yield* at(page, async () => {
          await PaymentPage.pay(page, { number: slow })
          await PaymentPage.heading(page, "Your payment is being processed")
          await page.reload()
          await PaymentPage.heading(page, "Your payment is being processed")
        })
        yield* TestMerchant.pass("10 seconds")
        yield* PaymentPage.goBack(page, opened, "Payment successful", "approved")
        assert.strictEqual(yield* attempts(opened.names.orderid), 1)
      }),
    PaymentPage.alone
  )

  it.effect("cannot pay after cancelling", () =>
    Effect.gen(function* () {
      const page = yield* customer()
      const opened = yield* PaymentPage.open(page)
      yield* at(page, () => page.getByRole("button", { name: "Cancel and go back" }).click())
      yield* PaymentPage.goBack(page, opened, "Payment cancelled", "declined")
      yield* at(page, () => page.goto(opened.url))
      yield* at(page, () => PaymentPage.heading(page, "Payment cancelled"))
    })
  )

  it.effect(
    "sends no card to the bank after the session of half an hour has ended",
    () =>
      Effect.gen(function* () {
        const page = yield* customer()
        const opened = yield* PaymentPage.open(page)
        yield* at(page, () => PaymentPage.typeCard(page))
        yield* TestMerchant.pass("31 minutes")
        yield* at(page, () => PaymentPage.payButton(page).click())
        yield* PaymentPage.goBack(page, opened, "Time is up", "declined")
        assert.strictEqual(yield* attempts(opened.names.orderid), 0)
      }),
    PaymentPage.alone
  )

  it.effect(
    "is not asked to pay again after the bank's answer was lost",
    () =>
      Effect.gen(function* () {
        const page = yield* customer()
        const opened = yield* PaymentPage.open(page)
        yield* at(page, async () => {
          await PaymentPage.pay(page, { number: "4444 0104 0000 0001" })
          await PaymentPage.heading(page, "Your bank has not answered yet")
        })
        yield* PaymentPage.statusIs(opened.names, "unknown")
        yield* TestMerchant.pass("10 minutes")
        yield* PaymentPage.goBack(page, opened, "Payment successful", "approved")
      }),
    PaymentPage.alone
  )
})
