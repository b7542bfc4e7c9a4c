/** Transfers from card to card, and the question whether a card can send money. */
import { Schema } from "effect"
import { AsyncResponse } from "../answers/AsyncResponse.ts"
import * as Field from "../Field.ts"
import {
  CardPrintedName,
  cardNumber,
  cardRefId,
  ExpireMonth,
  ExpireYear,
  optionalCard,
  withExpiry
} from "../fields/CardFields.ts"
import { IpAddress } from "../fields/CustomerFields.ts"
import { ClientOrderId, Login, money, OrderDescription } from "../fields/OrderFields.ts"
import { recurringPaymentId } from "../fields/RecurringFields.ts"
import { callback, redirects } from "../fields/UrlFields.ts"
import * as Operation from "../Operation.ts"
import * as Rule from "../Rule.ts"
import * as Scheme from "../Scheme.ts"

const DestinationCard = cardNumber("The card that receives the money.", "4444555566661111")

const payers = ["credit_card_number", "card_recurring_payment_id"] as const

/** The merchant's balance pays with `deposit2card`. Without it, exactly one card pays. */
const onePayer: Rule.Rule = {
  about: `Exactly one of ${payers.join(", ")}; none of them with deposit2card.`,
  problems: (fields) =>
    fields.deposit2card?.toLowerCase() === "true"
      ? payers
          .filter((name) => fields[name] !== undefined)
          .map((name) => Rule.combination(name, "cannot be used with deposit2card"))
      : Rule.exactlyOne(...payers).problems(fields)
}

export const Transfer = Operation.make("TRANSFER_V4", {
  path: "/api/v4/transfer",
  summary: "Moves money from a card, or from the merchant's balance, to a card.",
  signing: Scheme.OAuth("RSA-SHA256"),
  acts: "creates",
  request: {
    login: Schema.optionalKey(Login),
    client_orderid: ClientOrderId,
    ...money,
    order_desc: Schema.optionalKey(OrderDescription),
    ipaddress: Schema.optionalKey(IpAddress),
    ...optionalCard,
    card_recurring_payment_id: Schema.optionalKey(
      recurringPaymentId("The card that pays, by its `recurring-payment-id`.")
    ),
    "destination-card-no": Schema.optionalKey(DestinationCard),
    destination_card_recurring_payment_id: Schema.optionalKey(
      recurringPaymentId("The card that receives the money, by its `recurring-payment-id`.")
    ),
    deposit2card: Schema.optionalKey(
      Field.boolean({ about: "Whether the merchant's balance pays instead of a card.", sample: "false" })
    ),
    ...redirects,
    ...callback
  },
  response: AsyncResponse,
  aliases: { destination: "destination-card-no" },
  rules: [
    Rule.exact("amount", "currency"),
    onePayer,
    withExpiry,
    Rule.exactlyOne("destination-card-no", "destination_card_recurring_payment_id")
  ]
})

export const TransferByRef = Operation.make("TRANSFER_BY_REF_V4", {
  path: "/api/v4/transfer-by-ref",
  summary: "Moves money to a card from a stored card, or without one from the merchant's balance.",
  signing: Scheme.OAuth("RSA-SHA256"),
  acts: "creates",
  request: {
    login: Schema.optionalKey(Login),
    "client-order-id": ClientOrderId,
    ...money,
    order_desc: Schema.optionalKey(OrderDescription),
    "source-card-ref-id": Schema.optionalKey(cardRefId("The stored card that pays")),
    "destination-card-no": Schema.optionalKey(DestinationCard),
    "destination-card-ref-id": Schema.optionalKey(cardRefId("The stored card that receives the money")),
    ipaddress: Schema.optionalKey(IpAddress),
    ...callback
  },
  response: AsyncResponse,
  aliases: { destination: "destination-card-no" },
  rules: [Rule.exact("amount", "currency"), Rule.exactlyOne("destination-card-no", "destination-card-ref-id")]
})

export const PanEligibilitySend = Operation.make("PAN_ELIGIBILITY_SEND", {
  path: "/api/v2/pan-eligibility/send",
  summary: "Checks whether a card can send money.",
  signing: Scheme.OAuth("HMAC-SHA1"),
  acts: "creates",
  olderAnswer: "json",
  request: {
    login: Schema.optionalKey(Login),
    "client-order-id": ClientOrderId,
    "sending-card-ref-id": Schema.optionalKey(cardRefId("The stored card to check")),
    "sending-card-number": Schema.optionalKey(cardNumber("The card to check.", "4444333322221111")),
    "card-printed-name": Schema.optionalKey(CardPrintedName),
    expire_month: Schema.optionalKey(ExpireMonth),
    expire_year: Schema.optionalKey(ExpireYear),
    ...callback
  },
  response: AsyncResponse,
  aliases: { card_printed_name: "card-printed-name" },
  rules: [Rule.exactlyOne("sending-card-ref-id", "sending-card-number"), Rule.together("expire_month", "expire_year")]
})
