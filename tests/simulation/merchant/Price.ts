/** The amount, currency and endpoint of a payment. */
import type { Chance } from "@pay/crashtest/Chance"
import * as Account from "./Account.ts"
import { type DrawContext, major } from "./MerchantAction.ts"

export interface Price extends Account.EndpointCurrency {
  readonly amountMinor: number
}

const usd: Account.EndpointCurrency = { endpoint: "usd", currency: "USD" }

/** Draws an amount in minor units. */
export const amountOf = (chance: Chance): number => 1 + chance.below(20_000)

/** Draws one of the largest amounts: two of them have a sum beyond 2^53. */
const largeAmountOf = (chance: Chance): number => Number.MAX_SAFE_INTEGER - chance.below(20_000)

/** Draws a price: in most cases in USD, otherwise at any endpoint without a page or an approver. */
export const priceOf = ({ account, amountMinor, chance, endpointCurrency }: DrawContext): Price => {
  const drawn = chance.percent(60) ? usd : chance.oneOf([usd, ...Account.unattended(account)])
  return {
    ...(endpointCurrency ?? drawn),
    amountMinor: amountMinor ?? (chance.percent(3) ? largeAmountOf(chance) : amountOf(chance))
  }
}

/** Returns the price as fields of a request. */
export const fieldsOf = ({ amountMinor, currency }: Omit<Price, "endpoint">) => ({
  amount: major(amountMinor, currency),
  currency
})
