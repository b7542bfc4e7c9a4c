/** The products of the shop: one for each way to charge. */
import type { Flaw } from "@pay/schema/Field"
import * as Money from "@pay/schema/Money"
import * as MoneyDisplay from "@pay/schema/MoneyDisplay"
import { Result } from "effect"

/** The amounts from which a customer chooses one, in minor units. */
export interface Range {
  readonly leastMinor: number
  readonly largestMinor: number
}

export interface Product {
  readonly id: string
  readonly title: string
  readonly amountMinor: number | Range
  readonly currency: string
  /** `sale`: charged at once. `authorize`: authorized now, captured when the product is shipped. `monthly`: a subscription. */
  readonly billing: "sale" | "authorize" | "monthly"
}

export const products: ReadonlyArray<Product> = [
  { id: "can", title: "Copper watering can", amountMinor: 4800, currency: "USD", billing: "sale" },
  { id: "bench", title: "Oak garden bench", amountMinor: 32000, currency: "USD", billing: "authorize" },
  { id: "seeds", title: "Seeds by post", amountMinor: 1200, currency: "USD", billing: "monthly" },
  {
    id: "gift",
    title: "Gift card",
    amountMinor: { leastMinor: 500, largestMinor: 50_000 },
    currency: "USD",
    billing: "sale"
  }
]

export const find = (id: string): Product | undefined => products.find((product) => product.id === id)

export const titleOf = ({ product }: { readonly product: string }): string => find(product)?.title ?? product

/** Formats an amount for customers: `$48.00`. */
export const price = (amountMinor: number, currency: string): string =>
  MoneyDisplay.format(amountMinor, currency, { locale: "en-US" })

/** Reads an amount that a person has typed: `1234.6`, or as {@link price} shows it, `$1,234.60` or `1,234.60`. */
export const readAmount = (typed: string, currency: string): Result.Result<number, Flaw> => {
  const text = typed.trim().replace(/\s/g, " ")
  const shown = Money.toMinor(text.replace(/[^\d.]/g, ""), currency)
  if (Result.isFailure(shown)) return Money.toMinor(text, currency)
  const asShown = price(shown.success, currency).replace(/\s/g, " ")
  return text === asShown || text === asShown.replace(/^\D+/, "") ? shown : Money.toMinor(text, currency)
}

/** Returns what the product costs, or of a {@link Range} what the customer typed. `undefined` if the range does not contain it. */
export const amountOf = ({ amountMinor, currency }: Product, typed: string): number | undefined => {
  if (typeof amountMinor === "number") return amountMinor
  const { largestMinor, leastMinor } = amountMinor
  const chosen = Result.getOrUndefined(readAmount(typed, currency))
  return chosen !== undefined && chosen >= leastMinor && chosen <= largestMinor ? chosen : undefined
}

/** What the customer sees before the choice of an amount: `$48.00`, `$12.00 a month`, `$5.00 to $500.00`. */
export const priceOf = ({ amountMinor, billing, currency }: Product): string => {
  if (typeof amountMinor === "number")
    return `${price(amountMinor, currency)}${billing === "monthly" ? " a month" : ""}`
  return `${price(amountMinor.leastMinor, currency)} to ${price(amountMinor.largestMinor, currency)}`
}
