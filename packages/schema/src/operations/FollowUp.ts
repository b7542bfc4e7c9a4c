/** Operations on an existing order: capture, void, return and status. */
import * as Control from "@pay/signing/Control"
import { Schema } from "effect"
import { AsyncResponse } from "../answers/AsyncResponse.ts"
import { StatusResponse } from "../answers/StatusResponse.ts"
import { ClientOrderId, Comment, Login, OrderId, part, SerialNumber } from "../fields/OrderFields.ts"
import { callback } from "../fields/UrlFields.ts"
import * as Operation from "../Operation.ts"
import * as Rule from "../Rule.ts"
import * as Scheme from "../Scheme.ts"

const order = { login: Login, client_orderid: ClientOrderId, orderid: OrderId }

export const Capture = Operation.make("CAPTURE", {
  path: "/api/v2/capture",
  summary: "Captures a part of a preauth, or without an amount all that is left.",
  signing: Scheme.Control(Control.recipes.capture),
  acts: "onOrder",
  request: { ...order, ...part, comment: Schema.optionalKey(Comment), ...callback },
  response: AsyncResponse,
  rules: Rule.part
})

export const Void = Operation.make("VOID", {
  path: "/api/v2/void",
  summary: "Voids the amount of a preauth that is not captured.",
  signing: Scheme.Control(Control.recipes.void),
  acts: "onOrder",
  request: { ...order, ...part, comment: Schema.optionalKey(Comment), ...callback },
  response: AsyncResponse,
  rules: [Rule.refused("amount", "a void has no partial amount")]
})

export const Return = Operation.make("RETURN", {
  path: "/api/v2/return",
  summary: "Refunds a sale or a captured preauth, in part or in whole, or cancels a preauth without a capture.",
  signing: Scheme.Control(Control.recipes.return),
  acts: "onOrder",
  request: { ...order, ...part, comment: Schema.optionalKey(Comment), ...callback },
  response: AsyncResponse,
  rules: Rule.part
})

export const Status = Operation.make("STATUS", {
  path: "/api/v2/status",
  summary: "Returns the status of an order, by orderid, by client_orderid, or by both.",
  signing: Scheme.Control(Control.recipes.status),
  acts: "reads",
  request: {
    login: Login,
    client_orderid: Schema.optionalKey(ClientOrderId),
    orderid: Schema.optionalKey(OrderId),
    "by-request-sn": Schema.optionalKey(SerialNumber)
  },
  response: StatusResponse,
  rules: [Rule.anyOf(["client_orderid"], ["orderid"])]
})
