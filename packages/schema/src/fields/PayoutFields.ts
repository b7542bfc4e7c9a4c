/** Fields about the recipient of a payout: card, bank account, e-wallet or phone. */
import { Schema } from "effect"
import * as Field from "../Field.ts"
import * as Iban from "../Iban.ts"
import * as Rule from "../Rule.ts"
import * as TypedText from "../TypedText.ts"
import { CardPrintedName, cardNumber, ExpireMonth, ExpireYear } from "./CardFields.ts"
import { Country, Email, FirstName, IpAddress, LastName } from "./CustomerFields.ts"
import { personName } from "./NameField.ts"

const AccountNumber = Field.secret("account number", {
  kind: "recipient",
  about: "The recipient's bank account: an IBAN, or a domestic number, which begins with four digits.",
  max: 34,
  normal: Iban.normalAccount,
  rule: Iban.accountFlaw,
  sample: "DE89370400440532013000"
})

const text = (about: string, max: number, sample: string) => Schema.optionalKey(Field.text({ about, max, sample }))
const identifier = (about: string, max: number, sample: string) =>
  Schema.optionalKey(Field.text({ about, max, sample, identifier: true }))

const bank = {
  account_number: Schema.optionalKey(AccountNumber),
  account_name: Schema.optionalKey(personName("The account holder.", "John Smith")),
  bank_name: text("The bank.", 255, "First Bank"),
  bank_branch: text("The bank's branch.", 255, "Main Street"),
  bank_code: identifier("The bank's code in the payment scheme.", 32, "044"),
  bank_address1: text("The bank's street and house.", 256, "1 Main Street"),
  bank_zip_code: text("The bank's postal code.", 10, "90001"),
  bank_city: text("The bank's city.", 50, "Los Angeles"),
  bank_province: text("The bank's province.", 50, "California"),
  bank_area: text("The bank's area.", 50, "West"),
  routing_number: identifier("The bank's routing number.", 16, "021000021")
}

const toCard = {
  credit_card_number: Schema.optionalKey(cardNumber("The card that receives the money.", "4444333322221111")),
  card_printed_name: Schema.optionalKey(CardPrintedName),
  expire_month: Schema.optionalKey(ExpireMonth),
  expire_year: Schema.optionalKey(ExpireYear)
}

const toOthers = {
  ewallet_id: Schema.optionalKey(
    Field.secret("wallet", {
      kind: "recipient",
      about: "The recipient's e-wallet.",
      max: 128,
      identifier: true,
      sample: "wallet-17"
    })
  ),
  ewallet_type: identifier("The kind of e-wallet.", 32, "EXAMPLE"),
  phone: Schema.optionalKey(
    Field.secret("phone", {
      kind: "recipient",
      about:
        "The recipient's phone number, with + and the code of its country, or with country. With bank_code it is the address of a faster payment.",
      max: 50,
      normal: TypedText.onOneLine,
      sample: "+12125550123"
    })
  )
}

/** Every way to name the recipient of a payout. */
export const destination = {
  ...toCard,
  ...bank,
  ...toOthers,
  country: Schema.optionalKey(Country),
  ipaddress: Schema.optionalKey(IpAddress),
  first_name: Schema.optionalKey(FirstName),
  last_name: Schema.optionalKey(LastName),
  email: Schema.optionalKey(Email)
}

const others = ["credit_card_number", "account_number", "ewallet_id"] as const

/** A number that names its country, with the plus of ITU-T E.164 or the prefix 00. */
const international = /^[^\d+]*(?:\+|00)/

const countryOfPhone: Rule.Rule = {
  about: "A phone that is the destination begins with + and the code of its country, or country is given.",
  problems: ({ country, phone, ...fields }) =>
    phone === undefined ||
    country !== undefined ||
    others.some((name) => fields[name] !== undefined) ||
    international.test(phone)
      ? []
      : [Rule.invalid("phone", "must begin with + and the code of its country, like +12125550123")]
}

/** The rules for exactly one destination. A phone number may also accompany another destination. */
export const oneDestination: ReadonlyArray<Rule.Rule> = [
  Rule.anyOf(["credit_card_number"], ["account_number"], ["ewallet_id"], ["phone"]),
  Rule.atMostOne(...others),
  countryOfPhone,
  Rule.together("expire_month", "expire_year")
]
