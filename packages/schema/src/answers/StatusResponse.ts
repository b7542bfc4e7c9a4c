/** The answer of `status`: what is known of an order, or of one request about it. */
import { Schema } from "effect"
import * as Status from "../Status.ts"
import * as TransactionType from "../TransactionType.ts"
import { openWord, optionalText, order } from "./AnswerFields.ts"

const money = {
  amount: optionalText,
  currency: optionalText,
  "authorized-amount": optionalText,
  "captured-amount": optionalText,
  "returned-amount": optionalText,
  "remaining-amount": optionalText,
  "total-reversal-amount": optionalText,
  "gate-partial-capture": optionalText,
  "gate-partial-reversal": optionalText
}

const customer = {
  name: optionalText,
  "cardholder-name": optionalText,
  email: optionalText,
  phone: optionalText,
  merchantdata: optionalText
}

const card = {
  bin: optionalText,
  "last-four-digits": optionalText,
  "card-type": optionalText,
  "bank-name": optionalText,
  "card-exp-month": optionalText,
  "card-exp-year": optionalText,
  "card-hash-id": optionalText,
  "card-ref-id": optionalText,
  "dest-bin": optionalText,
  "dest-last-four-digits": optionalText,
  "dest-card-type": optionalText,
  "dest-bank-name": optionalText,
  "destination-hash-id": optionalText
}

const processing = {
  "order-stage": optionalText,
  descriptor: optionalText,
  "processor-tx-id": optionalText,
  "processor-rrn": optionalText,
  "approval-code": optionalText,
  "auth-response-code": optionalText,
  "receipt-id": optionalText,
  "terminal-id": optionalText,
  "paynet-processing-date": optionalText,
  "acquirer-processing-date": optionalText,
  "by-request-sn": optionalText,
  "recurring-payment-id": optionalText,
  "transaction-id": optionalText,
  "payout-id": optionalText
}

const threeDSecure = {
  "redirect-to": optionalText,
  html: optionalText,
  "verified-3d-status": optionalText,
  "threeds-stage": optionalText,
  "threeds-version": optionalText,
  "threeds-server-trans-id": optionalText,
  "threeds-method-url": optionalText,
  "threeds-method-data": optionalText,
  "acs-url": optionalText,
  creq: optionalText,
  pareq: optionalText,
  md: optionalText
}

/** `type` is `status-response`. Amounts are decimal text in `currency`. A status or type not known here is kept. */
export const StatusResponse = Schema.Struct({
  ...order,
  status: openWord(Status.all),
  "transaction-type": Schema.optionalKey(openWord(TransactionType.all)),
  ...money,
  ...customer,
  ...card,
  ...processing,
  ...threeDSecure,
  "error-code": optionalText,
  "error-message": optionalText
}).annotate({ identifier: "StatusResponse" })
export type StatusResponse = typeof StatusResponse.Type
