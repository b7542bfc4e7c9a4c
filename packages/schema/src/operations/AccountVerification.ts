/** Verification of a card by its issuer, without a charge. */
import * as Control from "@pay/signing/Control"
import { Schema } from "effect"
import { AsyncCheckoutFormRedirect, AsyncResponse } from "../answers/AsyncResponse.ts"
import { customerBrowser } from "../fields/BrowserFields.ts"
import { card } from "../fields/CardFields.ts"
import { address, addressRules, Email, IpAddress, Phone, person } from "../fields/CustomerFields.ts"
import { ClientOrderId, MerchantData, OrderDescription, Purpose } from "../fields/OrderFields.ts"
import { callback, redirectRequired, redirects, SiteUrl } from "../fields/UrlFields.ts"
import * as Operation from "../Operation.ts"
import * as Rule from "../Rule.ts"
import * as Scheme from "../Scheme.ts"

const holder = {
  client_orderid: ClientOrderId,
  order_desc: OrderDescription,
  ...address,
  phone: Schema.optionalKey(Phone),
  email: Email,
  ipaddress: IpAddress,
  ...person,
  ...redirects,
  ...callback,
  purpose: Schema.optionalKey(Purpose),
  site_url: Schema.optionalKey(SiteUrl),
  merchant_data: Schema.optionalKey(MerchantData)
}

export const AccountVerification = Operation.make("ACCOUNT_VERIFICATION", {
  path: "/api/v2/account-verification",
  summary: "Verifies a card with its issuer without charging it: an authorization with amount zero.",
  signing: Scheme.Control(Control.recipes.accountVerification),
  acts: "creates",
  request: { ...holder, ...card, ...customerBrowser },
  response: AsyncResponse,
  rules: [...addressRules]
})

export const AccountVerificationForm = Operation.make("ACCOUNT_VERIFICATION_FORM", {
  path: "/api/v2/account-verification-form",
  summary: "Verifies a card that the customer enters on the hosted page.",
  signing: Scheme.Control(Control.recipes.accountVerificationForm),
  acts: "creates",
  request: holder,
  response: AsyncCheckoutFormRedirect,
  rules: [...addressRules, Rule.anyOf(...redirectRequired)]
})
