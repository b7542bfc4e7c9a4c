/**
 * The shop's subscriptions. Their payments are orders, one for each month. Customers can use another card, pause, go on and
 * cancel: one change at a time, and the same form is one change.
 */
import { Durable } from "@pay/flows/durable"
import * as Flow from "@pay/flows/Flow"
import type { FlowError } from "@pay/flows/FlowError"
import { ChangeSubscription, Subscribe } from "@pay/flows/Subscription"
import { Effect, Result, Schema } from "effect"
import * as Cards from "../cards/Cards.ts"
import { withCardInMemory } from "../flows/CardInMemory.ts"
import * as RecordedFlow from "../flows/RecordedFlow.ts"
import * as Orders from "../orders/Orders.ts"
import * as Outcomes from "../orders/Outcomes.ts"
import * as Records from "../Records.ts"
import { Settings } from "../Settings.ts"
import { Problem } from "../web/Page.ts"
import { type Form, isId } from "../web/Visitor.ts"

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

export { change, find }

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

const changes = {
  active: ["card", "pause", "cancel"],
  paused: ["card", "resume", "cancel"],
  suspended: ["card", "cancel"],
  finished: [],
  cancelled: []
} as const satisfies Readonly<Record<State, ReadonlyArray<string>>>

/** Returns the changes that the subscription allows now. */
export const possible = ({ pendingChange, state }: Subscription) => (pendingChange === undefined ? changes[state] : [])

const withProblem =
  (problem: string | undefined) =>
  (subscription: Subscription): Subscription => ({ ...subscription, pendingChange: undefined, problem })

export const changeSubscription = withCardInMemory(
  RecordedFlow.make(
    ChangeSubscription,
    Effect.fnUntraced(function* ({ cardRefId, recurringPaymentId: id }, end) {
      if (Result.isFailure(end)) return yield* change(id, withProblem(end.failure.message))
      const { nextChargeDate, status } = end.success
      const cards = yield* Cards.of((yield* find(id))?.owner ?? "")
      const card = cards.find(({ ref }) => ref === cardRefId)
      return yield* change(id, (subscription) => ({
        ...withState(status, nextChargeDate)(withProblem(undefined)(subscription)),
        lastFour: card?.lastFour ?? subscription.lastFour
      }))
    })
  )
)

const isStarted = (id: string, name: string) =>
  RecordedFlow.starter(changeSubscription).isStarted(Flow.identityOf(id, name))

/** Carries out a form of the subscription's page: records that the change is under way, then starts it. */
export const act = Effect.fn("Subscriptions.act")(function* (subscription: Subscription, form: Form) {
  const { endpoints } = yield* Settings
  const { start } = yield* Durable
  const { id, owner, pendingChange } = subscription
  const { name } = form
  if (!isId(name)) return yield* new Problem({ why: "incomplete" })
  if (pendingChange !== undefined || (yield* isStarted(id, name))) return
  const nextChange = possible(subscription).find((change) => change === form.change)
  const card = nextChange === "card" ? (yield* Cards.of(owner)).find(({ ref }) => ref === form.card) : undefined
  if (nextChange === undefined || (nextChange === "card" && card === undefined)) {
    return yield* new Problem({ why: "changeImpossible" })
  }
  const isNew = yield* change(id, (subscription) =>
    subscription.pendingChange === undefined ? { ...subscription, pendingChange: name, problem: undefined } : undefined
  )
  if (!isNew) return
  const request = { recurringPaymentId: id, name, change: nextChange, endpointId: endpoints.kept }
  yield* Effect.orDie(start(changeSubscription, card === undefined ? request : { ...request, cardRefId: card.ref }))
})

/** At a start of the shop, a change whose flow was not started was not made. */
export const resume = Effect.gen(function* () {
  for (const { id, pendingChange = "" } of yield* pending) {
    if (yield* isStarted(id, pendingChange)) continue
    yield* change(id, withProblem("the shop was stopped before the request was sent"))
  }
})
