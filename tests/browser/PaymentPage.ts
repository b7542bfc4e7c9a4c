/** What a customer does on hosted pages: from the shop to the card form, to the bank, and back to the shop. */
import { assert } from "@effect/vitest"
import * as PayApi from "@pay/schema/PayApi"
import { Effect, Layer } from "effect"
import type { Page } from "playwright-core"
import * as HostedPage from "../harness/HostedPage.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"
import { at } from "./Browser.ts"
import * as Shop from "./Shop.ts"

/** A gateway and a shop. Sessions are not limited, because all customers of the tests have one address. */
export const layer = Layer.merge(
  TestGateway.layer({ settings: { sessionRate: { perSecond: 0, burst: 0 } } }),
  Shop.layer
)

/** A test with this option lets time pass for the whole gateway, so no other test runs beside it. */
export const alone = { concurrent: false } as const

export const forms = {
  "sale-form": PayApi.operations.SALEFORM,
  "preauth-form": PayApi.operations.PREAUTHFORM,
  "payment-form": PayApi.operations.PAYMENTFORM,
  "account-verification-form": PayApi.operations.ACCOUNT_VERIFICATION_FORM
} as const
export type FormName = keyof typeof forms

/** The shop opens a page and sends the customer there. */
export const open = Effect.fnUntraced(function* (page: Page, form: FormName = "sale-form", endpointId?: string) {
  const { url: redirect_url } = yield* Shop.Shop
  const opened = yield* HostedPage.open(TestMerchant.freshId(), { redirect_url }, forms[form], endpointId)
  yield* at(page, () => page.goto(opened.url))
  return opened
})

/** With 3-D Secure on the gateway's pages. */
export const openSecure = (page: Page, form?: FormName) => open(page, form, TestGateway.endpoints.threeds3dsGateway)

export interface Card {
  readonly number?: string
  readonly code?: string
}

export const plain = "4444 5555 6666 1111"

/** Types a card key by key, as people do. */
export const typeCard = async (page: Page, { code = "123", number = plain }: Card = {}) => {
  await page.getByLabel("Card number").pressSequentially(number.replaceAll(" ", ""))
  await page.getByLabel("Expiry date").pressSequentially("1230")
  await page.getByLabel("Security code").pressSequentially(code)
  await page.getByLabel("Name on card").fill("Jane Doe")
}

/** Fills in a card field by field, as a browser does that knows the card. */
const fillCard = async (page: Page, { code = "123", number = plain }: Card = {}) => {
  await page.getByLabel("Card number").fill(number.replaceAll(" ", ""))
  await page.getByLabel("Expiry date").fill("1230")
  await page.getByLabel("Security code").fill(code)
  await page.getByLabel("Name on card").fill("Jane Doe")
}

export const payButton = (page: Page) => page.getByRole("button", { name: /^(Pay \$10\.42|Confirm card)$/ })

export const pay = async (page: Page, card?: Card) => {
  await fillCard(page, card)
  await payButton(page).click()
}

export const heading = (page: Page, name: string) => page.getByRole("heading", { name, exact: true }).waitFor()

/** Returns to the shop by the button, unless the page was quicker. The page, the shop and the API report the same status. */
export const goBack = Effect.fnUntraced(function* (
  page: Page,
  { names }: HostedPage.Opened,
  title: string,
  status: string
) {
  yield* at(page, async () => {
    await heading(page, title)
    const button = page.getByRole("button", { name: "Back to Sandbox merchant" })
    await Promise.any([button.click(), page.getByRole("heading", { name: "Welcome back" }).waitFor()])
  })
  yield* backInShop(page, names, status)
})

export const backInShop = Effect.fnUntraced(function* (page: Page, names: TestMerchant.Order, status: string) {
  yield* at(page, () => heading(page, `Welcome back: ${status}`))
  const { returns } = yield* Shop.Shop
  assert.deepStrictEqual(returns(names.orderid), [{ status, ...names }])
  yield* statusIs(names, status)
})

export const statusIs = Effect.fnUntraced(function* (names: TestMerchant.Order, status: string) {
  assert.deepInclude(yield* TestMerchant.status(names), { status })
})
