/** Fields about the customer who pays, such as name, e-mail and IP address. */
import { isIP } from "node:net"
import { Schema } from "effect"
import * as Blanks from "../Blanks.ts"
import * as EmailAddress from "../EmailAddress.ts"
import * as Field from "../Field.ts"
import * as Rule from "../Rule.ts"
import * as TypedText from "../TypedText.ts"
import { personName } from "./NameField.ts"
import * as Places from "./Places.ts"

export const Email = Field.text({
  about: "The customer's e-mail address.",
  max: 128,
  sample: "john.smith@gmail.com",
  pattern: /^[^\s@\p{Cc}\p{Cf}]+@[^\s@\p{Cc}\p{Cf}]+$/u,
  must: "must be an e-mail address",
  canonical: EmailAddress.canonical,
  json: { format: "email" }
})

/**
 * Returns what is wrong with an IP address, or `undefined` if it is valid. An address with a zone (`fe80::1%eth0`) is refused,
 * because a zone has a meaning on one machine only.
 */
const notAnAddress = (text: string): string | undefined =>
  isIP(text) === 0 || text.includes("%") ? "must be an IP address without a zone" : undefined

export const IpAddress = Field.text({
  about: "The customer's IP address, version 4 or 6.",
  max: 45,
  sample: "203.0.113.7",
  rule: notAnAddress,
  json: {}
})

export const Country = Field.text({
  about: "The country, ISO 3166-1, two letters.",
  max: 64,
  sample: "US",
  normal: Places.normalCountry,
  pattern: /^[A-Z]{2}$/,
  must: "must be a country's code of ISO 3166-1, two letters like GB",
  json: { pattern: "^[A-Za-z]{2}$" }
})

const State = Field.text({
  about: "The state or province: the code of ISO 3166-2, with or without its country. Required in US, CA and AU.",
  max: 50,
  sample: "CA",
  normal: (text, fields) => Places.normalState(Blanks.oneLine(text), fields?.country)
})

const phone = (about: string) => Field.text({ about, max: 50, normal: TypedText.onOneLine, sample: "+12125550123" })

export const Phone = phone("The customer's phone number.")

const Address1 = Field.text({ about: "The street and the house number.", max: 256, sample: "1600 Main Street" })
const City = Field.text({ about: "The city.", max: 50, sample: "Los Angeles" })
const ZipCode = Field.text({
  about: "The postal code. Required in countries that need it.",
  max: 10,
  sample: "90001",
  normal: (text) => TypedText.onOneLine(text).toUpperCase()
})
export const FirstName = personName("The customer's first name.", "John")
export const LastName = personName("The customer's last name.", "Smith")

const Ssn = Field.text({
  about: "The customer's social security or tax number, or its last four digits. Separators are ignored.",
  max: 32,
  sample: "1234",
  normal: TypedText.compact,
  pattern: /^[A-Z\d]+$/,
  must: "must be letters and digits"
})

const Birthday = Field.text({
  about: "The customer's birthday, YYYYMMDD.",
  max: 8,
  sample: "19820115",
  pattern: /^(?:\d{6}|\d{8})$/,
  must: "must be written YYYYMMDD"
})

/** The customer's name and other facts. All of them are optional. */
export const person = {
  first_name: Schema.optionalKey(FirstName),
  last_name: Schema.optionalKey(LastName),
  ssn: Schema.optionalKey(Ssn),
  birthday: Schema.optionalKey(Birthday),
  cell_phone: Schema.optionalKey(phone("The customer's mobile phone number."))
}

/** The billing address. */
export const address = {
  address1: Address1,
  city: City,
  zip_code: Schema.optionalKey(ZipCode),
  country: Country,
  state: Schema.optionalKey(State)
}

/** Fields about the customer who pays by card. */
export const payer = { ...address, phone: Schema.optionalKey(Phone), email: Email, ipaddress: IpAddress, ...person }

/**
 * The rules for the state and the postal code of an address (docs/assumptions.md#addresses-of-customers). Modules of the older
 * dialect do not send a state.
 */
export const addressRules: ReadonlyArray<Rule.Rule> = [
  Rule.inJson(Rule.requiredWhen("state", "country", Places.withState)),
  Rule.requiredWhen("zip_code", "country", Places.withPostalCode)
]
