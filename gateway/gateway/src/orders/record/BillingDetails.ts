/** The name and address of the customer who pays, as one column of the order. They go to the bank and to nothing else. */
import { Schema } from "effect"
import * as JsonColumn from "../../kernel/JsonColumn.ts"

export const BillingDetails = Schema.Struct({
  firstName: Schema.optionalKey(Schema.String),
  lastName: Schema.optionalKey(Schema.String),
  /** The street and the house number. */
  street: Schema.optionalKey(Schema.String),
  city: Schema.optionalKey(Schema.String),
  postalCode: Schema.optionalKey(Schema.String),
  /** ISO 3166-1, two letters. */
  country: Schema.optionalKey(Schema.String),
  /** ISO 3166-2 without the country. */
  state: Schema.optionalKey(Schema.String)
})
export type BillingDetails = typeof BillingDetails.Type

export const column = JsonColumn.make(BillingDetails)

/** The fields of a request about the payer's name and address. */
export interface BillingFields {
  readonly first_name?: string
  readonly last_name?: string
  readonly address1?: string
  readonly city?: string
  readonly zip_code?: string
  readonly country?: string
  readonly state?: string
}

/** Returns the column of a request; null if the request says nothing of the payer. */
export const ofFields = (fields: BillingFields): string | null => {
  const details: BillingDetails = {
    ...(fields.first_name === undefined ? {} : { firstName: fields.first_name }),
    ...(fields.last_name === undefined ? {} : { lastName: fields.last_name }),
    ...(fields.address1 === undefined ? {} : { street: fields.address1 }),
    ...(fields.city === undefined ? {} : { city: fields.city }),
    ...(fields.zip_code === undefined ? {} : { postalCode: fields.zip_code }),
    ...(fields.country === undefined ? {} : { country: fields.country }),
    ...(fields.state === undefined ? {} : { state: fields.state })
  }
  return Object.keys(details).length === 0 ? null : column.write(details)
}
