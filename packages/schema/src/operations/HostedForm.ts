/** Payments whose card data the customer enters on the gateway's own page. */
import * as Control from "@pay/signing/Control"
import { Schema } from "effect"
import { AsyncCheckoutFormRedirect } from "../answers/AsyncResponse.ts"
import { addressRules, payer } from "../fields/CustomerFields.ts"
import { ClientOrderId, MerchantData, money, OrderDescription, Purpose } from "../fields/OrderFields.ts"
import { callback, redirectRequired, redirects, SiteUrl } from "../fields/UrlFields.ts"
import * as Operation from "../Operation.ts"
import * as Rule from "../Rule.ts"
import * as Scheme from "../Scheme.ts"

const request = {
  client_orderid: ClientOrderId,
  order_desc: OrderDescription,
  ...money,
  ...payer,
  ...redirects,
  ...callback,
  purpose: Schema.optionalKey(Purpose),
  site_url: Schema.optionalKey(SiteUrl),
  merchant_data: Schema.optionalKey(MerchantData)
}

const aliases = { destination: "purpose" } as const

const rules = [Rule.exact("amount", "currency"), ...addressRules, Rule.anyOf(...redirectRequired)]

export const SaleForm = Operation.make("SALEFORM", {
  path: "/api/v2/sale-form",
  summary: "Charges a card that the customer enters on the hosted page.",
  signing: Scheme.Control(Control.recipes.saleForm),
  acts: "creates",
  request,
  response: AsyncCheckoutFormRedirect,
  aliases,
  rules
})

export const PreauthForm = Operation.make("PREAUTHFORM", {
  path: "/api/v2/preauth-form",
  requestName: "AuthFormRequest",
  summary: "Authorizes an amount on a card that the customer enters on the hosted page.",
  signing: Scheme.Control(Control.recipes.preauthForm),
  acts: "creates",
  request,
  response: AsyncCheckoutFormRedirect,
  aliases,
  rules
})

export const PaymentForm = Operation.make("PAYMENTFORM", {
  path: "/api/v2/payment-form",
  summary:
    "Takes a payment by a method that the hosted page offers. Today the only method is a card, as with sale-form.",
  signing: Scheme.Control(Control.recipes.paymentForm),
  acts: "creates",
  request,
  response: AsyncCheckoutFormRedirect,
  aliases,
  rules
})
