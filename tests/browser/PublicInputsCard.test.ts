/** Reports about card fields that scripts, password managers and keyboards fill (docs/decisions/public-reports-inputs.md). */
import { assert, layer } from "@effect/vitest"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import { Effect } from "effect"
import type { Locator, Page } from "playwright-core"
import * as HostedPage from "../harness/HostedPage.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"
import { at, customer } from "./Browser.ts"
import * as PaymentPage from "./PaymentPage.ts"

const expiry = (page: Page) => page.getByLabel("Expiry date")
const number = (page: Page) => page.getByLabel("Card number")

const paste = async (field: Locator, text: string) => {
  await field.focus()
  await field.page().keyboard.insertText(text)
}

/** Password managers that imitate a person set the value and send the events of one key. */
const imitate = (field: Locator, text: string) =>
  field.evaluate((input: HTMLInputElement, value) => {
    input.focus()
    input.value = value
    const last = value.at(-1) ?? ""
    for (const type of ["keydown", "keypress"])
      input.dispatchEvent(new KeyboardEvent(type, { key: last, bubbles: true }))
    input.dispatchEvent(new InputEvent("input", { data: last, bubbles: true }))
    input.dispatchEvent(new KeyboardEvent("keyup", { key: last, bubbles: true }))
    input.dispatchEvent(new Event("change", { bubbles: true }))
    input.blur()
  }, text)

const setSilently = (field: Locator, text: string) =>
  field.evaluate((input: HTMLInputElement, value) => {
    input.value = value
  }, text)

/** Text that is dragged into the field. */
const drop = (field: Locator, text: string) =>
  field.evaluate((input: HTMLInputElement, value) => {
    input.focus()
    input.select()
    document.execCommand("insertText", false, value)
  }, text)

/** An input method composes the text and then commits it. */
const compose = async (field: Locator, text: string) => {
  await field.focus()
  const session = await field.page().context().newCDPSession(field.page())
  for (let end = 1; end <= text.length; end += 1)
    await session.send("Input.imeSetComposition", { text: text.slice(0, end), selectionStart: end, selectionEnd: end })
  await session.send("Input.insertText", { text })
  await session.detach()
}

const typed = (field: Locator, text: string) => field.pressSequentially(text)

type Way = (field: Locator, text: string) => Promise<unknown>
const atOnce: Readonly<Record<string, Way>> = {
  pasted: paste,
  imitated: imitate,
  dropped: drop,
  composed: compose
}

const march2030 = ["03/2030", "3/30", "0330", "330", "032030", "2030-03", "203003", "03 / 2030", "03-30", "03.2030"]

const nineteen = "6304000000000000009"

const numbers: ReadonlyArray<readonly [text: string, digits: string]> = [
  ["4444555566661111", "4444555566661111"],
  ["  4444555566661111  ", "4444555566661111"],
  ["4444 5555 6666 1111", "4444555566661111"],
  ["4444\u00a05555\u00a06666\u00a01111", "4444555566661111"],
  ["4444-5555-6666-1111", "4444555566661111"],
  ["4444.5555.6666.1111", "4444555566661111"],
  ["４４４４ ５５５５ ６６６６ １１１１", "4444555566661111"],
  ["٤٤٤٤٥٥٥٥٦٦٦٦١١١١", "4444555566661111"],
  ["۴۴۴۴۵۵۵۵۶۶۶۶۱۱۱۱", "4444555566661111"],
  ["४४४४५५५५६६६६११११", "4444555566661111"],
  [nineteen, nineteen]
]

const digits = (text: string) => text.replaceAll(" ", "")

layer(PaymentPage.layer, { concurrent: true, excludeTestServices: true })("the card page", (it) => {
  it.effect("reads each spelling of March 2030 as this month, however it is entered", () =>
    Effect.gen(function* () {
      const page = yield* customer()
      yield* PaymentPage.open(page)
      const shown: Array<string> = []
      for (const text of march2030)
        for (const [way, enter] of Object.entries({ pasted: paste, imitated: imitate, typed })) {
          // While it is typed, 20 begins no month and 2030 no year: such a date is only pasted or filled in.
          if (way === "typed" && (text.startsWith("20") || text === "032030")) continue
          yield* at(page, async () => {
            await expiry(page).fill("")
            await enter(expiry(page), text)
            await expiry(page).blur()
          })
          shown.push(`${text} ${way}: ${yield* at(page, () => expiry(page).inputValue())}`)
        }
      assert.deepStrictEqual(
        shown.filter((line) => !line.endsWith(": 03 / 30")),
        []
      )
    })
  )

  it.effect("says at the field that there is no such month, and keeps the card number", () =>
    Effect.gen(function* () {
      const page = yield* customer()
      yield* PaymentPage.open(page)
      for (const text of ["13/30", "00/30", "20/30"]) {
        const observed = yield* at(page, async () => {
          await number(page).fill(PaymentPage.plain)
          await expiry(page).fill("")
          await paste(expiry(page), text)
          await expiry(page).blur()
          await PaymentPage.payButton(page).click()
          return [await page.locator("#expiry-error").textContent(), await number(page).inputValue()]
        })
        assert.deepStrictEqual(observed, ["Enter the expiry date as month and year, like 08 / 29.", PaymentPage.plain])
      }
    })
  )

  it.effect("keeps each digit of a number once, however it is entered", () =>
    Effect.gen(function* () {
      const page = yield* customer()
      yield* PaymentPage.open(page)
      const wrong: Array<string> = []
      for (const [text, expected] of numbers)
        for (const [way, enter] of Object.entries({ ...atOnce, typed })) {
          const value = yield* at(page, async () => {
            await number(page).fill("")
            await enter(number(page), text)
            return number(page).inputValue()
          })
          if (digits(value) !== expected) wrong.push(`${text} ${way}: ${value}`)
        }
      assert.deepStrictEqual(wrong, [])
    })
  )

  it.effect("keeps the cursor at a digit that is typed and deleted in the middle of 19", () =>
    Effect.gen(function* () {
      const page = yield* customer()
      yield* PaymentPage.open(page)
      const observed = yield* at(page, async () => {
        await number(page).fill(nineteen.slice(0, 18))
        await page.keyboard.press("Home")
        for (let count = 0; count < 6; count += 1) await page.keyboard.press("ArrowRight")
        await page.keyboard.type("7")
        const between = await number(page).evaluate((input: HTMLInputElement) =>
          input.value.slice(0, input.selectionStart ?? 0)
        )
        await page.keyboard.press("Backspace")
        return [digits(between), digits(await number(page).inputValue())]
      })
      assert.deepStrictEqual(observed, ["630407", nineteen.slice(0, 18)])
    })
  )

  for (const [way, enter] of [
    ["imitated", imitate],
    ["set without events", setSilently],
    ["composed", compose]
  ] as const)
    it.effect(`pays with a card that is ${way}, and the bank gets its digits`, () =>
      Effect.gen(function* () {
        const page = yield* customer()
        const opened = yield* PaymentPage.open(page)
        yield* at(page, async () => {
          await enter(number(page), "４４４４５５５５６６６６１１１１")
          await enter(expiry(page), "０３／２０３０")
          await enter(page.getByLabel("Security code"), "١٢٣")
          await page.getByLabel("Name on card").fill("Jane Doe")
          await PaymentPage.payButton(page).click()
        })
        yield* PaymentPage.goBack(page, opened, "Payment successful", "approved")
        const { books } = yield* SandboxControl
        assert.lengthOf(yield* books.ofOrder(opened.names.orderid), 1)
        const status = yield* TestMerchant.status(opened.names)
        assert.deepInclude(status, { "last-four-digits": "1111", bin: "444455" })
      })
    )

  it.effect("takes a card without JavaScript in each spelling of its date", () =>
    Effect.gen(function* () {
      for (const text of march2030) {
        const { names, url } = yield* HostedPage.open(TestMerchant.freshId())
        yield* HostedPage.pay(url, { expiry: text, number: "４４４４-５５５５-６６６６-１１１１", code: "۱۲۳" })
        yield* TestMerchant.settled
        assert.deepInclude(yield* TestMerchant.status(names), { status: "approved", bin: "444455" }, text)
      }
    })
  )

  it.effect(
    "goes on with 3-D Secure for a screen of 30 bits, a fraction of pixels and a language of three subtags",
    () =>
      Effect.gen(function* () {
        const page = yield* customer({ locale: "en-GB-oxendict", userAgent: "x".repeat(3000) })
        yield* at(page, () =>
          page.addInitScript(() => {
            Object.defineProperty(screen, "colorDepth", { get: () => 30 })
            Object.defineProperty(screen, "width", { get: () => 1707.33 })
            Object.defineProperty(screen, "height", { get: () => 0 })
            Date.prototype.getTimezoneOffset = () => Number.NaN
          })
        )
        const opened = yield* PaymentPage.openSecure(page)
        yield* at(page, () => PaymentPage.pay(page, { number: "4444 0201 0000 0003" }))
        yield* PaymentPage.goBack(page, opened, "Payment successful", "approved")
      })
  )
})
