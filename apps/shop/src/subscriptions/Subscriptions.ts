/** The shop's subscriptions. Their payments are orders, one for each month. */
import type { FlowError } from "@pay/flows/FlowError"
import { Subscribe } from "@pay/flows/Subscription"
import { Effect, Result, Schema } from "effect"
import { withCardInMemory } from "../flows/CardInMemory.ts"
import * as RecordedFlow from "../flows/RecordedFlow.ts"
import * as Orders from "../orders/Orders.ts"
import * as Outcomes from "../orders/Outcomes.ts"
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

const { add, change, find, pending } = Records.repository(
  "subscription",
  Subscription,
  ({ pendingChange }) => pendingChange !== undefined
)

export { change, find, pending }

/** Writes what the gateway reports. A subscription that is over stays so, however late an older report comes. */
export const withState =
  (state: string | undefined, nextDay: string | undefined) =>
  (subscription: Subscription): Subscription => {
    const isOver = subscription.state === "cancelled" || subscription.state === "finished"
    return isOver || !isState(state) ? subscription : { ...subscription, state, nextDay }
  }

type End = Result.Result<typeof Subscribe.success.Type, FlowError>

/** Adds the subscription, and records the payment of the order with which it begins. */
const record = Effect.fnUntraced(function* ({ clientOrderId }: { readonly clientOrderId: string }, end: End) {
  const order = yield* Orders.find(clientOrderId)
  const recurringId = Result.isSuccess(end) ? end.success.recurringPaymentId : undefined
  if (Result.isSuccess(end) && order !== undefined) {
    const { nextChargeDate: nextDay, order: report, recurringPaymentId: id } = end.success
    const { owner, product } = order
    yield* add({ id, owner, product, state: "active", nextDay, lastFour: report.lastFour })
  }
  const outcome = Outcomes.withEnd(Result.map(end, ({ order: report }) => report))
  return yield* Orders.change(clientOrderId, (order) => ({ ...outcome(order), recurringId }))
})

/** Subscribes with the card of the checkout's form, or with a stored card. */
export const subscribe = withCardInMemory(RecordedFlow.make(Subscribe, record))
