/** An endpoint's risk rules in a configuration file, decoded and checked once, in the form that `Risk.judge` uses. */

import * as Blanks from "@pay/schema/Blanks"
import * as EmailAddress from "@pay/schema/EmailAddress"
import * as Money from "@pay/schema/Money"
import { Result, Schema } from "effect"
import type { Range } from "../network/AddressPolicy.ts"
import * as CustomerAddress from "../network/CustomerAddress.ts"
import * as Country from "../recipients/Country.ts"
import * as Risk from "./Risk.ts"

/** Amounts by currency, in major units. */
export const Amounts = Schema.Record(
  Schema.String,
  Schema.String.check(Schema.makeFilter(Money.isAmount, { message: "is no amount: 10.42" }))
)
const Count = Schema.Int.check(Schema.isGreaterThan(0))

/** Returns an entry of a list in the form in which requests are compared with it. */
const emailOf = (text: string): string => EmailAddress.customer(Blanks.trim(text))
const countryOf = (text: string): string => Blanks.trim(text).toUpperCase()

const everyCountry = "*"
const countryFlaw = (text: string): string | undefined => {
  const flaw = countryOf(text) === everyCountry ? undefined : Country.flaw(countryOf(text))
  return flaw && `${text} ${flaw}`
}

const List = Schema.Struct({
  cards: Schema.optionalKey(
    Schema.Array(Schema.String.check(Schema.isPattern(/^(\d{6}|v\d+\.[\w-]+)$/))).annotate({
      description:
        "the first six digits; or the keyed hash of a number: `cardHash` of a payment or `recipient` of a payout, as `pay orders show` prints them"
    })
  ),
  emails: Schema.optionalKey(
    Schema.Array(
      Schema.String.check(
        Schema.makeFilter((text: string) => /^[^\s@\p{Cc}\p{Cf}]*@[^\s@\p{Cc}\p{Cf}]+$/u.test(emailOf(text)), {
          message: "is no e-mail address and no domain: @shop.example"
        })
      )
    ).annotate({
      description: "an address, or a domain as `@shop.example`"
    })
  ),
  addresses: Schema.optionalKey(Schema.Array(Schema.String).annotate({ description: "an IP address or a CIDR range" })),
  countries: Schema.optionalKey(
    Schema.Array(Schema.String.check(Schema.makeFilter(countryFlaw))).annotate({
      description:
        "country of the payer's address, if the request names it: its code of ISO 3166-1, two letters; `*`: every country"
    })
  )
})

const Velocity = Schema.Struct({
  per: Schema.Literals(Risk.counted).annotate({
    description: "what is counted: `card`, `email` or `address`; beyond `count` or `sum` a payment ends `filtered` (93)"
  }),
  withinSeconds: Count.annotate({ description: "the period before the payment in which it is counted", unit: "s" }),
  count: Schema.optionalKey(Count.annotate({ description: "payments, the new one included", unit: "count" })),
  sum: Schema.optionalKey(
    Amounts.annotate({ description: "money, the new payment included; by currency", unit: "major units" })
  )
})

export const Config = Schema.Struct({
  velocity: Schema.optionalKey(Schema.Array(Velocity)),
  /** Payments that match an entry end `filtered` (94). */
  block: Schema.optionalKey(List),
  /** Entries that lift the block list and velocity rules of their own kind. */
  allow: Schema.optionalKey(List)
})
export type Config = typeof Config.Type

/** Converts amounts by currency from major to minor units. */
export const minorOf = (amounts: Readonly<Record<string, string>>): Result.Result<Record<string, number>, string> =>
  Result.all(
    Object.fromEntries(
      Object.entries(amounts).map(([currency, amount]) => [
        currency,
        Result.mapError(Money.toMinor(amount, currency), ({ says }) => `${amount} ${currency} ${says}`)
      ])
    )
  )

const rangeOf = (text: string): Result.Result<Range, string> =>
  Result.mapError(CustomerAddress.range(Blanks.trim(text)), () => `${text} is neither an IP address nor a CIDR range`)

const listOf = ({ addresses = [], cards = [], countries = [], emails = [] }: typeof List.Type = {}) =>
  Result.map(
    Result.all(addresses.map(rangeOf)),
    (address): Risk.List => ({
      card: new Set(cards),
      email: new Set(emails.map(emailOf)),
      address,
      country: new Set(countries.map(countryOf))
    })
  )

const velocityOf = ({ count, per, sum = {}, withinSeconds }: typeof Velocity.Type) =>
  Result.map(minorOf(sum), (sumMinor): Risk.Velocity => ({ per, withinMs: withinSeconds * 1000, count, sumMinor }))

export const none: Risk.Rules = {
  maxMinor: {},
  velocity: [],
  block: Risk.emptyList,
  allow: Risk.emptyList,
  cardKeys: []
}

/**
 * Returns the versions of the hashing keys of all entries. A list may contain entries that were made with an earlier
 * key.
 */
const keysOf = (...lists: ReadonlyArray<Risk.List>): ReadonlyArray<string> => [
  ...new Set(lists.flatMap(({ card }) => [...card].flatMap((entry) => /^v\d+\./.exec(entry)?.[0] ?? [])))
]

/** Builds the rules, or fails with a message for an operator. `maxAmount`: by currency, in major units. */
export const make = (
  maxAmount: Readonly<Record<string, string>>,
  { allow, block, velocity = [] }: Config
): Result.Result<Risk.Rules, string> =>
  Result.gen(function* () {
    const [blocked, allowed] = [yield* listOf(block), yield* listOf(allow)]
    return {
      maxMinor: yield* minorOf(maxAmount),
      velocity: yield* Result.all(velocity.map(velocityOf)),
      block: blocked,
      allow: allowed,
      cardKeys: keysOf(blocked, allowed)
    }
  })
