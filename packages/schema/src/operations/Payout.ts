/** Payouts of money from the merchant's balance to a recipient. */
import { Schema } from "effect"
import { AsyncCheckoutFormRedirect, AsyncResponse } from "../answers/AsyncResponse.ts"
import { IpAddress } from "../fields/CustomerFields.ts"
import { ClientOrderId, Login, MerchantData, money, OrderDescription, OrderId, Purpose } from "../fields/OrderFields.ts"
import { destination, oneDestination } from "../fields/PayoutFields.ts"
import { callback, redirectRequired, redirects } from "../fields/UrlFields.ts"
import * as Operation from "../Operation.ts"
import * as Rule from "../Rule.ts"
import * as Scheme from "../Scheme.ts"

const details = {
  login: Schema.optionalKey(Login),
  ...money,
  order_desc: Schema.optionalKey(OrderDescription),
  purpose: Schema.optionalKey(Purpose),
  merchant_data: Schema.optionalKey(MerchantData),
  ...destination,
  ...redirects,
  ...callback
}

const rules = [Rule.exact("amount", "currency"), ...oneDestination]
const aliases = { receiver_phone: "phone" } as const

export const Payout = Operation.make("PAYOUT", {
  path: "/api/v2/payout",
  summary: "Pays out to a card, bank account, e-wallet or phone in one step.",
  signing: Scheme.OAuth("HMAC-SHA1"),
  acts: "creates",
  request: { client_orderid: ClientOrderId, ...details },
  response: AsyncResponse,
  aliases,
  rules
})

export const PayoutV4 = Operation.make("PAYOUT_V4", {
  path: "/api/v4/payout",
  command: "v4/payout",
  requestName: "PayoutV4Request",
  summary: "Pays out to a card, bank account, e-wallet or phone in one step, signed with the merchant's RSA key.",
  signing: Scheme.OAuth("RSA-SHA256"),
  acts: "creates",
  request: { "client-order-id": ClientOrderId, ...details },
  response: AsyncResponse,
  aliases,
  rules
})

export const PayoutCheck = Operation.make("PAYOUT_V4_CHECK", {
  path: "/api/v4/payout-check",
  summary: "Checks the recipient of a payout and holds the amount. Pays nothing: payout-pay does.",
  signing: Scheme.OAuth("RSA-SHA256"),
  acts: "creates",
  request: { client_orderid: ClientOrderId, ...details },
  response: AsyncResponse,
  aliases,
  rules
})

export const PayoutPay = Operation.make("PAYOUT_V4_PAY", {
  path: "/api/v4/payout-pay",
  summary: "Pays a payout that payout-check has checked, exactly once.",
  signing: Scheme.OAuth("RSA-SHA256"),
  acts: "onOrder",
  request: { login: Login, client_orderid: ClientOrderId, orderid: OrderId, ...callback },
  response: AsyncResponse
})

export const PayoutForm = Operation.make("PAYOUTFORM", {
  path: "/api/v2/payout-form",
  summary: "Pays out to a destination that the recipient enters on the hosted page.",
  signing: Scheme.OAuth("HMAC-SHA1", "RSA-SHA256"),
  acts: "creates",
  request: {
    login: Schema.optionalKey(Login),
    client_orderid: ClientOrderId,
    ...money,
    order_desc: Schema.optionalKey(OrderDescription),
    ipaddress: Schema.optionalKey(IpAddress),
    purpose: Schema.optionalKey(Purpose),
    merchant_data: Schema.optionalKey(MerchantData),
    ...redirects,
    ...callback
  },
  response: AsyncCheckoutFormRedirect,
  rules: [Rule.exact("amount", "currency"), Rule.anyOf(...redirectRequired)]
})
