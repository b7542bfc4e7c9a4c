/** What the shop sells. */
import * as Money from "@pay/schema/Money"

export interface Product {
  readonly id: string
  readonly title: string
  readonly about: string
  readonly amountMinor: number
  readonly currency: string
  /** `sale`: charged at once. `reserve`: held on the card, charged when it is shipped. `monthly`: a subscription. */
  readonly charged: "sale" | "reserve" | "monthly"
  /** The picture: a colour for the background, and one path. */
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
  },
  {
    id: "seeds",
    title: "Seeds by post",
    about: "Three packets to sow, at the right time, every month. Charged to your card; cancel any day.",
    amountMinor: 1200,
    currency: "USD",
    charged: "monthly",
    picture: {
      ground: "#e9e2f1",
      path: "M62 38h56v76H62zM66 42v68h48V42zM90 96V72c-16 0-18-10-18-16 12 0 18 6 18 14 0-10 6-18 18-18 0 10-4 20-16 20v24z"
    }
  }
]

export const find = (id: string): Product | undefined => products.find((product) => product.id === id)

/** `$48.00` */
export const price = (amountMinor: number, currency: string): string =>
  new Intl.NumberFormat("en-US", { style: "currency", currency }).format(Number(Money.fromMinor(amountMinor, currency)))
