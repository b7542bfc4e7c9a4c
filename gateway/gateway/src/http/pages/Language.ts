/** The texts of the pages and their language: that of `?lang=` if there is one, else the browser's preference, else English. */
import * as Browser from "@pay/schema/Browser"
import * as MoneyDisplay from "@pay/schema/MoneyDisplay"
import { arabic } from "./texts/Arabic.ts"
import { english } from "./texts/English.ts"
import { german } from "./texts/German.ts"

/**
 * The texts of the pages, in each language one file with the keys of the English one: a missing key does not compile. A name in
 * braces, like `{amount}`, stands for a value. A text that depends on a count has the forms `one` and `other`.
 */
export type Texts = typeof english
export type PayoutTexts = Texts["payout"]

export const languages = { en: english, de: german, ar: arabic } as const satisfies Readonly<Record<string, Texts>>

export type Language = keyof typeof languages

export const all: ReadonlyArray<Language> = ["en", "de", "ar"]

/** Returns the language of a tag such as `de-AT`, or the first of a list of preferences that the pages have. */
export const named = (text: string): Language | undefined => {
  for (const tag of Browser.languages(text)) {
    const [primary] = tag.split("-", 1)
    const match = all.find((language) => language === primary)
    if (match !== undefined) return match
  }
  return undefined
}

/** The query says the language as a tag, the browser as a list of preferences. */
export const choose = (query: string, acceptLanguage: string): Language =>
  named(new URLSearchParams(query).get("lang") ?? "") ?? named(acceptLanguage) ?? "en"

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
