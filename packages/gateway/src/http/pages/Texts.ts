/**
 * What the pages say, in each language one JSON file with the keys of the English one: a missing key does not compile. A name in
 * braces, like `{amount}`, stands for a value. A text that depends on a count has the forms `one` and `other`.
 */
import en from "./texts/en.json" with { type: "json" }

export const english = en
export type Texts = typeof english
export type PayoutTexts = Texts["payout"]

const placeholder = /\{(\w{1,20})\}/g

/** Returns the text with its values; a name without a value stays as it is. */
export const fill = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(placeholder, (whole, name) => values[name] ?? whole)

/** Returns the form of the text for the count. */
export const counted = ({ one, other }: { readonly one: string; readonly other: string }, count: number): string =>
  fill(count === 1 ? one : other, { count: String(count) })
