/** The answer of `status`: the facts about an order, or about one request on it. */
import { Schema } from "effect"
import * as Status from "../Status.ts"
import * as TransactionType from "../TransactionType.ts"
import { openWord, optionalText, order, SerialNumber, type } from "./AnswerFields.ts"

const money = {
  amount: optionalText("The order's amount.", "10.42"),
  currency: optionalText("The order's currency, ISO 4217.", "USD"),
  "authorized-amount": optionalText("What the issuer has authorised.", "10.42"),
  "captured-amount": optionalText("What has been settled.", "10.42"),
  "returned-amount": optionalText("What has been given back.", "0.00"),
  "remaining-amount": optionalText(
    "What is left of the hold, neither captured nor being captured: a capture without an amount takes it. 0 where nothing is held.",
    "0.00"
  ),
  "total-reversal-amount": optionalText("What has been given back, under its public name.", "0.00"),
  "gate-partial-capture": optionalText("Whether parts can be captured: enabled or disabled.", "enabled"),
  "gate-partial-reversal": optionalText("Whether parts can be returned: enabled or disabled.", "enabled")
}

const customer = {
  name: optionalText("The customer's name.", "John Smith"),
  "cardholder-name": optionalText("The name on the card.", "JOHN SMITH"),
  email: optionalText("The customer's e-mail address.", "john.smith@gmail.com"),
  phone: optionalText("The customer's phone number.", "+12125550123"),
  merchantdata: optionalText("`merchant_data` of the request.", "cart=17")
}

const card = {
  bin: optionalText("The card's first six digits.", "444433"),
  "last-four-digits": optionalText("The card's last four digits.", "1111"),
  "card-type": optionalText("The card's brand.", "VISA"),
  "card-exp-month": optionalText("The card's month of expiry.", "12"),
  "card-exp-year": optionalText("The card's year of expiry.", "2030"),
  "card-ref-id": optionalText("The stored card of a verification of the older dialect.", "10901"),
  "card-hash-id": optionalText("Equal for equal cards of a merchant: the value of `card-ref-id`.", "10901"),
  destination: optionalText("The recipient of a payout, as far as it may be shown.", "444455******1111"),
  "dest-bin": optionalText("The receiving card's first six digits.", "444455"),
  "dest-last-four-digits": optionalText("The receiving card's last four digits.", "1111"),
  "dest-card-type": optionalText("The receiving card's brand.", "VISA")
}

const processing = {
  "order-stage": optionalText("Transaction type and step.", "sale_approved"),
  descriptor: optionalText("What the customer reads on the statement.", "SHOP EXAMPLE"),
  "processor-tx-id": optionalText("The acquirer's identifier.", "PNTEST-6768788"),
  "processor-rrn": optionalText("The acquirer's retrieval reference number, if its bank reports one.", "235303502517"),
  "auth-response-code": optionalText("The card network's own response code, if the bank reports one.", "00"),
  "approval-code": optionalText("The issuer's approval code.", "012345"),
  "paynet-processing-date": optionalText("When the gateway finished.", "2030-01-31 17:14:26 UTC"),
  "by-request-sn": Schema.optionalKey(SerialNumber),
  "recurring-payment-id": optionalText("The recurring payment this is a charge of.", "10901"),
  "recurring-payment-status": optionalText("How that recurring payment stands.", "active"),
  "next-charge-date": optionalText("The day of its next scheduled charge.", "2030-02-28"),
  "transaction-id": optionalText("Equal to `paynet-order-id`.", "6768788"),
  "payout-id": optionalText("Equal to `paynet-order-id`.", "6768788")
}

const threeDSecure = {
  "redirect-to": optionalText(
    "The address to which you send the browser for 3-D Secure.",
    "https://gateway.example/3ds/5f0c9c1e"
  ),
  html: optionalText("A page that sends the browser to the issuer by itself.", "<!doctype html>…"),
  "verified-3d-status": optionalText("The result of 3-D Secure.", "AUTHENTICATED"),
  "threeds-stage": optionalText("What the merchant has to run: method, challenge or pareq.", "method"),
  "threeds-version": optionalText("The version of the protocol, fixed at enrolment.", "2.2.0"),
  "threeds-server-trans-id": optionalText("The transaction at the 3DS server.", "8a880dc0-d2d2-4067-bcb1-b08d1690b26e"),
  "threeds-method-url": optionalText(
    "The address for the method form. If the stage is `method` and it is absent, upload the browser's data with `threeDSCompInd` `U`.",
    "https://acs.example/method"
  ),
  "threeds-method-data": optionalText("`threeDSMethodData` of that form.", "eyJ0aHJlZURTU2VydmVyVHJhbnNJRCI6Iuw"),
  "acs-url": optionalText("The address for the challenge form.", "https://acs.example/challenge"),
  creq: optionalText("`creq` of that form.", "eyJtZXNzYWdlVHlwZSI6IkNSZXEifQ"),
  pareq: optionalText("`PaReq` of a 3DS 1.0.2 form.", "eJxVUtty2jAQ"),
  md: optionalText("`MD` of a 3DS 1.0.2 form.", "6768788")
}

/**
 * The status of an order or of one request. Its `type` is `status-response`. Amounts are decimal text in `currency`. A status or
 * transaction type that this library does not know is kept.
 */
export const StatusResponse = Schema.Struct({
  type: type("status-response"),
  ...order,
  status: openWord("How the order, or the request asked about, stands.", Status.all),
  "transaction-type": Schema.optionalKey(openWord("What the order is or has become.", TransactionType.all)),
  ...money,
  ...customer,
  ...card,
  ...processing,
  ...threeDSecure,
  "error-code": optionalText("Why it was not approved.", "116"),
  "error-message": optionalText("The error in words.", "Not sufficient funds")
}).annotate({ identifier: "StatusResponse" })
export type StatusResponse = typeof StatusResponse.Type
