/**
 * A terminal: what an acquirer knows of a merchant's endpoint. An endpoint has one for each acquirer and currency. An order keeps
 * the terminal with which it was created, so that its follow-ups use the same one.
 */
import { Schema } from "effect"
import * as JsonColumn from "../kernel/JsonColumn.ts"

/** The name of the acquirer of a terminal that names none, and of orders without a terminal. */
export const defaultAcquirer = "acquirer"

/** Returns the name of the acquirer of an order, or of what is known of one. */
export const acquirerOf = ({ acquirer }: { readonly acquirer?: string | null | undefined }): string =>
  acquirer ?? defaultAcquirer

const text = (longest: number) => Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(longest))

/** What requests to the acquirer carry. */
export const Terminal = Schema.Struct({
  mid: text(80).annotate({
    description: "the number or account that the acquirer gave the merchant (MID)"
  }),
  tid: Schema.optionalKey(text(32).annotate({ description: "the number of the terminal (TID)" })),
  categoryCode: Schema.optionalKey(
    Schema.String.check(Schema.isPattern(/^\d{4}$/)).annotate({
      description: "the merchant's category (MCC, ISO 18245), four digits"
    })
  ),
  country: Schema.optionalKey(
    Schema.String.check(Schema.isPattern(/^[A-Z]{2}$/)).annotate({
      description: "the merchant's country, ISO 3166-1, two letters"
    })
  ),
  name: Schema.optionalKey(text(40).annotate({ description: "the merchant's name as issuers see it" })),
  city: Schema.optionalKey(text(40).annotate({ description: "the merchant's city as issuers see it" })),
  acquirerIds: Schema.optionalKey(
    Schema.Record(Schema.String, Schema.String.check(Schema.isPattern(/^\d{1,11}$/))).annotate({
      description: "the acquirer's number at each card scheme, by `card-type`: at most 11 digits"
    })
  )
})
export type Terminal = typeof Terminal.Type

/** The column of an order with its terminal. */
export const column = JsonColumn.make(Terminal)

/** Returns the number of an order's terminal if a bank names another one for its payment; undefined: they agree, or one is not named. */
export const otherMid = (terminal: Parameters<typeof column.read>[0], mid: string | undefined): string | undefined => {
  const own = column.read(terminal)?.mid
  return mid === undefined || mid === own ? undefined : own
}

/** A terminal in a configuration file: for which acquirer and currencies it is, and its statement text. */
export const TerminalConfig = Schema.Struct({
  ...Terminal.fields,
  acquirer: Schema.optionalKey(
    text(32).annotate({
      description: "the name of the acquirer in the adapter module's `acquirers`",
      fallback: "the module's `acquirer`"
    })
  ),
  currencies: Schema.optionalKey(
    Schema.NonEmptyArray(Schema.String.check(Schema.isPattern(/^[A-Z]{3}$/))).annotate({
      description: "the currencies for which the terminal is used",
      fallback: "every one of the endpoint"
    })
  ),
  descriptor: Schema.optionalKey(
    Schema.String.annotate({
      description: "shown on the cardholder's statement",
      fallback: "the endpoint's `descriptor`"
    })
  )
})
export type TerminalConfig = typeof TerminalConfig.Type
