/** Operations on recurring payments: create one, charge it outside its schedule, change it. */
import { Schema } from "effect"
import { AsyncResponse } from "../answers/AsyncResponse.ts"
import { CreateRecurringPaymentResponse, UpdateRecurringPaymentResponse } from "../answers/RecurringResponse.ts"
import { CardRefId, Cvv2, optionalCard, withExpiry } from "../fields/CardFields.ts"
import { address, addressRules, Email, IpAddress, Phone, person } from "../fields/CustomerFields.ts"
import { ClientOrderId, Login, money, OrderDescription, part } from "../fields/OrderFields.ts"
import { CardType, Change, RecurringPaymentId, schedule } from "../fields/RecurringFields.ts"
import { callback, redirects } from "../fields/UrlFields.ts"
import * as Operation from "../Operation.ts"
import * as Rule from "../Rule.ts"
import * as Scheme from "../Scheme.ts"

/** Spellings with hyphens, which the public pages of these operations use. Version 2 writes the names with underscores. */
const hyphens = {
  "credit-card-number": "credit_card_number",
  "card-printed-name": "card_printed_name",
  "expire-month": "expire_month",
  "expire-year": "expire_year"
} as const

const finishAfterStart: Rule.Rule = {
  about: "finish-date is not before start-date.",
  problems: (fields) => {
    const { "finish-date": finish, "start-date": start } = fields
    return start !== undefined && finish !== undefined && finish < start
      ? [Rule.combination("finish-date", "is before start-date")]
      : []
  }
}

export const CreateRecurringPayment = Operation.make("CREATE_RP_V4", {
  path: "/api/v4/create-recurring-payment",
  requestName: "RecurringPaymentForCreation",
  summary: "Creates a recurring payment: a card, an amount and a schedule.",
  signing: Scheme.OAuth("RSA-SHA256"),
  acts: "creates",
  request: {
    login: Schema.optionalKey(Login),
    client_orderid: ClientOrderId,
    order_desc: Schema.optionalKey(OrderDescription),
    ...money,
    ...schedule,
    rp_card_type: Schema.optionalKey(CardType),
    ...optionalCard,
    cardrefid: Schema.optionalKey(CardRefId),
    ...address,
    phone: Schema.optionalKey(Phone),
    email: Email,
    ipaddress: Schema.optionalKey(IpAddress),
    ...person,
    ...redirects,
    ...callback
  },
  response: CreateRecurringPaymentResponse,
  aliases: {
    ...hyphens,
    "first-name": "first_name",
    "last-name": "last_name",
    "zip-code": "zip_code",
    "customer-ip": "ipaddress",
    start_date: "start-date",
    finish_date: "finish-date"
  },
  rules: [
    Rule.exact("amount", "currency"),
    Rule.exactlyOne("credit_card_number", "cardrefid"),
    withExpiry,
    ...addressRules,
    finishAfterStart
  ]
})

export const ProcessRecurringPayment = Operation.make("PROCESS_RP_V4", {
  path: "/api/v4/process-recurring-payment",
  summary: "Charges a recurring payment now, as a separate order. The schedule does not change.",
  signing: Scheme.OAuth("RSA-SHA256"),
  acts: "creates",
  request: {
    login: Schema.optionalKey(Login),
    client_orderid: ClientOrderId,
    "recurring-payment-id": RecurringPaymentId,
    ...part,
    order_desc: Schema.optionalKey(OrderDescription),
    ipaddress: Schema.optionalKey(IpAddress),
    cvv2: Schema.optionalKey(Cvv2),
    ...callback
  },
  response: AsyncResponse,
  aliases: { recurring_payment_id: "recurring-payment-id" },
  rules: Rule.part
})

const changes = [["change"], ["amount"], ["credit_card_number"], ["cardrefid"]] as const

export const UpdateRecurringPayment = Operation.make("UPDATE_RP_V4", {
  path: "/api/v4/update-recurring-payment",
  summary: "Changes the amount or the card of a recurring payment, or pauses, resumes or cancels it.",
  signing: Scheme.OAuth("RSA-SHA256"),
  acts: "onSubscription",
  request: {
    login: Schema.optionalKey(Login),
    "recurring-payment-id": RecurringPaymentId,
    change: Schema.optionalKey(Change),
    ...part,
    ...optionalCard,
    cardrefid: Schema.optionalKey(CardRefId)
  },
  response: UpdateRecurringPaymentResponse,
  aliases: { ...hyphens, recurring_payment_id: "recurring-payment-id" },
  rules: [...Rule.part, Rule.anyOf(...changes), Rule.atMostOne("credit_card_number", "cardrefid"), withExpiry]
})
