/**
 * Operations of this protocol family that the specification does not name. Deployed modules call them, and public clients of the
 * family declare them: docs/merchants/older-dialect.md.
 */
import * as Control from "@pay/signing/Control"
import { Schema } from "effect"
import { AsyncCheckoutFormRedirect, AsyncResponse } from "../answers/AsyncResponse.ts"
import { StatusResponse } from "../answers/StatusResponse.ts"
import { Cvv2, cardNumber, cardRefId } from "../fields/CardFields.ts"
import { IpAddress } from "../fields/CustomerFields.ts"
import { ClientOrderId, Login, money, OrderDescription } from "../fields/OrderFields.ts"
import { callback } from "../fields/UrlFields.ts"
import * as Operation from "../Operation.ts"
import * as Rule from "../Rule.ts"
import * as Scheme from "../Scheme.ts"
import { AccountVerification } from "./AccountVerification.ts"
import { MakeRebill } from "./CardReference.ts"
import { Status } from "./FollowUp.ts"
import { SaleForm } from "./HostedForm.ts"
import { Sale } from "./Payment.ts"

export const SyncAccountVerification = Operation.make("SYNC_ACCOUNT_VERIFICATION", {
  path: "/api/v2/sync/account-verification",
  summary: "Verifies a card, waits for the final status for a limited time, and answers as status does.",
  origin: "family",
  signing: Scheme.Control(Control.recipes.accountVerification),
  acts: "creates",
  request: AccountVerification.fields,
  response: StatusResponse,
  rules: AccountVerification.rules
})

export const TransferForm = Operation.make("TRANSFERFORM", {
  path: "/api/v2/transfer-form",
  summary:
    "Moves money from card to card. The payer enters the card on the hosted page, and also the receiving card if the request has none.",
  origin: "family",
  signing: Scheme.Control(Control.recipes.saleForm),
  acts: "creates",
  request: {
    ...SaleForm.fields,
    "destination-card-no": Schema.optionalKey(cardNumber("The card that receives the money.", "4444555566661111")),
    "destination-card-ref-id": Schema.optionalKey(cardRefId("The stored card that receives the money"))
  },
  response: AsyncCheckoutFormRedirect,
  aliases: { destination: "destination-card-no" },
  rules: [...SaleForm.rules, Rule.atMostOne("destination-card-no", "destination-card-ref-id")]
})

export const TransferByRefV2 = Operation.make("TRANSFER_BY_REF", {
  path: "/api/v2/transfer-by-ref",
  command: "v2/transfer-by-ref",
  requestName: "TransferByRefV2Request",
  summary: "Moves money to a stored card from another stored card, or without one from the merchant's balance.",
  origin: "family",
  signing: Scheme.Control(Control.recipes.transferByRef),
  acts: "creates",
  request: {
    login: Login,
    client_orderid: ClientOrderId,
    "source-card-ref-id": Schema.optionalKey(cardRefId("The stored card that pays")),
    "destination-card-ref-id": cardRefId("The stored card that receives the money"),
    ...money,
    order_desc: Schema.optionalKey(OrderDescription),
    ipaddress: Schema.optionalKey(IpAddress),
    cvv2: Schema.optionalKey(Cvv2),
    ...callback
  },
  response: AsyncResponse,
  rules: [Rule.exact("amount", "currency")]
})

export const MakeRebillSale = Operation.make("REBILL_SALE", {
  path: "/api/v2/make-rebill-sale",
  summary: "Charges a stored card without the cardholder, as make-rebill does.",
  origin: "family",
  signing: Scheme.Control(Control.recipes.makeRebill),
  acts: "creates",
  request: MakeRebill.fields,
  response: AsyncResponse,
  rules: MakeRebill.rules
})

const { enumerate_amounts: _, ...withoutList } = MakeRebill.fields

export const MakeRebillPreauth = Operation.make("REBILL_PREAUTH", {
  path: "/api/v2/make-rebill-preauth",
  summary: "Authorizes an amount on a stored card without the cardholder. A capture charges it, a void releases it.",
  origin: "family",
  signing: Scheme.Control(Control.recipes.makeRebill),
  acts: "creates",
  request: withoutList,
  response: AsyncResponse,
  rules: [Rule.exact("amount", "currency")]
})

export const SaleV4 = Operation.make("SALE_V4", {
  path: "/api/v4/sale",
  command: "v4/sale",
  requestName: "SaleV4Request",
  summary: "Charges a card at once, like sale, signed with the merchant's RSA key.",
  origin: "family",
  signing: Scheme.OAuth("RSA-SHA256"),
  acts: "creates",
  request: { login: Schema.optionalKey(Login), ...Sale.fields },
  response: AsyncResponse,
  aliases: { destination: "purpose" },
  rules: Sale.rules
})

export const StatusV4 = Operation.make("STATUS_V4", {
  path: "/api/v4/status",
  command: "v4/status",
  requestName: "StatusV4Request",
  summary: "Returns the status of an order, signed with the merchant's RSA key.",
  origin: "family",
  signing: Scheme.OAuth("RSA-SHA256"),
  acts: "reads",
  request: { ...Status.fields, login: Schema.optionalKey(Login) },
  response: StatusResponse,
  rules: Status.rules
})
