/** The shop's orders: what a customer bought, how the payment stands, and what the back office did. No card data is in them. */
import { Schema } from "effect"
import * as Records from "../Records.ts"

const Status = Schema.Literals(["open", "approved", "declined", "abandoned", "failed", "unclear"])
export type Status = typeof Status.Type

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
