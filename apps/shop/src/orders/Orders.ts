/**
 * The shop's orders: what a customer bought, how the payment stands, and what the back office did. No card data is in them. The
 * toolkit's results say how an order stands: how a flow ended, or what the gateway reported after a callback.
 */
import type { FlowError } from "@pay/flows/FlowError"
import type { OrderStatus } from "@pay/flows/OrderStatus"
import * as Money from "@pay/schema/Money"
import { Effect, Result, Schema } from "effect"
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

/** The default of each field is that of an order of which nothing was sent yet. */
export const Order = Schema.Struct({
  /** `id` is the `client_orderid`. It is no secret: the gateway and issuers see it. `owner` says whose the order is. */
  ...Records.fields,
  product: Schema.String,
  amountMinor: Schema.Int,
  currency: Schema.String,
  way: Schema.Literals(["hosted", "card", "kept"]),
  status: Status.pipe(Schema.withConstructorDefault(Effect.succeed("open"))),
  /** The gateway's number of the order. */
  gatewayId: Schema.optional(Schema.String),
  capturedMinor: Schema.Int.pipe(Schema.withConstructorDefault(Effect.succeed(0))),
  returnedMinor: Schema.Int.pipe(Schema.withConstructorDefault(Effect.succeed(0))),
  /** Whether the amount that was not captured is the customer's again. */
  released: Schema.Boolean.pipe(Schema.withConstructorDefault(Effect.succeed(false))),
  lastFour: Schema.optional(Schema.String),
  /** Why the payment was not approved, for the back office. */
  reason: Schema.optional(Schema.String),
  /** The subscription that this payment belongs to. */
  recurringId: Schema.optional(Schema.String),
  actions: Schema.Array(Action).pipe(Schema.withConstructorDefault(Effect.succeed([])))
})
export type Order = typeof Order.Type

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

/** Returns the fields of an order that a report changes. It may come twice and late: amounts only grow. */
export const changesBy = (order: Order, report: OrderStatus) => {
  const { capturedAmount, currency, lastFour = order.lastFour, orderId, returnedAmount, transactionType } = report
  return {
    gatewayId: orderId,
    capturedMinor: Math.max(order.capturedMinor, minor(capturedAmount, currency)),
    returnedMinor: Math.max(order.returnedMinor, minor(returnedAmount, currency)),
    released: order.released || transactionType === "cancel",
    lastFour
  }
}

/** Returns the fields of an order that the end of a flow changes. */
export const changesByEnd = (order: Order, end: End): Partial<Order> => {
  if (Result.isSuccess(end)) return { ...changesBy(order, end.success), status: "approved", reason: undefined }
  const { failure } = end
  const changes = "order" in failure && failure.order !== undefined ? changesBy(order, failure.order) : {}
  return { ...changes, status: statuses[failure._tag], reason: reasonOf(failure) }
}
