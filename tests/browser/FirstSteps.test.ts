/** Pages that a developer opens first: the gateway's address, the test cards, and a card form that helps. */
import { assert, layer } from "@effect/vitest"
import * as Sandbox from "@pay/server/Sandbox"
import { Effect } from "effect"
import * as HostedPage from "../harness/HostedPage.ts"
import * as PayoutPage from "../harness/PayoutPage.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"
import { at, customer } from "./Browser.ts"
import * as Views from "./Views.ts"

const brand = {
  name: "Foxglove",
  color: "#7a2a63",
  logo: `data:image/svg+xml;base64,${Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"/>').toString("base64")}`
}

const merchants = Sandbox.merchants.map(({ endpoints: [first, ...others], ...merchant }) => ({
  ...merchant,
  endpoints: [{ ...first, brand }, ...others] as const
}))

const cardForm = Effect.gen(function* () {
  const { url } = yield* HostedPage.open(TestMerchant.freshId())
  const page = yield* customer({ permissions: ["clipboard-read", "clipboard-write"] })
  yield* at(page, () => page.goto(url))
  return page
})

layer(TestGateway.layer({ merchants }), { excludeTestServices: true })("a page of the sandbox gateway", (it) => {
  it.effect("at the gateway's address says what it is, in the chosen language", () =>
    Effect.gen(function* () {
      const page = yield* customer()
      const url = yield* HostedPage.baseUrl
      yield* at(page, () => page.goto(url))
      yield* at(page, () => page.getByRole("heading", { name: "This is a payment gateway" }).waitFor())
      yield* at(page, () => page.getByText("4444 0000 1111 8888").waitFor())
      assert.deepStrictEqual(yield* at(page, () => Views.flawsIn(page, "home")), [])
      yield* at(page, () => page.getByRole("link", { name: "Deutsch" }).click())
      yield* at(page, () => page.getByRole("heading", { name: "Das ist ein Zahlungs-Gateway" }).waitFor())
    })
  )

  it.effect("copies a test card, and marks the brand of the pasted number", () =>
    Effect.gen(function* () {
      const page = yield* cardForm
      yield* at(page, async () => {
        await page.getByText("Test cards").click()
        await page.getByRole("button", { name: "Copy 4444 0201 0000 0003" }).click()
        await page.getByText("Copied").waitFor()
        await page.getByLabel("Card number").focus()
        await page.keyboard.press("ControlOrMeta+v")
      })
      assert.strictEqual(yield* at(page, () => page.getByLabel("Card number").inputValue()), "4444 0201 0000 0003")
      const match = page.locator("li.match")
      assert.deepStrictEqual(
        yield* at(page, () => match.evaluateAll((all) => all.map((one) => one.getAttribute("data-brand")))),
        ["Visa"]
      )
    })
  )

  it.effect("shows where the entered card has its security code", () =>
    Effect.gen(function* () {
      const page = yield* cardForm
      const visible = () => page.locator("[data-digits]:visible").evaluateAll((all) => all.map((one) => one.outerHTML))
      const digits = async () => (await visible()).map((svg) => /data-digits="(\d)"/.exec(svg)?.[1])
      assert.deepStrictEqual(yield* at(page, digits), ["3"])
      yield* at(page, () => page.getByLabel("Card number").pressSequentially("3782"))
      assert.deepStrictEqual(yield* at(page, digits), ["4"])
    })
  )

  it.effect("aligns the payout methods, and groups an IBAN while it is typed", () =>
    Effect.gen(function* () {
      const { url } = yield* PayoutPage.open()
      const page = yield* customer()
      const boxes = yield* at(page, async () => {
        await page.goto(url)
        return page.locator(".way span").evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON()))
      })
      for (const side of ["width", "height"]) assert.strictEqual(new Set(boxes.map((box) => box[side])).size, 1)
      assert.strictEqual(new Set(boxes.map(({ x }) => x)).size, 2)
      const account = page.getByLabel("IBAN or account number")
      yield* at(page, async () => {
        await page.getByRole("radio", { name: "Bank account" }).check()
        await account.pressSequentially("DE89370400440532013000")
      })
      assert.strictEqual(yield* at(page, () => account.inputValue()), "DE89 3704 0044 0532 0130 00")
    })
  )

  it.effect("shows the brand of its endpoint, readable in light and dark", () =>
    Effect.gen(function* () {
      const page = yield* cardForm
      yield* at(page, () => page.getByRole("heading", { name: "Foxglove" }).waitFor())
      assert.strictEqual(yield* at(page, () => page.locator("img.logo").getAttribute("src")), brand.logo)
      const color = () => page.locator("#pay").evaluate((button) => getComputedStyle(button).backgroundColor)
      assert.strictEqual(yield* at(page, color), "rgb(122, 42, 99)")
      assert.deepStrictEqual(yield* at(page, () => Views.flawsIn(page, "brand")), [])
    })
  )
})
