/** Card payments: charged at once, or reserved first and captured later. */
import * as Control from "@pay/signing/Control"
import { Schema } from "effect"
import { AsyncResponse } from "../answers/AsyncResponse.ts"
import { customerBrowser } from "../fields/BrowserFields.ts"
import { card, cardNumber } from "../fields/CardFields.ts"
import { addressRules, payer } from "../fields/CustomerFields.ts"
import { ClientOrderId, MerchantData, money, OrderDescription, Purpose } from "../fields/OrderFields.ts"
import { callback, redirects, SiteUrl } from "../fields/UrlFields.ts"
import * as Operation from "../Operation.ts"
import * as Rule from "../Rule.ts"
import * as Scheme from "../Scheme.ts"

const request = {
  client_orderid: ClientOrderId,
  order_desc: OrderDescription,
  ...money,
  ...card,
  ...payer,
  ...redirects,
  ...callback,
  purpose: Schema.optionalKey(Purpose),
  site_url: Schema.optionalKey(SiteUrl),
  merchant_data: Schema.optionalKey(MerchantData),
  "destination-card-no": Schema.optionalKey(cardNumber("The card that receives the money.", "4444555566661111")),
  ...customerBrowser
}

const aliases = { destination: "purpose" } as const

const rules = [Rule.exact("amount", "currency"), ...addressRules]

export const Sale = Operation.make("SALE", {
  path: "/api/v2/sale",
  summary: "Charges a card at once, with or without 3-D Secure: authorization and capture in one request.",
  signing: Scheme.Control(Control.recipes.sale),
  acts: "creates",
  request,
  response: AsyncResponse,
  aliases,
  rules
})

export const Preauth = Operation.make("PREAUTH", {
  path: "/api/v2/preauth",
  requestName: "AuthRequest",
  summary: "Authorizes an amount on a card without charging it. A capture charges it, a void releases it.",
  signing: Scheme.Control(Control.recipes.preauth),
  acts: "creates",
  request,
  response: AsyncResponse,
  aliases,
  rules
})
