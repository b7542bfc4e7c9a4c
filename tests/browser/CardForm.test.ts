/** The card form in a browser: whatever way a card gets into its fields, the fields show it in one form, and the gateway reads it. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Locator, Page } from "playwright-core"
import { at, customer } from "./Browser.ts"
import * as PaymentPage from "./PaymentPage.ts"

/** Ways in which a value gets into a field. */
const ways = {
  typed: async (field: Locator, text: string) => field.pressSequentially(text),
  pasted: async (field: Locator, text: string) => {
    await field.focus()
    await field.page().keyboard.insertText(text)
  },
  /** Browsers and most password managers set the value, and then send its events. */
  filled: async (field: Locator, text: string) => field.fill(text),
  /** A script may send no event. The field shows the value when it is left. */
  "set silently": async (field: Locator, text: string) => {
    await field.evaluate((input: HTMLInputElement, value) => {
      input.value = value
    }, text)
    await field.focus()
    await field.blur()
  }
} as const
type Way = keyof typeof ways
const all: ReadonlyArray<Way> = ["typed", "pasted", "filled", "set silently"]
const atOnce: ReadonlyArray<Way> = ["pasted", "filled", "set silently"]

const rows: ReadonlyArray<readonly [label: string, text: string, shown: string, ways: ReadonlyArray<Way>]> = [
  ["Expiry date", "1/35", "01 / 35", all],
  ["Expiry date", "1/2035", "01 / 35", all],
  ["Expiry date", "01/2035", "01 / 35", all],
  ["Expiry date", "01 / 35", "01 / 35", all],
  ["Expiry date", "0135", "01 / 35", all],
  ["Expiry date", "12035", "01 / 35", all],
  ["Expiry date", "012035", "01 / 35", atOnce],
  ["Expiry date", "2035-01", "01 / 35", atOnce],
  ["Expiry date", "2035-01-31", "01 / 35", atOnce],
  ["Expiry date", "۱/۳۵", "01 / 35", all],
  ["Expiry date", "１２／３５", "12 / 35", all],
  ["Card number", "4444333322221111", "4444 3333 2222 1111", all],
  ["Card number", "4444-3333-2222-1111", "4444 3333 2222 1111", all],
  ["Card number", "4444\u00a03333\u00a02222\u00a01111", "4444 3333 2222 1111", all],
  ["Card number", "Card: 4444 3333 2222 1111.", "4444 3333 2222 1111", atOnce],
  ["Card number", "۴۴۴۴۳۳۳۳۲۲۲۲۱۱۱۱", "4444 3333 2222 1111", all],
  ["Card number", "４４４４３３３３２２２２１１１１", "4444 3333 2222 1111", all],
  ["Card number", "6759649826438453", "6759 6498 2643 8453", all],
  ["Security code", "１２３", "123", all],
  ["Security code", "۱۲۳", "123", all]
]

/** Keys that are pressed in a field, and its value with the place of the cursor. */
const edits: ReadonlyArray<readonly [label: string, start: string, keys: ReadonlyArray<string>, expected: string]> = [
  ["Card number", "4444333322221111", ["Home", "ArrowRight", "Backspace", "5"], "5|444 3333 2222 1111"],
  ["Card number", "44443333", ["Home", ...new Array(5).fill("ArrowRight"), "Backspace"], "4444| 3333"],
  ["Card number", "44443333", ["Home", ...new Array(5).fill("ArrowRight"), "Backspace", "Backspace"], "444|3 333"],
  ["Card number", "44443333", ["Home", ...new Array(4).fill("ArrowRight"), "Delete", "Delete"], "4444 |333"],
  ["Card number", "4444333322221111", ["x"], "4444 3333 2222 1111|"],
  ["Card number", "4444333322221111", ["Home", "x"], "|4444 3333 2222 1111"],
  ["Expiry date", "1235", ["Backspace", "6"], "12 / 36|"],
  ["Expiry date", "1235", ["Home", "Delete", "Delete", "0", "1"], "01| / 35"],
  ["Expiry date", "12", ["Backspace", "Backspace", "Backspace", "Backspace", "0"], "10 / |"]
]

const shownIn = (field: Locator) =>
  field.evaluate((input: HTMLInputElement) => {
    const caret = input.selectionStart ?? 0
    return `${input.value.slice(0, caret)}|${input.value.slice(caret)}`
  })

const errorOf = (page: Page, name: string) => page.locator(`#${name}-error`).textContent()

layer(PaymentPage.layer, { concurrent: true, excludeTestServices: true })("the card form in a browser", (it) => {
  it.effect("shows dates, numbers and codes in one form, however they are entered", () =>
    Effect.gen(function* () {
      const page = yield* customer()
      yield* PaymentPage.open(page)
      const observed: Array<string> = []
      for (const [label, text, , howToEnter] of rows) {
        const field = page.getByLabel(label, { exact: true })
        for (const way of howToEnter) {
          yield* at(page, () => field.fill(""))
          yield* at(page, () => ways[way](field, text))
          observed.push(`${text} ${way}: ${yield* at(page, () => field.inputValue())}`)
        }
      }
      const expected = rows.flatMap(([, text, shown, entered]) => entered.map((way) => `${text} ${way}: ${shown}`))
      assert.deepStrictEqual(observed, expected)
    })
  )

  it.effect("keeps the cursor where the customer edits", () =>
    Effect.gen(function* () {
      const page = yield* customer()
      yield* PaymentPage.open(page)
      const observed: Array<string> = []
      for (const [label, start, keys] of edits) {
        const field = page.getByLabel(label, { exact: true })
        yield* at(page, async () => {
          await field.fill("")
          await field.pressSequentially(start)
          for (const key of keys) await page.keyboard.press(key)
        })
        observed.push(yield* at(page, () => shownIn(field)))
      }
      assert.deepStrictEqual(
        observed,
        edits.map(([, , , expected]) => expected)
      )
    })
  )

  it.effect("says what is wrong with a field when it is left, and with a long code while it is typed", () =>
    Effect.gen(function* () {
      const page = yield* customer()
      yield* PaymentPage.open(page)
      const errors = yield* at(page, async () => {
        const messages: Array<string | null> = []
        const leave = async (label: string, name: string, text: string) => {
          const field = page.getByLabel(label, { exact: true })
          await field.fill(text)
          await field.blur()
          messages.push(await errorOf(page, name))
        }
        await page.getByLabel("Card number").focus()
        await page.keyboard.press("Tab")
        messages.push(await errorOf(page, "number"))
        await leave("Card number", "number", "4444333322221112")
        await leave("Card number", "number", PaymentPage.plain)
        await leave("Expiry date", "expiry", "13/35")
        await leave("Expiry date", "expiry", "")
        await leave("Name on card", "holder", PaymentPage.plain)
        await page.getByLabel("Security code").pressSequentially("1234")
        messages.push(await errorOf(page, "code"), await page.getByLabel("Security code").getAttribute("aria-invalid"))
        await page.keyboard.press("Backspace")
        messages.push(await errorOf(page, "code"))
        return messages
      })
      assert.deepStrictEqual(errors, [
        "",
        "This is not a valid card number. Please check the digits.",
        "",
        "Enter the expiry date as month and year, like 08 / 29.",
        "Enter the expiry date.",
        "The name may have at most 128 letters, and no special characters.",
        "The security code of this card has 3 digits.",
        "true",
        ""
      ])
    })
  )

  it.effect(
    "takes a card for fourteen hours after its month has ended in UTC, until it has ended in every time zone",
    () =>
      Effect.gen(function* () {
        const page = yield* customer()
        yield* PaymentPage.open(page)
        const errors = yield* at(page, async () => {
          const messages: Array<string | null> = []
          for (const time of ["2030-12-31T23:59:59Z", "2031-01-01T13:59:59Z", "2031-01-01T14:00:00Z"]) {
            await page.clock.setFixedTime(time)
            const field = page.getByLabel("Expiry date")
            await field.fill("12/30")
            await field.blur()
            messages.push(await errorOf(page, "expiry"))
          }
          return messages
        })
        assert.deepStrictEqual(errors, ["", "", "This card has expired."])
      })
  )

  it.effect("pays with a card that a password manager set without events, in digits of another script", () =>
    Effect.gen(function* () {
      const page = yield* customer()
      const opened = yield* PaymentPage.open(page)
      yield* at(page, async () => {
        const values = { number: "۴۴۴۴ ۵۵۵۵ ۶۶۶۶ ۱۱۱۱", expiry: "01 / 2035", code: "１２３", holder: "Jane Doe" }
        for (const [id, value] of Object.entries(values))
          await page.locator(`#${id}`).evaluate((input: HTMLInputElement, text) => {
            input.value = text
          }, value)
        await PaymentPage.payButton(page).click()
      })
      yield* PaymentPage.goBack(page, opened, "Payment successful", "approved")
    })
  )
})
