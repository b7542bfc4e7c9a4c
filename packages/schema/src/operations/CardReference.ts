/** Operations on stored cards: create a reference, read it, charge it. */
import * as Control from "@pay/signing/Control"
import { Schema } from "effect"
import { AsyncResponse } from "../answers/AsyncResponse.ts"
import { CardInfoAsyncResponse, CardRefAsyncResponse, CardRefV4AsyncResponse } from "../answers/CardResponse.ts"
import * as Field from "../Field.ts"
import { CardRefId, Cvv2, optionalCard, withExpiry } from "../fields/CardFields.ts"
import { IpAddress } from "../fields/CustomerFields.ts"
import {
  ClientOrderId,
  Comment,
  EnumerateAmounts,
  Login,
  money,
  OrderDescription,
  OrderId
} from "../fields/OrderFields.ts"
import { callback, RedirectUrl } from "../fields/UrlFields.ts"
import * as Operation from "../Operation.ts"
import * as Rule from "../Rule.ts"
import * as Scheme from "../Scheme.ts"

export const CreateCardRef = Operation.make("CARDREF", {
  path: "/api/v2/create-card-ref",
  summary: "Stores the card of an approved order and returns its reference.",
  signing: Scheme.Control(Control.recipes.createCardRef),
  acts: "onOrder",
  request: { login: Login, client_orderid: ClientOrderId, orderid: OrderId },
  response: CardRefAsyncResponse
})

export const CreateCardRefV4 = Operation.make("CARDREF_V4", {
  path: "/api/v4/create-card-ref",
  command: "v4/create-card-ref",
  requestName: "CreateCardRefV4Request",
  summary: "Stores the card of an approved order, or the card of the request, and returns its reference.",
  signing: Scheme.OAuth("RSA-SHA256"),
  acts: "onOrder",
  request: {
    login: Schema.optionalKey(Login),
    client_orderid: ClientOrderId,
    orderid: Schema.optionalKey(OrderId),
    ...optionalCard
  },
  response: CardRefV4AsyncResponse,
  rules: [Rule.exactlyOne("orderid", "credit_card_number"), withExpiry]
})

export const GetCardInfo = Operation.make("CARDINFO", {
  path: "/api/v2/get-card-info",
  summary: "Returns the brand, the first and last digits and the expiry of a stored card.",
  signing: Scheme.Control(Control.recipes.getCardInfo),
  acts: "reads",
  request: { login: Login, cardrefid: CardRefId },
  response: CardInfoAsyncResponse
})

export const MakeRebill = Operation.make("REBILL", {
  path: "/api/v2/make-rebill",
  requestName: "RebillRequest",
  summary: "Charges a stored card without the cardholder.",
  signing: Scheme.Control(Control.recipes.makeRebill),
  acts: "creates",
  request: {
    login: Login,
    client_orderid: ClientOrderId,
    cardrefid: CardRefId,
    ...money,
    order_desc: OrderDescription,
    ipaddress: IpAddress,
    cvv2: Schema.optionalKey(Cvv2),
    comment: Schema.optionalKey(Comment),
    redirect_url: Schema.optionalKey(RedirectUrl),
    ...callback,
    enumerate_amounts: Schema.optionalKey(EnumerateAmounts),
    recurrent_scenario: Schema.optionalKey(
      Field.oneOf(["REGULAR", "IRREGULAR"], {
        about: "Whether charges follow a schedule: REGULAR or IRREGULAR.",
        sample: "REGULAR"
      })
    ),
    recurrent_initiator: Schema.optionalKey(
      Field.oneOf(["MERCHANT"], { about: "The party that starts the charge: MERCHANT.", sample: "MERCHANT" })
    )
  },
  response: AsyncResponse,
  rules: [
    Rule.exact("amount", "currency"),
    Rule.eachExact("enumerate_amounts", "currency"),
    Rule.eachBelow("enumerate_amounts", "amount", "currency")
  ]
})
