/**
 * Stored cards as networks see them: the scheme's reference of the payment with which a card was stored, and how a payment uses
 * the card. Each is one column with JSON.
 */
import { Schema } from "effect"
import * as JsonColumn from "../../kernel/JsonColumn.ts"
import * as BankDetails from "./BankDetails.ts"
import type { Order } from "./Order.ts"

export const StoredCredential = Schema.Struct({
  /** `store`: the card is stored with this payment, for later ones. `use`: it was stored before. */
  use: Schema.Literals(["store", "use"]),
  /**
   * `cardOnFile`: the cardholder pays with the stored card. `recurring`: equal intervals. `instalment`: parts of one purchase.
   * `unscheduled`: the merchant charges when a condition is met.
   */
  series: Schema.Literals(["cardOnFile", "recurring", "instalment", "unscheduled"]),
  /** The scheme's reference of the payment with which the card was stored; absent if no bank reported one of this brand. */
  schemeReference: Schema.optionalKey(BankDetails.SchemeReference)
})
export type StoredCredential = typeof StoredCredential.Type

export const credential = JsonColumn.make(StoredCredential)
const references = JsonColumn.make(BankDetails.SchemeReference)

/** Returns the reference of an order's payment as a column, with the brand of its card; null if the bank reported none. */
export const referenceOf = ({ bankDetails, cardType }: Pick<Order, "bankDetails" | "cardType">): string | null => {
  const reference = BankDetails.column.read(bankDetails)?.schemeReference
  return reference === undefined ? null : references.write({ brand: cardType, ...reference })
}

/** A payment that stores its card, or uses one. `schemeReference`: the column of the stored card. */
interface Usage extends Pick<StoredCredential, "use" | "series"> {
  readonly schemeReference: string | null
  readonly cardType: string
}

/** Returns the column of an order. A reference of another brand than the card's is left out, because no network knows it. */
export const of = ({ cardType, schemeReference, series, use }: Usage): string => {
  const reference = references.read(schemeReference)
  const isOwn = reference !== undefined && (reference.brand ?? cardType) === cardType
  return credential.write({ use, series, ...(isOwn ? { schemeReference: reference } : {}) })
}
