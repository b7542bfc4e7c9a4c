import { assert, describe, it } from "@effect/vitest"
import * as Language from "../../src/http/pages/Language.ts"

describe("the texts of a page", () => {
  const rows: ReadonlyArray<readonly [query: string, acceptLanguage: string, language: string]> = [
    ["", "", "en"],
    ["", "de", "de"],
    ["", "de-AT,en;q=0.5", "de"],
    ["", "fr,en;q=0.8,ar;q=0.9", "ar"],
    ["", "fr, *;q=0.1", "en"],
    ["", "de;q=0, ar;q=0.1", "ar"],
    ["", "de;q=x", "en"],
    ["", "de_DE", "de"],
    ["", "DE-de-1996", "de"],
    ["", "en-GB-oxendict", "en"],
    ["", "zh-Hans-CN, de;Q=0.5, en;q=0.4", "de"],
    ["", "ar-EG-u-nu-latn", "ar"],
    ["", "ca-ES-valencia", "en"],
    ["", "es-419", "en"],
    ["", "*", "en"],
    ["", `de,${"x".repeat(4000)}`, "de"],
    ["lang=de_AT", "", "de"],
    ["lang=ar", "de", "ar"],
    ["lang=AR-EG", "de", "ar"],
    ["lang=de_AT", "", "de"],
    ["", "de;Q=0.5, ar;q=0.9", "ar"],
    ["lang=fr", "de", "de"],
    ["lang=%22%3E", "", "en"]
  ]
  for (const [query, acceptLanguage, language] of rows) {
    it(`are in ${language} for the query (${query}) and Accept-Language (${acceptLanguage})`, () =>
      assert.strictEqual(Language.choose(query, acceptLanguage), language))
  }

  it("show amounts with a sign of the currency, and with its code between right-to-left words", () => {
    assert.strictEqual(Language.money("en", 123_460, "USD"), "$1,234.60")
    assert.strictEqual(Language.money("de", 123_460, "EUR").replace("\u00a0", " "), "1.234,60 €")
    assert.match(Language.money("ar", 123_460, "USD"), /1,234\.60.USD$/)
  })

  const textOf = (value: unknown): ReadonlyArray<string> =>
    typeof value === "string" ? [value] : Object.values(Object(value)).flatMap(textOf)
  /** Each key, with the placeholders of its text: `payout.receive {amount}`. */
  const keysOf = (value: unknown, path = ""): ReadonlyArray<string> =>
    typeof value === "string"
      ? [[path.slice(1), ...(value.match(/\{\w+\}/g) ?? [])].join(" ")]
      : Object.entries(Object(value)).flatMap(([name, inner]) => keysOf(inner, `${path}.${name}`))

  it("exist in every language, with the same placeholders", () => {
    for (const language of Language.all)
      assert.deepStrictEqual(keysOf(Language.languages[language]).toSorted(), keysOf(Language.languages.en).toSorted())
  })

  it.each([
    [1, "You can try once more."],
    [2, "You can try 2 more times."]
  ])("have the right plural form: %s: %s", (count, text) => {
    const forms = { one: "You can try once more.", other: "You can try {count} more times." }
    assert.strictEqual(Language.counted(forms, count), text)
  })

  it("are filled once for each placeholder, and keep placeholders without a value", () => {
    assert.strictEqual(Language.fill("{amount} to {merchant}", { amount: "{merchant}" }), "{merchant} to {merchant}")
  })

  it("are never empty, and never in English on a page of another language", () => {
    const english = new Set(textOf(Language.languages.en))
    for (const language of Language.all) {
      const texts = textOf(Language.languages[language])
      assert.strictEqual(texts.length, textOf(Language.languages.en).length)
      for (const text of texts) assert.notStrictEqual(text.trim(), "")
      if (language !== "en") {
        const same = texts.filter((text) => english.has(text) && text !== "ltr")
        assert.deepStrictEqual(same, [])
      }
    }
  })
})
