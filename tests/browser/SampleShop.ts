/** The sample shop of `apps/shop` on the gateway of the context, and what its customers do in it. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import * as InProcessShop from "../shop/InProcessShop.ts"
import { officePassword } from "../shop/ShopProcess.ts"
import { at, customer } from "./Browser.ts"
import * as PaymentPage from "./PaymentPage.ts"
import * as Views from "./Views.ts"

export const { layer, url } = InProcessShop

/** The shop under a host name that differs from the gateway's and the issuer's, so that to a browser it is another site. */
export const onOtherSite = InProcessShop.shop("localhost")

const details = {
  "E-mail": "ada@customer.example",
  Phone: "+442079460000",
  "Street and house number": "12 St James's Square",
  Postcode: "SW1Y 4JH",
  "Town or city": "London"
}

/** From the catalogue to the filled-in form. */
export const choose = async (page: Page, shop: string, product: string) => {
  await page.goto(shop)
  await page.getByRole("link", { name: `Buy ${product}` }).click()
  for (const [label, value] of Object.entries(details)) await page.getByLabel(label).fill(value)
}

export const payWith = (page: Page, way: string) =>
  page.getByLabel("How do you want to pay?").selectOption({ label: way })

export const typeCard = async (page: Page, number: string, code = "123") => {
  await payWith(page, "Here, by card")
  await page.getByLabel("Card number").fill(number)
  await page.getByLabel("Expiry date").fill("12/30")
  await page.getByLabel("Security code").fill(code)
  await page.getByLabel("Name on card").fill("Ada Lovelace")
}

/** Goes to the gateway's page: the button says so, and none asks for the money here. */
export const continueToPayment = async (page: Page) => {
  assert.deepStrictEqual(await page.getByRole("button").allTextContents(), ["Continue to payment"])
  await page.getByRole("button", { name: "Continue to payment" }).click()
}

export const payHere = (page: Page) => page.getByRole("button", { name: /^(Pay|Reserve) \$/ }).click()

export const heading = PaymentPage.heading

/** Checks that the page is accessible and fits each screen. */
export const look = Effect.fnUntraced(function* (page: Page, name: string) {
  assert.deepStrictEqual(yield* at(page, () => Views.flawsIn(page, `shop-${name}`)), [])
})

/** Checks the page at this address as it is now: without its header `refresh` it does not load itself again. */
export const lookAt = Effect.fnUntraced(function* (page: Page, url: string, name: string) {
  const still = yield* at(page, async () => {
    const opened = await page.context().newPage()
    await opened.route(url, async (route) => {
      const response = await route.fetch()
      const { refresh: _, ...headers } = response.headers()
      await route.fulfill({ response, headers })
    })
    await opened.goto(url)
    return opened
  })
  yield* look(still, name)
  yield* at(still, () => still.close())
})

/** Opens the back office with its password. */
export const officeClerk = customer({ httpCredentials: { username: "office", password: officePassword } })

/** An order in the list of the back office, by the address of its page. */
const row = (page: Page, order: string) =>
  page.locator(".rows > li", { hasText: `order ${new URL(order).pathname.replace("/order/", "")}` })

/** Voids the rest of the order's hold, which is this amount. */
export const release = async (page: Page, order: string, amount: string) => {
  const line = row(page, order)
  await line.getByText(`Held $${amount}`).waitFor()
  await line.getByRole("button", { name: `Release $${amount}` }).click()
  await line.getByText(`Release $${amount}: done`).waitFor()
  await line.getByText(`Held`).waitFor({ state: "detached" })
}

/** Captures or refunds, and waits until it is done. */
export const act = async (page: Page, order: string, kind: "Charge" | "Refund", amount: string) => {
  const line = row(page, order)
  await line.getByLabel(`${kind} (USD)`).fill(amount)
  await line.getByRole("button", { name: kind }).click()
  await line.getByText(`${kind} $${amount}: done`).waitFor()
}
