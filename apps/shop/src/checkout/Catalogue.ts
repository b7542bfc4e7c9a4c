/** The products of the shop: one for each way to charge. */
import type { Flaw } from "@pay/schema/Field"
import * as Money from "@pay/schema/Money"
import * as MoneyDisplay from "@pay/schema/MoneyDisplay"
import { Result } from "effect"

export interface Product {
  readonly id: string
  readonly title: string
  readonly amountMinor: number
  readonly currency: string
  /** `sale`: charged at once. `authorize`: authorized now, captured when the product is shipped. `monthly`: a subscription. */
  readonly billing: "sale" | "authorize" | "monthly"
}

export const products: ReadonlyArray<Product> = [
  { id: "can", title: "Copper watering can", amountMinor: 4800, currency: "USD", billing: "sale" },
  { id: "bench", title: "Oak garden bench", amountMinor: 32000, currency: "USD", billing: "authorize" },
  { id: "seeds", title: "Seeds by post", amountMinor: 1200, currency: "USD", billing: "monthly" }
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
