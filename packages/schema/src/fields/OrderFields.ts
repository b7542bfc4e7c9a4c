/** Fields that identify an order, and its amounts. */
import { Schema } from "effect"
import * as Currency from "../Currency.ts"
import * as Field from "../Field.ts"
import * as Money from "../Money.ts"

export const Login = Field.text({
  about: "The merchant's login, given by the gateway.",
  max: 50,
  identifier: true,
  sample: "merchantlogin"
})

export const ClientOrderId = Field.text({
  about: "The merchant's own identifier of the order, unique for the merchant.",
  max: 128,
  identifier: true,
  sample: "902B4FF5"
})

export const OrderId = Field.text({
  about: "The gateway's identifier of the order (`paynet-order-id` of the answer).",
  max: 20,
  pattern: /^\d{1,20}$/,
  must: "must be a number of at most 20 digits",
  sample: "6768788"
})

const Amount = Field.text({
  about: "The amount in major units, with `.`: `10.5` is ten and a half.",
  max: Money.maxLength,
  sample: "10.42",
  rule: (text) => (Money.isAmount(text) ? undefined : "must be a decimal number above zero, like 10.50"),
  canonical: Money.canonical,
  json: { pattern: String.raw`^[0-9]+(\.[0-9]+)?$` }
})

const CurrencyCode = Field.text({
  about: "The currency, ISO 4217, upper case.",
  max: 3,
  sample: "USD",
  rule: (text) => (Currency.digits(text) === undefined ? "must be an ISO 4217 code in upper case" : undefined),
  json: { pattern: "^[A-Z]{3}$" }
})

export const OrderDescription = Field.text({
  about:
    "The description of the order. The whole request has at most 256 KiB, and in a form a character beyond ASCII takes 6 to 12 bytes.",
  max: 65_536,
  lines: true,
  sample: "Two tickets"
})

export const Comment = Field.text({ about: "A short note on the request.", max: 50, sample: "Changed her mind" })

export const SerialNumber = Field.text({
  about: "The `serial-number` of one request, to ask about that request.",
  max: 36,
  pattern: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  must: "must be a UUID",
  canonical: (text) => text.toLowerCase(),
  sample: "00000000-0000-0000-0000-000002d9b22a"
})

export const Purpose = Field.text({
  about: "The purpose of the payment, for the statement.",
  max: 128,
  sample: "Tickets"
})

export const MerchantData = Field.text({
  about: "Your own text. `status` returns it as `merchantdata`.",
  max: 1024,
  lines: true,
  sample: "cart=17"
})

/** Amount and currency of a whole order. */
export const money = { amount: Amount, currency: CurrencyCode }

/** Amount and currency of a part of an order: both or neither. */
export const part = { amount: Schema.optionalKey(Amount), currency: Schema.optionalKey(CurrencyCode) }

/** Longest list of amounts, which limits the number of requests to a bank for one request of a merchant. */
const mostAmounts = 10

const flawOfList = (text: string): string | undefined => {
  const amounts = Money.list(text)
  if (amounts.length > mostAmounts) return `has ${amounts.length} amounts, ${mostAmounts} at most`
  const wrong = amounts.flatMap((amount, index) => (Money.isAmount(amount) ? [] : [index + 1]))
  if (wrong.length === 0) return undefined
  return `must be amounts like 10.50, separated by commas; wrong in place ${wrong.join(", ")}`
}

export const EnumerateAmounts = Field.text({
  about: `Up to ${mostAmounts} smaller amounts, separated by commas. If amount is declined, they are tried one after another until one is approved.`,
  // An amount is as long as in `amount`, and a blank may follow each comma.
  max: mostAmounts * (Money.maxLength + 2),
  sample: "5.21,2.60",
  rule: flawOfList,
  canonical: (text) => Money.list(text).map(Money.canonical).join(",")
})
