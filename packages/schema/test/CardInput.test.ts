import { assert, describe, it } from "@effect/vitest"
import * as CardInput from "../src/CardInput.ts"

/** A text, and the expiry date in it. */
const dates = [
  ["1/35", 1, 2035],
  ["01/35", 1, 2035],
  ["1/2035", 1, 2035],
  ["01 / 2035", 1, 2035],
  ["01 / 35", 1, 2035],
  [" 12-35 ", 12, 2035],
  ["12.2035", 12, 2035],
  ["12\\35", 12, 2035],
  ["12 35", 12, 2035],
  ["0135", 1, 2035],
  ["135", 1, 2035],
  ["012035", 1, 2035],
  ["12035", 1, 2035],
  ["2035-01", 1, 2035],
  ["2035-01-31", 1, 2035],
  ["203501", 1, 2035],
  ["exp. 01/35", 1, 2035],
  ["１２／３５", 12, 2035],
  ["۱۲/۳۵", 12, 2035],
  ["١٢ / ٢٠٣٥", 12, 2035],
  ["१/३५", 1, 2035],
  ["01 ⁄ 35", 1, 2035]
] as const

const noDates = [
  "",
  "1",
  "12",
  "1/",
  "13/35",
  "00/35",
  "0/35",
  "12/1935",
  "12/203",
  "soon",
  "1/2/35",
  "4444333322221111"
]

describe("an expiry date as it is typed, pasted or filled in", () => {
  it.each(dates)("%s", (text, month, year) => assert.deepStrictEqual(CardInput.expiry(text), { month, year }))
  it.each(noDates)("is not in %j", (text) => assert.isUndefined(CardInput.expiry(text)))
  it.each(dates)("is shown as MM / YY: %s", (text, month) =>
    assert.strictEqual(CardInput.shownExpiry(text), `${String(month).padStart(2, "0")} / 35`)
  )
})

/** What a person types, character by character, and what the field shows in the end. */
const typed = [
  ["1/35", "01 / 35"],
  ["1/2035", "01 / 35"],
  ["01/35", "01 / 35"],
  ["0135", "01 / 35"],
  ["135", "01 / 35"],
  ["12035", "01 / 35"],
  ["1235", "12 / 35"],
  ["122035", "12 / 35"],
  ["12/2035", "12 / 35"],
  ["8/29", "08 / 29"],
  ["829", "08 / 29"],
  ["1 35", "01 / 35"],
  ["۱/۳۵", "01 / 35"],
  ["1", "1"],
  ["1/", "01 / "],
  ["13", "01 / 3"],
  ["12", "12 / "],
  ["00", "00"],
  ["13/35", "01 / 335"],
  ["x", ""]
] as const

describe("an expiry date while it is typed", () => {
  it.each(typed)("%s is shown as %s", (text, expected) =>
    assert.strictEqual(
      [...text].reduce((before, key) => CardInput.shownExpiry(before + key), ""),
      expected
    )
  )
})

const pan = "4444333322221111"
const numbers = [
  ["4444333322221111", pan],
  ["4444 3333 2222 1111", pan],
  ["4444-3333-2222-1111", pan],
  ["4444\u00a03333\u00a02222\u00a01111", pan],
  ["4444 – 3333 – 2222 – 1111", pan],
  ["\u200e4444\u200b333322221111", pan],
  ["Card: 4444 3333 2222 1111, thanks", pan],
  ["４４４４　３３３３　２２２２　１１１１", pan],
  ["٤٤٤٤ ٣٣٣٣ ٢٢٢٢ ١١١١", pan],
  ["۴۴۴۴ ۳۳۳۳ ۲۲۲۲ ۱۱۱۱", pan],
  ["بطاقة ٤٤٤٤ ٣٣٣٣ ٢٢٢٢ ١١١١ شكرا", pan],
  ["कार्ड: ४४४४ ३३३३ २२२२ ११११।", pan],
  ["4444x333322221111", "4444x333322221111"],
  ["4444 3333 2222 1111abc", "4444333322221111abc"],
  ["Nr4444 3333 2222 1111", "Nr4444333322221111"],
  ["4444 3333 2222 1l11", "4444333322221l11"],
  ["4444       3333 2222 1111", pan],
  ["4444333322221111 or 5555555555554444", "4444333322221111or5555555555554444"],
  ["1234", "1234"]
] as const

describe("a card number as it is typed, pasted or filled in", () => {
  it.each(numbers)("%s", (text, expected) => assert.strictEqual(CardInput.number(text), expected))
})

describe("a security code as it is typed, pasted or filled in", () => {
  it.each([
    ["123", "123"],
    ["１２３", "123"],
    ["۱۲۳", "123"],
    [" 1 2 3 ", "123"],
    ["12a", "12a"]
  ])("%s", (text, expected) => assert.strictEqual(CardInput.code(text), expected))
})
