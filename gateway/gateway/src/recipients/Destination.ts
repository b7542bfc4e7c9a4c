/** The destination of a payout as the gateway stores it: one encrypted text, and the part of it that may be shown. */
import * as Card from "@pay/schema/Card"
import type { FieldTexts } from "@pay/schema/Operation"
import { Redacted, Schema } from "effect"

export const kinds = ["card", "account", "wallet", "phone"] as const
export type Kind = (typeof kinds)[number]

/** The field of a request for each kind of recipient, in the order of precedence. A phone may accompany the others. */
export const fieldOf = {
  card: "credit_card_number",
  account: "account_number",
  wallet: "ewallet_id",
  phone: "phone"
} as const satisfies Record<Kind, string>

/** Further fields about the recipient that a rail may need. */
const detailNames = [
  "account_name",
  "bank_address1",
  "bank_area",
  "bank_branch",
  "bank_city",
  "bank_code",
  "bank_name",
  "bank_province",
  "bank_zip_code",
  "card_printed_name",
  "country",
  "email",
  "ewallet_type",
  "expire_month",
  "expire_year",
  "first_name",
  "last_name",
  "phone",
  "routing_number"
] as const

export interface Destination {
  readonly kind: Kind
  /** Card number, account number, wallet or E.164 number. */
  readonly number: Redacted.Redacted<string>
  /** Further facts about the recipient, by the contract's field names. */
  readonly details: Redacted.Redacted<Readonly<Record<string, string>>>
}

/** Returns the kind of recipient in a request; `undefined` if there is none. */
export const kindOf = (fields: FieldTexts): Kind | undefined =>
  kinds.find((kind) => fields[fieldOf[kind]] !== undefined)

/** Returns the recipient in a request with fields in normal form; `undefined` if there is none. */
export const of = (fields: FieldTexts): Destination | undefined => {
  const kind = kindOf(fields)
  const number = kind === undefined ? undefined : fields[fieldOf[kind]]
  if (kind === undefined || number === undefined) return undefined
  const details = detailNames.flatMap((name): ReadonlyArray<readonly [string, string]> => {
    const value = fields[name]
    return value === undefined || name === fieldOf[kind] ? [] : [[name, value]]
  })
  return {
    kind,
    number: Redacted.make(number, { label: "recipient" }),
    details: Redacted.make(Object.fromEntries(details), { label: "recipient" })
  }
}

/** Makes the destination of a card with its number only. */
export const ofCard = (number: Redacted.Redacted<string>): Destination => ({
  kind: "card",
  number,
  details: Redacted.make({}, { label: "recipient" })
})

const Sealed = Schema.fromJsonString(
  Schema.Struct({
    kind: Schema.Literals(kinds),
    number: Schema.String,
    details: Schema.Record(Schema.String, Schema.String)
  })
)
const encode = Schema.encodeSync(Sealed)
const decode = Schema.decodeSync(Sealed)

/** Returns the text that is encrypted. It is the same for the same recipient. */
export const toText = ({ details, kind, number }: Destination): Redacted.Redacted<string> =>
  Redacted.make(encode({ kind, number: Redacted.value(number), details: Redacted.value(details) }))

/** Returns the destination from a text that {@link toText} made. */
export const fromText = (text: Redacted.Redacted<string>): Destination => {
  const { details, kind, number } = decode(Redacted.value(text))
  return {
    kind,
    number: Redacted.make(number, { label: "recipient" }),
    details: Redacted.make(details, { label: "recipient" })
  }
}

/** Returns the identity of a recipient: its kind and number alone, without the details. */
export const identity = ({ kind, number }: Destination): Redacted.Redacted<string> =>
  Redacted.make(`recipient\n${kind}\n${Redacted.value(number).toUpperCase()}`)

const display = (text: string, first: number, last: number): string => {
  const hidden = text.length - first - last
  return hidden < 4 ? "*".repeat(text.length) : text.slice(0, first) + "*".repeat(hidden) + text.slice(-last)
}

/** Masks the number for merchants and operators: a card as PCI DSS allows, other recipients with the last four characters. */
export const mask = ({ kind, number }: Destination): string => {
  const text = Redacted.value(number)
  return kind === "card" ? Card.mask(text) : display(text, kind === "account" ? 2 : 0, 4)
}
