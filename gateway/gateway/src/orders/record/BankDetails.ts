/** What the bank reported of a payment beside its outcome, as one column of the order with JSON. Unknown details are absent. */
import { Schema } from "effect"
import * as JsonColumn from "../../kernel/JsonColumn.ts"

const text = Schema.optionalKey(Schema.String)

/**
 * The scheme's reference of a transaction: the first payment of a stored card has it in its answer, and later payments send it back.
 */
export const SchemeReference = Schema.Struct({
  /** The transaction identifier or trace number, at most 36 characters. */
  id: Schema.String,
  /** The brand whose scheme gave the reference, as `card-type` of `status` names it; absent: that of the card. */
  brand: text,
  /** The settlement date, MMDD, if the scheme's reference needs it. */
  date: text
})
export type SchemeReference = typeof SchemeReference.Type

export const BankDetails = Schema.Struct({
  schemeReference: Schema.optionalKey(SchemeReference),
  retrievalReference: text,
  eci: text,
  avsResult: text,
  cvvResult: text,
  networkCode: text,
  advice: text,
  /** The bank's own code of a decline, if it is not the one that the merchant reads. */
  code: text,
  category: text
})
export type BankDetails = typeof BankDetails.Type

export const column = JsonColumn.make(BankDetails)

type Reported = { readonly [Name in keyof BankDetails]?: BankDetails[Name] | undefined }

/** Returns the column; null if nothing was reported. */
export const write = (reported: Reported): string | null => {
  const details = Object.fromEntries(Object.entries(reported).filter(([, value]) => value !== undefined))
  return Object.keys(details).length === 0 ? null : JSON.stringify(details)
}
