/**
 * The shop's orders: the product, the state of the payment, and the actions of the back office. An order contains no card data.
 * Its state comes from the toolkit: the end of a flow, or the gateway's status after a callback.
 */
import type { FlowError } from "@pay/flows/FlowError"
import type { OrderStatus } from "@pay/flows/OrderStatus"
import * as Money from "@pay/schema/Money"
import { Effect, Result, Schema } from "effect"
import * as Records from "../Records.ts"

const Status = Schema.Literals(["open", "approved", "declined", "abandoned", "failed", "unclear"])
type Status = typeof Status.Type

/** The kinds of actions of the back office. */
export const Kind = Schema.Literals(["capture", "release", "refund"])

/** An action of the back office on an order. The form contains the name, so that submitting a form twice performs one action. */
const Action = Schema.Struct({
  name: Schema.String,
  kind: Kind,
  amountMinor: Schema.Int,
  /** `unclear` and `unresolved`: the request was sent, and its outcome is not known. */
  status: Schema.Literals(["open", "unclear", "unresolved", "done", "refused"]),
  reason: Schema.optional(Schema.String)
})
export type Action = typeof Action.Type

/** An order. The defaults are those of an order for which nothing was sent yet. */
export const Order = Schema.Struct({
  /** `id` is the `client_orderid`: no secret, the gateway and issuers receive it. `owner` is the visitor who placed the order. */
  ...Records.fields,
  product: Schema.String,
  amountMinor: Schema.Int,
  currency: Schema.String,
  /** The time at which the order was placed, or its monthly payment was reported. */
  placedAtMs: Schema.Int,
  /** The payment method: the gateway's page, a card in the shop's form, or a stored card. */
  way: Schema.Literals(["hosted", "card", "kept"]),
  status: Status.pipe(Schema.withConstructorDefault(Effect.succeed("open"))),
  /** The gateway's identifier of the order. */
  gatewayId: Schema.optional(Schema.String),
  capturedMinor: Schema.Int.pipe(Schema.withConstructorDefault(Effect.succeed(0))),
  returnedMinor: Schema.Int.pipe(Schema.withConstructorDefault(Effect.succeed(0))),
  /** Whether the amount that was not captured has been released to the customer. */
  released: Schema.Boolean.pipe(Schema.withConstructorDefault(Effect.succeed(false))),
  lastFour: Schema.optional(Schema.String),
  /** The reason for which the payment was not approved, for the back office. */
  reason: Schema.optional(Schema.String),
  /** The subscription to which this payment belongs. */
  recurringId: Schema.optional(Schema.String),
  actions: Schema.Array(Action).pipe(Schema.withConstructorDefault(Effect.succeed([])))
})
export type Order = typeof Order.Type

export const { add, change, find, latest, ofOwner, pending } = Records.repository(
  "order",
  Order,
  ({ actions, status }) => status === "open" || actions.some((action) => action.status === "open")
)

export type End = Result.Result<OrderStatus, FlowError>

/** The status of an order after each error of its flow. */
const statuses: Readonly<Record<FlowError["_tag"], Status>> = {
  Declined: "declined",
  Filtered: "declined",
  NotAuthenticated: "declined",
  Abandoned: "abandoned",
  Failed: "failed",
  NotAccepted: "failed",
  Unreachable: "failed",
  NeverHappened: "failed",
  StillUnknown: "unclear",
  NeedsAPerson: "unclear"
}

/**
 * Returns the kind of uncertainty if money may have moved, otherwise `undefined`. `unclear`: the gateway can be asked again.
 * `unresolved`: a person has to ask the gateway's support.
 */
export const uncertainty = ({ _tag, retryable }: FlowError): "unclear" | "unresolved" | undefined => {
  if (statuses[_tag] !== "unclear") return undefined
  return retryable ? "unclear" : "unresolved"
}

/** Returns the reason of a failure, as it is shown in the back office. */
export const reasonOf = (error: FlowError): string => ("reason" in error ? error.reason : error.message)

/** Returns the minor units of an amount that the gateway reports. `undefined` if it reports none that can be read. */
export const reportedMinor = (amount: string | undefined, currency: string | undefined): number | undefined =>
  amount === undefined || currency === undefined
    ? undefined
    : Result.getOrUndefined(Money.toMinorOrZero(amount, currency))

/** Returns the fields of an order that a status report changes. Reports can arrive twice and late, so amounts only grow. */
export const changesBy = (order: Order, report: OrderStatus) => {
  const { capturedAmount, currency, lastFour = order.lastFour, orderId, returnedAmount, transactionType } = report
  return {
    gatewayId: orderId,
    capturedMinor: Math.max(order.capturedMinor, reportedMinor(capturedAmount, currency) ?? 0),
    returnedMinor: Math.max(order.returnedMinor, reportedMinor(returnedAmount, currency) ?? 0),
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
