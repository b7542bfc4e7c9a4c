/** The sample shop of `apps/shop` on the gateway of the context, and what its customers do in it. */
import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import { assert } from "@effect/vitest"
import axe from "axe-core"
import { Effect, Layer } from "effect"
import type { Page } from "playwright-core"
import { root } from "../../scripts/Workspace.ts"
import * as ShopHere from "../shop/ShopHere.ts"
import { officePassword } from "../shop/ShopProcess.ts"
import { at, Browser, customer } from "./Browser.ts"
import * as Journey from "./Journey.ts"

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
  { width: 320, colorScheme: "dark" }
] as const

/** A picture for people to look at; what people with disabilities could not use, and what does not fit, fails. */
export const look = Effect.fnUntraced(function* (page: Page, name: string) {
  const flaws = yield* at(page, async () => {
    const folder = join(root, ".reports/screenshots")
    await mkdir(folder, { recursive: true })
    const matches: Array<string> = []
    for (const { colorScheme, width } of views) {
      const view = `shop-${name}-${width}-${colorScheme}`
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme })
      await page.screenshot({ path: join(folder, `${view}.png`), fullPage: true })
      const tooWide = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth")
      if (tooWide > 0) matches.push(`${view}: ${tooWide} pixels wider than the window`)
      matches.push(...(await serious(page)).map((flaw) => `${view}: ${flaw}`))
    }
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.emulateMedia({ colorScheme: "light" })
    return matches
  })
  assert.deepStrictEqual(flaws, [])
})

const serious = async (page: Page): Promise<ReadonlyArray<string>> => {
  await page.evaluate(axe.source)
  return page.evaluate<ReadonlyArray<string>>(
    "axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes[0].html))"
  )
}

/** Somebody of the shop, at the latest order of the back office. */
export const officeClerk = customer({ httpCredentials: { username: "office", password: officePassword } })

/** Releases what the first order of the list still holds, which is so much. */
export const release = async (page: Page, amount: string) => {
  const first = page.locator(".rows > li").first()
  await first.getByText(`Held $${amount}`).waitFor()
  await first.getByRole("button", { name: `Release $${amount}` }).click()
  await first.getByText(`Release $${amount}: done`).waitFor()
  await first.getByText(`Held`).waitFor({ state: "detached" })
}

/** Acts on the first order of the list, and waits until it is done. */
export const act = async (page: Page, kind: "Charge" | "Refund", amount: string, says = "done") => {
  const first = page.locator(".rows > li").first()
  await first.getByLabel(`${kind} (USD)`).fill(amount)
  await first.getByRole("button", { name: kind }).click()
  await first.getByText(`${kind} $${amount}: ${says}`).waitFor()
}
