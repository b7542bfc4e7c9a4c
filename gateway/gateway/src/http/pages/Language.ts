/** The texts of the pages and their language: that of `?lang=` if there is one, else the browser's preference, else English. */
import * as MoneyDisplay from "@pay/schema/MoneyDisplay"
import ar from "./texts/ar.json" with { type: "json" }
import de from "./texts/de.json" with { type: "json" }
import en from "./texts/en.json" with { type: "json" }

/**
 * The texts of the pages, in each language one JSON file with the keys of the English one: a missing key does not compile. A name in
 * braces, like `{amount}`, stands for a value. A text that depends on a count has the forms `one` and `other`.
 */
export const english = en
export type Texts = typeof english
export type PayoutTexts = Texts["payout"]

export const languages = { en: english, de, ar } as const satisfies Readonly<Record<string, Texts>>

export type Language = keyof typeof languages

export const all: ReadonlyArray<Language> = ["en", "de", "ar"]

/** Returns the language that a tag names, such as `de-AT`. */
export const named = (text: string): Language | undefined => {
  const [primary] = text.trim().toLowerCase().split("-")
  return all.find((language) => language === primary)
}

/** Returns the preferred language of `Accept-Language` (RFC 9110 §12.5.4), the first of equally preferred ones. */
const preferred = (acceptLanguage: string): Language | undefined => {
  let best: { readonly language: Language; readonly quality: number } | undefined
  for (const range of acceptLanguage.slice(0, longestHeader).split(",")) {
    const [tag = "", ...parameters] = range.split(";")
    const language = named(tag)
    const weight = parameters.find((parameter) => parameter.trim().startsWith("q="))
    const quality = weight === undefined ? 1 : Number(weight.trim().slice(2))
    if (language !== undefined && quality > (best?.quality ?? 0)) best = { language, quality }
  }
  return best?.language
}

const longestHeader = 1000

export const choose = (query: string, acceptLanguage: string): Language =>
  named(new URLSearchParams(query).get("lang") ?? "") ?? preferred(acceptLanguage) ?? "en"

/**
 * Formats an amount in the language. Between right-to-left words, signs like `US$` are displayed in pieces, so the currency code
 * is used.
 */
export const money = (language: Language, amountMinor: number, currency: string): string =>
  MoneyDisplay.format(amountMinor, currency, {
    locale: language,
    currency: languages[language].direction === "rtl" ? "code" : "symbol"
  })

const placeholder = /\{(\w{1,20})\}/g

/** Returns the text with its values; a name without a value stays as it is. */
export const fill = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(placeholder, (whole, name) => values[name] ?? whole)

/** Returns the form of the text for the count. */
export const counted = ({ one, other }: { readonly one: string; readonly other: string }, count: number): string =>
  fill(count === 1 ? one : other, { count: String(count) })
