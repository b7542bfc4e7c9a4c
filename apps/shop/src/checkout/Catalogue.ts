/** The products of the shop: one for each way to charge. */
import * as MoneyDisplay from "@pay/schema/MoneyDisplay"

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
