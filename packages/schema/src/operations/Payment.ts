/** Charging a card: at once, or reserved first. */
import * as Control from "@pay/signing/Control"
import { Schema } from "effect"
import { AsyncResponse } from "../answers/AsyncResponse.ts"
import { customerBrowser } from "../fields/BrowserFields.ts"
import { card, cardNumber } from "../fields/CardFields.ts"
import { address, Email, IpAddress, Phone, person } from "../fields/CustomerFields.ts"
import { ClientOrderId, MerchantData, money, OrderDescription, Purpose } from "../fields/OrderFields.ts"
import { callback, redirects, SiteUrl } from "../fields/UrlFields.ts"
import * as Operation from "../Operation.ts"
import * as Rule from "../Rule.ts"
import * as Scheme from "../Scheme.ts"

const statesOf = ["US", "CA", "AU"]

const payer = {
  ...address,
  phone: Phone,
  email: Email,
  ipaddress: IpAddress,
  ...person
}

const extras = {
  purpose: Schema.optionalKey(Purpose),
  site_url: Schema.optionalKey(SiteUrl),
  merchant_data: Schema.optionalKey(MerchantData),
  "destination-card-no": Schema.optionalKey(cardNumber("The card that receives the money.", "4444555566661111"))
}

const request = {
  client_orderid: ClientOrderId,
  order_desc: OrderDescription,
  ...money,
  ...card,
  ...payer,
  ...redirects,
  ...callback,
  ...extras,
  ...customerBrowser
}

const aliases = { "client-order-id": "client_orderid", destination: "purpose" } as const

const rules = [Rule.exact("amount", "currency"), Rule.requiredWhen("state", "country", statesOf)]

export const Sale = Operation.make("SALE", {
  path: "/api/v2/sale",
  summary: "Charges a card at once: authorization and capture in one request, with or without 3-D Secure.",
  signing: Scheme.Control(Control.recipes.sale),
  acts: "creates",
  request,
  response: AsyncResponse,
  aliases,
  rules
})

export const Preauth = Operation.make("PREAUTH", {
  path: "/api/v2/preauth",
  summary: "Reserves money on a card without settling it; a capture settles it, a void releases it.",
  signing: Scheme.Control(Control.recipes.preauth),
  acts: "creates",
  request,
  response: AsyncResponse,
  aliases,
  rules
})
