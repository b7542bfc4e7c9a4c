/**
 * The shop's orders: what a customer bought, how the payment stands, and what the back office did. No card data is in them. The
 * toolkit's results say how an order stands: how a flow ended, or what the gateway reported after a callback.
 */
import type { FlowError } from "@pay/flows/FlowError"
import type { OrderStatus } from "@pay/flows/OrderStatus"
import * as Money from "@pay/schema/Money"
import { Result, Schema } from "effect"
import * as Records from "../Records.ts"

const Status = Schema.Literals(["open", "approved", "declined", "abandoned", "failed", "unclear"])
type Status = typeof Status.Type

/** What the back office can do with an order. */
export const Kind = Schema.Literals(["capture", "release", "refund"])

/** What the back office does with an order. The name comes with the form, so that the same form twice is one action. */
const Action = Schema.Struct({
  name: Schema.String,
  kind: Kind,
  amountMinor: Schema.Int,
  /** `unclear` and `unresolved`: the request was sent, and its outcome is not known. */
  status: Schema.Literals(["open", "unclear", "unresolved", "done", "refused"]),
  reason: Schema.optional(Schema.String)
})
export type Action = typeof Action.Type

const Order = Schema.Struct({
  /** The `client_orderid`. It is no secret: the gateway and issuers see it. `owner` says whose the order is. */
  id: Schema.String,
  owner: Schema.String,
  product: Schema.String,
  amountMinor: Schema.Int,
  currency: Schema.String,
  way: Schema.Literals(["hosted", "card", "kept"]),
  status: Status,
  /** The gateway's number of the order. */
  gatewayId: Schema.optional(Schema.String),
  capturedMinor: Schema.Int,
  returnedMinor: Schema.Int,
  /** Whether the amount that was not captured is the customer's again. */
  released: Schema.Boolean,
  lastFour: Schema.optional(Schema.String),
  /** Why the payment was not approved, for the back office. */
  reason: Schema.optional(Schema.String),
  /** The subscription that this payment belongs to. */
  recurringId: Schema.optional(Schema.String),
  actions: Schema.Array(Action)
})
export type Order = typeof Order.Type

type NewOrder = Pick<Order, "id" | "owner" | "product" | "amountMinor" | "currency" | "way" | "recurringId">

/** An order of which nothing was sent yet. */
export const make = (order: NewOrder): Order => ({
  ...order,
  status: "open",
  capturedMinor: 0,
  returnedMinor: 0,
  released: false,
  actions: []
})

export const { add, change, find, latest, of, pending } = Records.repository(
  "order",
  Order,
  ({ actions, status }) => status === "open" || actions.some((action) => action.status === "open")
)

export type End = Result.Result<OrderStatus, FlowError>

/** Every error of a flow, and the status that it gives the order. */
const statuses: Readonly<Record<FlowError["_tag"], Status>> = {
  Declined: "declined",
  Filtered: "declined",
  NotAuthenticated: "declined",
  Abandoned: "abandoned",
  Failed: "failed",
  Refused: "failed",
  Unreachable: "failed",
  NeverHappened: "failed",
  StillUnknown: "unclear",
  NeedsAPerson: "unclear"
}

/**
 * Returns how uncertain it is whether money has moved, if it is. `unclear`: the gateway can be asked again. `unresolved`: only a
 * person can tell, with the gateway's support.
 */
export const uncertainty = ({ _tag, retryable }: FlowError): "unclear" | "unresolved" | undefined => {
  if (statuses[_tag] !== "unclear") return undefined
  return retryable ? "unclear" : "unresolved"
}

/** Returns the reason of a failure for the people of the shop. */
export const reasonOf = (error: FlowError): string => ("reason" in error ? error.reason : error.message)

export const minor = (amount: string | undefined, currency: string | undefined): number =>
  amount === undefined || currency === undefined ? 0 : Result.getOrElse(Money.toMinor(amount, currency), () => 0)

/** Writes a status into the order. A report may come twice and late, so amounts only grow. */
export const withStatus = (order: Order, status: Status, report?: OrderStatus, reason?: string): Order => {
  if (report === undefined) return { ...order, status, reason }
  const { capturedAmount, currency, lastFour = order.lastFour, orderId, returnedAmount, transactionType } = report
  return {
    ...order,
    status,
    reason,
    gatewayId: orderId,
    capturedMinor: Math.max(order.capturedMinor, minor(capturedAmount, currency)),
    returnedMinor: Math.max(order.returnedMinor, minor(returnedAmount, currency)),
    released: order.released || transactionType === "cancel",
    lastFour
  }
}

/** Writes the end of a flow into the order. */
export const withEnd =
  (end: End) =>
  (order: Order): Order =>
    Result.match(end, {
      onSuccess: (report) => withStatus(order, "approved", report),
      onFailure: (error) =>
        withStatus(order, statuses[error._tag], "order" in error ? error.order : undefined, reasonOf(error))
    })
