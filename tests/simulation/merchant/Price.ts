/** How much is paid, where and in which currency. */
import type { Chance } from "../Chance.ts"
import * as Account from "./Account.ts"
import { type Draw, major } from "./Wish.ts"

export interface Price extends Account.Till {
  readonly amountMinor: number
}

const usd: Account.Till = { endpoint: "usd", currency: "USD" }

/** In minor units of whatever currency. */
export const amountOf = (chance: Chance): number => 1 + chance.below(20_000)

/** In dollars, mostly; else at any endpoint that needs neither a page nor an approver. */
export const priceOf = ({ account, amountMinor, chance, till }: Draw): Price => {
  const drawn = chance.percent(60) ? usd : chance.oneOf([usd, ...Account.tills(account)])
  return { ...(till ?? drawn), amountMinor: amountMinor ?? amountOf(chance) }
}

/** Returns the price as fields of a request. */
export const fieldsOf = ({ amountMinor, currency }: Omit<Price, "endpoint">) => ({
  amount: major(amountMinor, currency),
  currency
})
