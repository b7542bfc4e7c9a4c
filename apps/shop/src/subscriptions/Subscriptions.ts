/**
 * The shop's subscriptions. Each monthly payment is an order. Customers can change the card, pause, resume and cancel: one change
 * at a time. A form that is submitted twice makes one change.
 */
import * as CardInMemory from "@pay/flows/CardInMemory"
import * as Flow from "@pay/flows/Flow"
import type { FlowError } from "@pay/flows/FlowError"
import * as RecordedFlow from "@pay/flows/RecordedFlow"
import { ChangeSubscription, Subscribe } from "@pay/flows/Subscription"
import { Effect, Result, Schema } from "effect"
import * as Cards from "../cards/Cards.ts"
import { titleOf } from "../checkout/Catalogue.ts"
import * as FlowStart from "../FlowStart.ts"
import * as OrderPages from "../orders/OrderPages.ts"
import * as Orders from "../orders/Orders.ts"
import * as Records from "../Records.ts"
import { Settings } from "../Settings.ts"
import { form, html, Problem } from "../web/Page.ts"
import * as Routes from "../web/Routes.ts"
import texts from "./texts.json" with { type: "json" }

/** The state of a subscription, as the gateway reports it. */
const State = Schema.Literals(["active", "paused", "suspended", "finished", "cancelled"])
type State = typeof State.Type

const Subscription = Schema.Struct({
  /** `id` is the gateway's `recurring-payment-id`. It is easy to guess, so `owner` decides who may use the subscription. */
  ...Records.fields,
  product: Schema.String,
  state: State,
  /** The day of the next charge, `YYYY-MM-DD`. */
  nextDay: Schema.optional(Schema.String),
  lastFour: Schema.optional(Schema.String),
  /** The name of the change that is under way. */
  pendingChange: Schema.optional(Schema.String),
  /** The reason for which the last change failed. */
  problem: Schema.optional(Schema.String)
})
type Subscription = typeof Subscription.Type

const { add, change, find, pending } = Records.repository(
  "subscription",
  Subscription,
  ({ pendingChange }) => pendingChange !== undefined
)

export { change, find }

/** Returns the fields that a report changes. A subscription that is over ignores older reports that arrive late. */
export const changesBy = (subscription: Subscription, state: string | undefined, nextDay: string | undefined) => {
  const isOver = subscription.state === "cancelled" || subscription.state === "finished"
  return isOver || !Schema.is(State)(state) ? {} : { state, nextDay }
}

type End = Result.Result<typeof Subscribe.success.Type, FlowError>

/** Adds the subscription, and records the payment of its first order. */
const record = Effect.fnUntraced(function* ({ clientOrderId }: { readonly clientOrderId: string }, end: End) {
  const order = yield* Orders.find(clientOrderId)
  if (order === undefined) return
  const payment = Result.map(end, ({ order }) => order)
  const { nextChargeDate: nextDay, order: report, recurringPaymentId: id } = Result.getOrUndefined(end) ?? {}
  const { owner, product } = order
  if (id !== undefined) yield* add({ id, owner, product, state: "active", nextDay, lastFour: report?.lastFour })
  yield* Orders.change(clientOrderId, (order) => ({ ...Orders.changesByEnd(order, payment), recurringId: id }))
})

/** Subscribes with the card of the checkout's form, or with a stored card. */
export const subscribe = CardInMemory.make(RecordedFlow.make(Subscribe, record))

type Change = "pause" | "resume" | "cancel" | "card"

const changes: Readonly<Record<State, ReadonlyArray<Change>>> = {
  active: ["card", "pause", "cancel"],
  paused: ["card", "resume", "cancel"],
  suspended: ["card", "cancel"],
  finished: [],
  cancelled: []
}

/** Returns the changes that the subscription allows now. */
const possibleChanges = ({ pendingChange, state }: Subscription) => (pendingChange === undefined ? changes[state] : [])

const failedChange = (problem: string) => ({ pendingChange: undefined, problem })

export const changeSubscription = CardInMemory.make(
  RecordedFlow.make(
    ChangeSubscription,
    Effect.fnUntraced(function* ({ cardRefId, recurringPaymentId: id }, end) {
      if (Result.isFailure(end)) return yield* change(id, () => failedChange(end.failure.message))
      const { nextChargeDate, status } = end.success
      const cards = yield* Cards.ofOwner((yield* find(id))?.owner ?? "")
      const card = cards.find(({ ref }) => ref === cardRefId)
      return yield* change(id, (subscription) => ({
        ...changesBy(subscription, status, nextChargeDate),
        pendingChange: undefined,
        lastFour: card?.lastFour ?? subscription.lastFour
      }))
    })
  )
)

const isStarted = (id: string, name: string) => FlowStart.isStarted(changeSubscription, Flow.identityOf(id, name))

/** Records a failure for each change whose flow the previous process did not start. */
export const resume = Effect.gen(function* () {
  for (const { id, pendingChange = "" } of yield* pending) {
    if (yield* isStarted(id, pendingChange)) continue
    yield* change(id, () => failedChange("the shop was stopped before the request was sent"))
  }
})

const ownSubscription = Routes.ownRecordOfPath(find)

export const layer = Routes.layer({
  "GET /subscription/:id": Effect.gen(function* () {
    const subscription = yield* ownSubscription
    const { id, lastFour, nextDay, owner, pendingChange, problem, state } = subscription
    const orders = yield* Orders.ofOwner(owner)
    const cards = yield* Cards.ofOwner(owner)
    const name = yield* Routes.newId
    const options = cards.map(({ lastFour, ref }) => ({ value: ref, label: `ends in ${lastFour}` }))
    const possible = possibleChanges(subscription).filter((change) => change !== "card" || cards.length > 0)
    const changeForm = (change: Change) => {
      const inputs = change === "card" ? [{ name: "card", label: "Another card", options }] : []
      return form({ action: `/subscription/${id}`, hidden: { name, change }, inputs, button: texts.buttons[change] })
    }
    return {
      title: texts.titles[state],
      refresh: pendingChange === undefined ? undefined : "2",
      main: html`
        <p>${titleOf(subscription)}</p>
        ${nextDay !== undefined && html`<p>Next charge ${nextDay}</p>`}
        ${lastFour !== undefined && html`<p>Card ends in ${lastFour}</p>`}
        ${problem !== undefined && html`<p>The last change did not work. Please try again later.</p>`}
        ${possible.map(changeForm)} ${OrderPages.list(orders.filter(({ recurringId }) => recurringId === id))}`
    }
  }),

  /** Records that the change is under way, then starts it. */
  "POST /subscription/:id": Effect.gen(function* () {
    const { card: cardRefId, change: wanted, name } = yield* Routes.formValues
    const subscription = yield* ownSubscription
    const { id, owner, pendingChange } = subscription
    const path = `/subscription/${id}` as const
    if (!Routes.isId(name)) return yield* new Problem({ why: "incomplete" })
    if (pendingChange !== undefined || (yield* isStarted(id, name))) return path
    const nextChange = possibleChanges(subscription).find((change) => change === wanted)
    const card = (yield* Cards.ofOwner(owner)).find(({ ref }) => nextChange === "card" && ref === cardRefId)
    if (nextChange === undefined || (nextChange === "card" && card === undefined)) {
      return yield* new Problem({ why: "changeImpossible" })
    }
    const isNew = yield* change(id, ({ pendingChange }) =>
      pendingChange === undefined ? { pendingChange: name, problem: undefined } : undefined
    )
    const { endpoints } = yield* Settings
    const request = { recurringPaymentId: id, name, change: nextChange, endpointId: endpoints.kept }
    const payload = card === undefined ? request : { ...request, cardRefId: card.ref }
    if (isNew) yield* Effect.orDie(changeSubscription.start(payload))
    return path
  })
})
