import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { at, customer } from "./Browser.ts"
import * as PaymentPage from "./PaymentPage.ts"

/** Two forms whose pages differ. `preauth-form` and `payment-form` have the pages of `sale-form`. */
const forms = [
  { form: "sale-form", approved: "Payment successful", declined: "Payment declined" },
  { form: "account-verification-form", approved: "Card confirmed", declined: "Card not confirmed" }
] as const

layer(PaymentPage.layer, { concurrent: true, excludeTestServices: true })("a hosted form in a browser", (it) => {
  for (const { approved, declined, form } of forms) {
    it.effect(`${form}: shows the approval, and returns the customer to the shop`, () =>
      Effect.gen(function* () {
        const page = yield* customer()
        const opened = yield* PaymentPage.open(page, form)
        yield* at(page, () => PaymentPage.typeCard(page))
        yield* at(page, () => PaymentPage.payButton(page).click())
        yield* PaymentPage.goBack(page, opened, approved, "approved")
      })
    )

    it.effect(`${form}: declines the order after three declined cards`, () =>
      Effect.gen(function* () {
        const page = yield* customer()
        const opened = yield* PaymentPage.open(page, form)
        for (const left of ["You can try 2 more times", "You can try once more"]) {
          yield* at(page, async () => {
            await PaymentPage.pay(page, { code: "116" })
            await page.getByRole("alert").getByText(left).waitFor()
          })
          yield* PaymentPage.statusIs(opened.names, "processing")
        }
        yield* at(page, () => PaymentPage.pay(page, { code: "116" }))
        yield* PaymentPage.goBack(page, opened, declined, "declined")
      })
    )
  }

  it.effect("reports each wrong field before it sends anything, and clears the message once the field is right", () =>
    Effect.gen(function* () {
      const page = yield* customer()
      yield* PaymentPage.open(page)
      const observed = yield* at(page, async () => {
        const requests: Array<string> = []
        page.on("request", (request) => requests.push(request.method()))
        const number = page.getByLabel("Card number")
        await number.pressSequentially("4444555566661112")
        await page.getByLabel("Expiry date").pressSequentially("1220")
        await PaymentPage.payButton(page).click()
        const errors = await page.locator(".error:not(:empty)").allTextContents()
        const focused = await number.evaluate((input) => input === document.activeElement)
        const lines = [await number.inputValue(), await page.getByLabel("Expiry date").inputValue()]
        await number.fill(PaymentPage.plain)
        return {
          requests,
          errors,
          focused,
          shown: lines,
          left: await page.locator(".error:not(:empty)").count()
        }
      })
      assert.deepStrictEqual(observed, {
        requests: [],
        errors: [
          "This is not a valid card number. Please check the digits.",
          "This card has expired.",
          "Enter the security code.",
          "Enter the name as it is on the card."
        ],
        focused: true,
        shown: ["4444 5555 6666 1112", "12 / 20"],
        left: 3
      })
    })
  )

  it.effect("names the brand while the number is typed, and asks for the security code of this brand", () =>
    Effect.gen(function* () {
      const page = yield* customer()
      yield* PaymentPage.open(page)
      const [brand, number, hint] = yield* at(page, async () => {
        await page.getByLabel("Card number").pressSequentially("378282246310005")
        return [
          await page.locator("#brand").textContent(),
          await page.getByLabel("Card number").inputValue(),
          await page.locator("#code-hint").textContent()
        ]
      })
      assert.deepStrictEqual([brand, number, hint], ["Amex", "3782 822463 10005", "4 digits on the front of the card"])
    })
  )
})
