import { assert, layer } from "@effect/vitest"
import { password } from "@pay/sandbox/ThreeDSTestCards"
import { Effect } from "effect"
import { at, customer } from "./Browser.ts"
import * as PaymentPage from "./PaymentPage.ts"
import * as SampleShop from "./SampleShop.ts"

const confirm = async (page: Parameters<typeof PaymentPage.pay>[0]) => {
  await PaymentPage.heading(page, "Confirm your payment")
  await page.getByLabel("Password").fill(password)
  await page.getByRole("button", { name: "Confirm" }).click()
}

layer(SampleShop.layer, { concurrent: true, excludeTestServices: true })("the sample shop", (it) => {
  it.effect("sells on the gateway's page, with 3-D Secure", () =>
    Effect.gen(function* () {
      const page = yield* customer()
      const shop = yield* SampleShop.url
      yield* at(page, () => page.goto(shop))
      yield* SampleShop.look(page, "catalogue")
      yield* at(page, () => SampleShop.choose(page, shop, "Copper watering can"))
      yield* SampleShop.look(page, "checkout")
      yield* at(page, async () => {
        await SampleShop.continueToPayment(page)
        await page.getByLabel("Expiry date").waitFor()
        await PaymentPage.typeCard(page, { number: "4444000011118888" })
        await page.getByRole("button", { name: "Pay $48.00" }).click()
        await confirm(page)
        await SampleShop.heading(page, "Thank you, your order is paid")
      })
      yield* SampleShop.look(page, "paid")
      const receipt = yield* at(page, () => page.locator("dl").textContent())
      assert.match(
        receipt ?? "",
        /Amount\s*\$48\.00\s*Date\s*\w+ \d{1,2}, 20\d\d\s*Reference\s*[\w-]{22}\s*Card\s*ending in 8888$/
      )
      yield* at(page, () => page.getByRole("link", { name: "Your orders" }).click())
      yield* at(page, () => page.getByText("Paid", { exact: true }).waitFor())
      yield* SampleShop.look(page, "orders")
    })
  )

  it.effect("updates the order's page while the customer pays in another window", () =>
    Effect.gen(function* () {
      const page = yield* customer()
      const shop = yield* SampleShop.url
      const address = yield* at(page, async () => {
        await SampleShop.choose(page, shop, "Copper watering can")
        await SampleShop.continueToPayment(page)
        await page.getByLabel("Expiry date").waitFor()
        return page.url()
      })
      const other = yield* at(page, () => page.context().newPage())
      yield* at(page, () => page.goto(`${shop}/orders`))
      yield* at(page, () => page.getByRole("link", { name: "Copper watering can" }).click())
      yield* at(page, () => SampleShop.heading(page, "We are confirming your payment"))
      yield* SampleShop.lookAt(page, page.url(), "under-way")
      yield* at(other, async () => {
        await other.goto(address)
        await PaymentPage.typeCard(other, { number: "4444020100000003" })
        await other.getByRole("button", { name: "Pay $48.00" }).click()
      })
      yield* at(page, () => SampleShop.heading(page, "Thank you, your order is paid"))
    })
  )

  it.effect("keeps the customer's cookie and orders when the issuer is on another site", () =>
    Effect.gen(function* () {
      const page = yield* customer()
      const shop = yield* SampleShop.url
      yield* at(page, async () => {
        await SampleShop.choose(page, shop, "Copper watering can")
        await SampleShop.typeCard(page, "4444000022224444")
        await SampleShop.payHere(page)
        await confirm(page)
        await SampleShop.heading(page, "Thank you, your order is paid")
        await page.getByRole("link", { name: "Your orders" }).click()
        await page.getByText("Paid", { exact: true }).waitFor()
      })
    }).pipe(Effect.provide(SampleShop.onOtherSite, { local: true }))
  )

  it.effect("reports each mistake beside its field, and keeps all input except the security code", () =>
    Effect.gen(function* () {
      const page = yield* customer()
      const shop = yield* SampleShop.url
      yield* at(page, async () => {
        await SampleShop.choose(page, shop, "Copper watering can")
        await SampleShop.typeCard(page, "4444000011118887")
        await page.getByLabel("E-mail").fill("nobody")
        await SampleShop.payHere(page)
        await page.getByRole("alert").waitFor()
      })
      yield* SampleShop.look(page, "mistakes")
      const errors = yield* at(page, () => page.locator(".error").allTextContents())
      assert.deepStrictEqual(errors, [
        "Nothing was charged.",
        "Enter an e-mail address, such as ada@example.com.",
        "This is not a card number. Please check its digits.",
        "Enter the security code again. It is not kept."
      ])
      const lines = yield* at(page, () =>
        Promise.all(["Card number", "Security code"].map((label) => page.getByLabel(label).inputValue()))
      )
      assert.deepStrictEqual(lines, ["4444000011118887", ""])
    })
  )

  it.effect("reports a declined card, and starts a new order for the next attempt", () =>
    Effect.gen(function* () {
      const page = yield* customer()
      const shop = yield* SampleShop.url
      yield* at(page, async () => {
        await SampleShop.choose(page, shop, "Copper watering can")
        await SampleShop.typeCard(page, "4444020100000003", "116")
        await SampleShop.payHere(page)
        await SampleShop.heading(page, "Your bank declined the payment")
      })
      yield* SampleShop.look(page, "declined")
      yield* at(page, async () => {
        await page.getByRole("link", { name: "Try again" }).click()
        await SampleShop.heading(page, "Checkout: Copper watering can")
      })
    })
  )

  it.effect("sells without JavaScript", () =>
    Effect.gen(function* () {
      const page = yield* customer({ javaScriptEnabled: false })
      const shop = yield* SampleShop.url
      yield* at(page, async () => {
        await SampleShop.choose(page, shop, "Copper watering can")
        await SampleShop.typeCard(page, "4444000011118888")
        await SampleShop.payHere(page)
        await page.getByRole("button", { name: "Continue" }).click()
        await confirm(page)
        await page.getByRole("button", { name: "Continue" }).click()
        await SampleShop.heading(page, "Thank you, your order is paid")
      })
    })
  )

  it.effect(
    "captures two parts, voids the rest and refunds a part in the back office, and shows it to the customer",
    () =>
      Effect.gen(function* () {
        const page = yield* customer()
        const shop = yield* SampleShop.url
        yield* at(page, async () => {
          await SampleShop.choose(page, shop, "Oak garden bench")
          await SampleShop.typeCard(page, "4444020100000003")
          await SampleShop.payHere(page)
          await SampleShop.heading(page, "Thank you, your order is placed")
        })
        const clerk = yield* SampleShop.officeClerk
        yield* at(clerk, async () => {
          await clerk.goto(`${shop}/office`)
          await SampleShop.act(clerk, page.url(), "Charge", "200.00")
          await SampleShop.act(clerk, page.url(), "Charge", "50.00")
          await SampleShop.release(clerk, page.url(), "70.00")
          await SampleShop.act(clerk, page.url(), "Refund", "50.00")
        })
        yield* SampleShop.look(clerk, "office")
        yield* at(page, async () => {
          await page.reload()
          await SampleShop.heading(page, "$50.00 is on its way back")
        })
        yield* SampleShop.look(page, "refunded")
      })
  )

  it.effect(
    "opens an order of the back office in a fresh browser, and keeps a refund that is too high in its form",
    () =>
      Effect.gen(function* () {
        const page = yield* customer()
        const shop = yield* SampleShop.url
        yield* at(page, async () => {
          await SampleShop.choose(page, shop, "Copper watering can")
          await SampleShop.typeCard(page, "4444020100000003")
          await SampleShop.payHere(page)
          await SampleShop.heading(page, "Thank you, your order is paid")
        })
        const reference = new URL(page.url()).pathname.replace("/order/", "")
        const clerk = yield* SampleShop.officeClerk
        yield* at(clerk, async () => {
          await clerk.goto(`${shop}/office`)
          const line = clerk.locator(".rows > li", { hasText: `order ${reference}` })
          await line.getByRole("link", { name: "Copper watering can" }).click()
          await SampleShop.heading(clerk, "Order")
          await clerk.getByLabel("Refund (USD)").fill("480")
          await clerk.getByRole("button", { name: "Refund" }).click()
          await SampleShop.heading(clerk, "Please check the amount")
        })
        yield* SampleShop.look(clerk, "office-mistake")
        yield* at(clerk, async () => {
          const input = clerk.getByLabel("Refund (USD)")
          assert.strictEqual(await input.inputValue(), "480")
          assert.strictEqual(await clerk.locator("#amount-error").textContent(), "At most $48.00 is left.")
          await input.fill("$48.00")
          await clerk.getByRole("button", { name: "Refund" }).click()
          await clerk
            .locator(".rows > li", { hasText: `order ${reference}` })
            .getByText("Refund $48.00: done")
            .waitFor()
        })
      })
  )

  it.effect("answers an unknown address with an accessible page that links to the shop", () =>
    Effect.gen(function* () {
      const page = yield* customer({}, 404)
      const shop = yield* SampleShop.url
      yield* at(page, () => page.goto(`${shop}/order/nobodys`))
      yield* SampleShop.look(page, "not-here")
      yield* at(page, () => page.getByRole("link", { name: "To the shop" }).click())
      yield* at(page, () => SampleShop.heading(page, "Garden things made to last"))
    })
  )

  it.effect("sells a subscription to a new customer, and charges a stored card for an order and a subscription", () =>
    Effect.gen(function* () {
      const page = yield* customer()
      const shop = yield* SampleShop.url
      yield* at(page, async () => {
        await SampleShop.choose(page, shop, "Seeds by post")
        await SampleShop.typeCard(page, "4444020200000002")
        await page.getByRole("button", { name: "Subscribe for $12.00 a month" }).click()
        await SampleShop.heading(page, "Thank you, this month is paid")
      })
      yield* at(page, async () => {
        await SampleShop.choose(page, shop, "Copper watering can")
        await SampleShop.typeCard(page, "4444020100000003")
        await SampleShop.payHere(page)
        await SampleShop.heading(page, "Thank you, your order is paid")
        await page.getByRole("button", { name: "Keep this card for next time" }).click()
        await page.getByRole("button", { name: "Keep this card" }).waitFor({ state: "detached" })

        await SampleShop.choose(page, shop, "Copper watering can")
        await SampleShop.payWith(page, "Card ending in 0003")
        await SampleShop.payHere(page)
        await SampleShop.heading(page, "Thank you, your order is paid")

        await SampleShop.choose(page, shop, "Seeds by post")
      })
      yield* SampleShop.look(page, "subscribe")
      yield* at(page, async () => {
        await page.getByRole("button", { name: "Subscribe for $12.00 a month" }).click()
        await SampleShop.heading(page, "Thank you, this month is paid")
        await page.getByRole("link", { name: "Your subscription" }).click()
        await SampleShop.heading(page, "Your subscription runs")
        await page.getByRole("button", { name: "Pause" }).click()
        await SampleShop.heading(page, "Your subscription is paused")
      })
      yield* SampleShop.look(page, "subscription")
      yield* at(page, async () => {
        await page.getByRole("button", { name: "Cancel the subscription" }).click()
        await SampleShop.heading(page, "Your subscription has ended")
        await page.getByRole("link", { name: "Your orders" }).click()
        await page.getByRole("link", { name: "Seeds by post" }).first().click()
        await page.getByRole("link", { name: "Your subscription" }).waitFor()
        await page.getByRole("link", { name: "Your orders" }).click()
        await SampleShop.heading(page, "Your orders")
      })
      yield* SampleShop.look(page, "your-orders")
    })
  )

  it.effect("checks a supplier's account, pays it once confirmed, and shows its number on no page", () =>
    Effect.gen(function* () {
      const shop = yield* SampleShop.url
      const clerk = yield* SampleShop.officeClerk
      yield* at(clerk, async () => {
        await clerk.goto(`${shop}/office/payouts`)
        await clerk.getByLabel("Supplier").fill("Willow & Sons")
        await clerk.getByLabel("Account (IBAN)").fill("DE89 3704 0044 0532 0130 00")
        await clerk.getByLabel("Amount (USD)").fill("25.00")
        await clerk.getByRole("button", { name: "Check" }).click()
        await clerk.getByText("To be confirmed").waitFor()
      })
      yield* SampleShop.look(clerk, "suppliers")
      yield* at(clerk, async () => {
        await clerk.getByRole("button", { name: "Pay Willow & Sons $25.00" }).click()
        await clerk.getByText("Paid", { exact: true }).waitFor()
      })
      assert.notInclude(yield* at(clerk, () => clerk.content()), "0532")
    })
  )
})
