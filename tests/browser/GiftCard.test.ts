/** The gift card of the sample shop, whose amount the customer chooses, in a browser. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { at, customer } from "./Browser.ts"
import * as SampleShop from "./SampleShop.ts"

layer(SampleShop.layer, { concurrent: true, excludeTestServices: true })("the sample shop", (it) => {
  it.effect("sells a gift card of the amount that the customer types", () =>
    Effect.gen(function* () {
      const page = yield* customer()
      const shop = yield* SampleShop.url
      const amount = page.getByLabel("Amount of the gift card (USD)")
      yield* at(page, async () => {
        await SampleShop.choose(page, shop, "Gift card")
        await amount.fill("4")
        await SampleShop.typeCard(page, "4444020100000003")
        await page.getByRole("button", { name: "Pay", exact: true }).click()
        await SampleShop.heading(page, "Please check the form: Gift card")
      })
      yield* SampleShop.look(page, "gift-refused")
      assert.strictEqual(yield* at(page, () => amount.getAttribute("aria-invalid")), "true")
      yield* at(page, async () => {
        await amount.fill("25.5")
        await page.getByLabel("Security code").fill("123")
        await page.getByRole("button", { name: "Pay", exact: true }).click()
        await SampleShop.heading(page, "Thank you, your order is paid")
      })
      assert.include(yield* at(page, () => page.locator("dl").textContent()), "$25.50")
    })
  )
})
