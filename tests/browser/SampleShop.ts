/** The sample shop of `apps/shop` on the gateway of the context, and what its customers do in it. */
import { assert } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { Page } from "playwright-core"
import * as ShopHere from "../shop/ShopHere.ts"
import { officePassword } from "../shop/ShopProcess.ts"
import * as Accessible from "./Accessible.ts"
import { at, Browser, customer } from "./Browser.ts"
import * as Journey from "./Journey.ts"
import * as Pictures from "./Pictures.ts"

export const layer = Layer.merge(ShopHere.layer, Browser.layer)

export const { url } = ShopHere

/** A shop under another name than the gateway's and its issuers': another site, to a browser. */
export const elsewhere = ShopHere.shop("localhost")

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

export const payHere = (page: Page) => page.getByRole("button", { name: /^(Pay|Reserve) \$/ }).click()

export const heading = Journey.heading

const views = [
  { width: 1280, colorScheme: "light" },
  { width: 375, colorScheme: "light" },
  { width: 320, colorScheme: "dark" }
] as const

/** A picture for people to look at; what people with disabilities could not use, and what does not fit, fails. */
export const look = Effect.fnUntraced(function* (page: Page, name: string) {
  const flaws = yield* at(page, async () => {
    const matches: Array<string> = []
    for (const { colorScheme, width } of views) {
      const view = `shop-${name}-${width}-${colorScheme}`
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme })
      await Pictures.take(page, view)
      const tooWide = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth")
      if (tooWide > 0) matches.push(`${view}: ${tooWide} pixels wider than the window`)
      const violations = await Accessible.violations(page)
      matches.push(...violations.map(({ id, nodes }) => `${view}: ${id}: ${nodes[0]?.html}`))
    }
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.emulateMedia({ colorScheme: "light" })
    return matches
  })
  assert.deepStrictEqual(flaws, [])
})

/** The page at this address as it is now: it does not load itself again while somebody looks at it. */
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

/** Somebody of the shop, in its back office. */
export const officeClerk = customer({ httpCredentials: { username: "office", password: officePassword } })

/** An order in the list of the back office, by the address of its page. */
const row = (page: Page, order: string) =>
  page.locator(".rows > li", { hasText: `order ${new URL(order).pathname.replace("/order/", "")}` })

/** Releases what the order still holds, which is so much. */
export const release = async (page: Page, order: string, amount: string) => {
  const line = row(page, order)
  await line.getByText(`Held $${amount}`).waitFor()
  await line.getByRole("button", { name: `Release $${amount}` }).click()
  await line.getByText(`Release $${amount}: done`).waitFor()
  await line.getByText(`Held`).waitFor({ state: "detached" })
}

/** Acts on the order, and waits until it is done. */
export const act = async (page: Page, order: string, kind: "Charge" | "Refund", amount: string) => {
  const line = row(page, order)
  await line.getByLabel(`${kind} (USD)`).fill(amount)
  await line.getByRole("button", { name: kind }).click()
  await line.getByText(`${kind} $${amount}: done`).waitFor()
}
