/** Fields with card data. Numbers and security codes are decoded to `Redacted`. */
import { Schema } from "effect"
import * as Card from "../Card.ts"
import * as CardInput from "../CardInput.ts"
import * as Digits from "../Digits.ts"
import { codes } from "../ErrorCode.ts"
import * as Field from "../Field.ts"
import * as Rule from "../Rule.ts"
import { personName } from "./NameField.ts"

const notACard: Field.Flaw = { code: codes.cardInvalid.code, says: "is not a card number" }

/** Makes a field for a card number. `about` says which card it is, such as the card that receives the money. */
export const cardNumber = (about: string, sample: string) =>
  Field.secret("pan", {
    about,
    max: 19,
    sample,
    kind: "card",
    normal: CardInput.number,
    pattern: /^\d+$/,
    must: "must be digits only",
    rule: (text) => (Card.isNumber(text) ? undefined : notACard)
  })

const CardNumber = cardNumber(
  "The card number: 12 to 19 digits. Blanks, hyphens and dots between them are ignored.",
  "4444333322221111"
)

export const Cvv2 = Field.secret("cvv", {
  about: "The card's security code: 3 or 4 digits.",
  max: 4,
  sample: "123",
  kind: "cvv",
  normal: CardInput.code,
  pattern: /^\d{3,4}$/,
  must: "must be 3 or 4 digits",
  json: { pattern: "^\\d{3,4}$" }
})

export const ExpireMonth = Field.integer(
  {
    about: "The month of expiry, 1 to 12.",
    max: 2,
    sample: "12",
    kind: "card",
    normal: Digits.ascii,
    pattern: /^(?:0?[1-9]|1[0-2])$/,
    json: { pattern: "^(?:0?[1-9]|1[0-2])$" },
    must: "must be a month from 1 to 12",
    canonical: (text) => (text.length === 2 && text.startsWith("0") ? text.slice(1) : text)
  },
  { decode: Number, encode: (month) => String(month).padStart(2, "0") }
)

const fullYear = (text: string): string => (text.length === 2 ? `20${text}` : text)

export const ExpireYear = Field.integer(
  {
    about: "The year of expiry, four digits or the last two.",
    max: 4,
    sample: "2030",
    kind: "card",
    normal: Digits.ascii,
    pattern: /^(?:20)?\d\d$/,
    json: { pattern: "^(?:20)?\\d\\d$" },
    must: "must be a year of two or four digits",
    canonical: fullYear
  },
  { decode: (text) => Number(fullYear(text)), encode: String }
)

export const CardPrintedName = personName("The name on the card.", "JOHN SMITH")

/** Makes a field for a stored card. `which` says what the card does, such as pay. */
export const cardRefId = (which: string) =>
  Field.text({
    about: `${which} (\`card-ref-id\` of the answer that created it).`,
    max: 20,
    pattern: /^\d{1,20}$/,
    must: "must be a number of at most 20 digits",
    sample: "71573"
  })

export const CardRefId = cardRefId("A stored card")

/** The required fields of the card that pays. */
export const card = {
  card_printed_name: CardPrintedName,
  credit_card_number: CardNumber,
  expire_month: ExpireMonth,
  expire_year: ExpireYear,
  cvv2: Cvv2
}

/** The card's fields for requests in which another field may name the card. */
export const optionalCard = {
  card_printed_name: Schema.optionalKey(CardPrintedName),
  credit_card_number: Schema.optionalKey(CardNumber),
  expire_month: Schema.optionalKey(ExpireMonth),
  expire_year: Schema.optionalKey(ExpireYear),
  cvv2: Schema.optionalKey(Cvv2)
}

/** If a request has the card number or a part of the expiry, it has all three fields. */
export const withExpiry = Rule.together("credit_card_number", "expire_month", "expire_year")
