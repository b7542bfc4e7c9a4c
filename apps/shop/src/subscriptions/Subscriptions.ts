/** The shop's subscriptions. Their payments are orders, one for each month. */
import { Schema } from "effect"
import * as Records from "../Records.ts"

/** The state of a subscription, as the gateway reports it. */
const State = Schema.Literals(["active", "paused", "suspended", "finished", "cancelled"])
export type State = typeof State.Type
const isState = Schema.is(State)

const Subscription = Schema.Struct({
  /** The gateway's `recurring-payment-id`. It is easy to guess: `owner` says whose the subscription is. */
  id: Schema.String,
  owner: Schema.String,
  product: Schema.String,
  state: State,
  /** The day of the next charge, `YYYY-MM-DD`. */
  nextDay: Schema.optional(Schema.String),
  lastFour: Schema.optional(Schema.String),
  /** The name of the change that is under way. */
  pendingChange: Schema.optional(Schema.String),
  /** Why the last change failed. */
  problem: Schema.optional(Schema.String)
})
export type Subscription = typeof Subscription.Type

export const { add, change, find, of, pending } = Records.repository(
  "subscription",
  Subscription,
  ({ pendingChange }) => pendingChange !== undefined
)

/** Writes what the gateway reports. A subscription that is over stays so, however late an older report comes. */
export const withState =
  (state: string | undefined, nextDay: string | undefined) =>
  (subscription: Subscription): Subscription => {
    const isOver = subscription.state === "cancelled" || subscription.state === "finished"
    return isOver || !isState(state) ? subscription : { ...subscription, state, nextDay }
  }
