/** What customers do with their subscriptions: another card, a pause, the end. One change at a time; sent twice it is one. */
import { Durable } from "@pay/flows/durable"
import { Effect } from "effect"
import { Wallet } from "../cards/Wallet.ts"
import * as Payments from "../payments/Payments.ts"
import { Settings } from "../Settings.ts"
import { type Form, isId, Problem } from "../web/Visitor.ts"
import { type State, type Subscription, Subscriptions } from "./Subscriptions.ts"

export const changes = ["pause", "resume", "cancel", "card"] as const
export type Change = (typeof changes)[number]

/** What can be asked for as it stands; nothing while a change is under way. */
export const possible = ({ asked: pendingChange, state }: Subscription): ReadonlyArray<Change> =>
  pendingChange === null ? of[state] : []

const of: Readonly<Record<State, ReadonlyArray<Change>>> = {
  active: ["card", "pause", "cancel"],
  paused: ["card", "resume", "cancel"],
  suspended: ["card", "cancel"],
  finished: [],
  cancelled: []
}

export const change = Effect.fn("Subscribing.change")(
  function* (subscription: Subscription, form: Form) {
    const { asked: pendingChange, id, visitor } = subscription
    const { card, name } = form
    const wanted = changes.find((change) => change === form.change)
    if (!isId(name) || wanted === undefined) {
      return yield* new Problem({ status: 400, says: "This form is not complete." })
    }
    const { result, start } = yield* Durable
    // This one was made before, or one is under way: the page tells of it.
    if (pendingChange !== null || (yield* Effect.isSuccess(result(Payments.change, `${id}/${name}`)))) return
    if (!possible(subscription).includes(wanted)) {
      return yield* new Problem({ status: 400, says: "This cannot be done as your subscription stands." })
    }
    const { endpoints } = yield* Settings
    const about = { "recurring-payment-id": id, name, endpointId: endpoints.kept }
    const cards = yield* (yield* Wallet).of(visitor)
    const kept = cards.find(({ ref }) => ref === card)
    if (wanted === "card" && kept === undefined) {
      return yield* new Problem({ status: 400, says: "Choose a card that you keep with us." })
    }
    if (!(yield* (yield* Subscriptions).ask(id, name))) return
    yield* wanted === "card"
      ? start(Payments.change, { ...about, change: wanted, cardrefid: kept?.ref ?? "" })
      : start(Payments.change, { ...about, change: wanted })
  },
  Effect.catchTags({
    PayloadDiffers: Effect.die,
    PayloadInvalid: Effect.die,
    SqliteError: Effect.die,
    CommitUnknown: Effect.die
  })
)

/** After a start: a change that was written down but not begun was not made. */
export const goOn = Effect.gen(function* () {
  const { changed, changing } = yield* Subscriptions
  const { result } = yield* Durable
  for (const { asked: pendingChange, id } of yield* changing) {
    if (!(yield* Effect.isSuccess(result(Payments.change, `${id}/${pendingChange}`)))) {
      yield* changed(id, { problem: "the shop was stopped before it began" })
    }
  }
})
