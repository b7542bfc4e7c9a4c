/** What the shop sells. */
import * as Money from "@pay/schema/Money"

export interface Product {
  readonly id: string
  readonly title: string
  readonly about: string
  readonly amountMinor: number
  readonly currency: string
  /** `sale`: charged at once. `reserve`: held on the card, charged when it is shipped. */
  readonly charged: "sale" | "reserve"
  /** Of the picture: a colour for the ground, and one path. */
  readonly picture: { readonly ground: string; readonly path: string }
}

export const products: ReadonlyArray<Product> = [
  {
    id: "can",
    title: "Copper watering can",
    about: "Two litres, brazed by hand, with a rose that rains softly. Leaves our workshop tomorrow.",
    amountMinor: 4800,
    currency: "USD",
    charged: "sale",
    picture: {
      ground: "#f3dfcb",
      path: "M52 58h52v50a6 6 0 0 1-6 6H58a6 6 0 0 1-6-6zM104 72l34-26 5 6-39 42zM136 40l14 16M52 66c-22-4-26 34 0 36v-8c-14-2-12-22 0-20zM60 58c2-18 34-18 36 0"
    }
  },
  {
    id: "bench",
    title: "Oak garden bench",
    about: "Made to order in three weeks. We hold the price on your card, and charge it on the day we ship.",
    amountMinor: 32000,
    currency: "USD",
    charged: "reserve",
    picture: {
      ground: "#dfe8d3",
      path: "M34 56h112v8H34zM34 70h112v8H34zM28 86h124v10H28zM38 96h8v26h-8zM134 96h8v26h-8zM40 50h6v40h-6zM134 50h6v40h-6z"
    }
  }
]

export const find = (id: string): Product | undefined => products.find((product) => product.id === id)

/** `$48.00` */
export const price = (amountMinor: number, currency: string): string =>
  new Intl.NumberFormat("en-US", { style: "currency", currency }).format(Number(Money.fromMinor(amountMinor, currency)))
