/** What customers do with their subscriptions: another card, a pause, the end. One change at a time; the same form is one. */
import { Durable } from "@pay/flows/durable"
import * as Flow from "@pay/flows/Flow"
import { ChangeSubscription } from "@pay/flows/Subscription"
import { Effect, Result } from "effect"
import * as Cards from "../cards/Cards.ts"
import { withCardInMemory } from "../flows/CardInMemory.ts"
import * as RecordedFlow from "../flows/RecordedFlow.ts"
import { Settings } from "../Settings.ts"
import { type Form, isId, Problem } from "../web/Visitor.ts"
import * as Subscriptions from "./Subscriptions.ts"

export type Change = "pause" | "resume" | "cancel" | "card"

const changes: Readonly<Record<Subscriptions.State, ReadonlyArray<Change>>> = {
  active: ["card", "pause", "cancel"],
  paused: ["card", "resume", "cancel"],
  suspended: ["card", "cancel"],
  finished: [],
  cancelled: []
}

/** Returns the changes that the subscription allows now. */
export const possible = ({ pendingChange, state }: Subscriptions.Subscription): ReadonlyArray<Change> =>
  pendingChange === undefined ? changes[state] : []

const withProblem =
  (problem: string | undefined) =>
  (subscription: Subscriptions.Subscription): Subscriptions.Subscription => ({
    ...subscription,
    pendingChange: undefined,
    problem
  })

export const changeSubscription = withCardInMemory(
  RecordedFlow.make(
    ChangeSubscription,
    Effect.fnUntraced(function* ({ cardRefId, recurringPaymentId: id }, end) {
      if (Result.isFailure(end)) return yield* Subscriptions.change(id, withProblem(end.failure.message))
      const { nextChargeDate, status } = end.success
      const cards = yield* Cards.of((yield* Subscriptions.find(id))?.owner ?? "")
      const card = cards.find(({ ref }) => ref === cardRefId)
      return yield* Subscriptions.change(id, (subscription) => ({
        ...Subscriptions.withState(status, nextChargeDate)(withProblem(undefined)(subscription)),
        lastFour: card?.lastFour ?? subscription.lastFour
      }))
    })
  )
)

const isStarted = (id: string, name: string) =>
  RecordedFlow.starter(changeSubscription).isStarted(Flow.identityOf(id, name))

export const change = Effect.fn("SubscriptionChange.change")(function* (
  subscription: Subscriptions.Subscription,
  form: Form
) {
  const { endpoints } = yield* Settings
  const { start } = yield* Durable
  const { id, owner, pendingChange } = subscription
  const { name } = form
  if (!isId(name)) return yield* new Problem({ status: 400, says: "This form is not complete." })
  const isRepeat = yield* isStarted(id, name)
  if (pendingChange !== undefined || isRepeat) return
  const nextChange = possible(subscription).find((change) => change === form.change)
  const card = (yield* Cards.of(owner)).find(({ ref }) => ref === form.card)
  if (nextChange === undefined || (nextChange === "card" && card === undefined)) {
    return yield* new Problem({ status: 400, says: "This is not possible for your subscription now." })
  }
  const isNew = yield* Subscriptions.change(id, (subscription) =>
    subscription.pendingChange === undefined ? { ...subscription, pendingChange: name, problem: undefined } : undefined
  )
  if (!isNew) return
  const request = { recurringPaymentId: id, name, change: nextChange, endpointId: endpoints.kept }
  const withCard = nextChange === "card" && card !== undefined ? { ...request, cardRefId: card.ref } : request
  yield* Effect.orDie(start(changeSubscription, withCard))
})

/** At a start of the shop, a change whose flow was not started was not made. */
export const resume = Effect.gen(function* () {
  for (const { id, pendingChange = "" } of yield* Subscriptions.pending) {
    if (yield* isStarted(id, pendingChange)) continue
    yield* Subscriptions.change(id, withProblem("the shop was stopped before the request was sent"))
  }
})
