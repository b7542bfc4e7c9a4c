/**
 * Amounts as Adyen counts them. Its minor units are those of ISO 4217 except for some currencies
 * (https://docs.adyen.com/development-resources/currency-codes).
 */
import * as Currency from "@pay/schema/Currency"
import { Schema } from "effect"

export const AdyenAmount = Schema.Struct({ currency: Schema.String, value: Schema.Int })
export type AdyenAmount = typeof AdyenAmount.Type

/** Decimals of the currencies in which Adyen differs from ISO 4217. */
const ownDecimals: Readonly<Record<string, number>> = { CLP: 2, CVE: 0, IDR: 0, ISK: 2 }

/** Returns how many more decimals Adyen has for the currency than ISO 4217; negative if it has fewer. */
const furtherDecimals = (currency: string): number => {
  const own = ownDecimals[currency]
  return own === undefined ? 0 : own - (Currency.digits(currency) ?? own)
}

/** Returns the amount times ten to the power; undefined if it is no whole number of minor units. */
const shifted = (value: number, power: number): number | undefined => {
  const factor = 10 ** Math.abs(power)
  const result = power < 0 ? value / factor : value * factor
  return Number.isSafeInteger(result) ? result : undefined
}

/** Returns the amount for Adyen; undefined if it has decimals that Adyen does not take, such as 10.50 IDR. */
export const toAdyen = (amountMinor: number, currency: string): AdyenAmount | undefined => {
  const value = shifted(amountMinor, furtherDecimals(currency))
  return value === undefined ? undefined : { currency, value }
}

/** Returns an amount of Adyen in minor units of ISO 4217; undefined if it is no whole number of them. */
export const amountMinorOf = ({ currency, value }: AdyenAmount): number | undefined =>
  shifted(value, -furtherDecimals(currency))
