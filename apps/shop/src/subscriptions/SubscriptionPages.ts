/** A customer's subscription: only their own. */
import { Effect } from "effect"
import * as Cards from "../cards/Cards.ts"
import { titleOf } from "../checkout/Catalogue.ts"
import * as OrderPages from "../orders/OrderPages.ts"
import * as Orders from "../orders/Orders.ts"
import type { Page } from "../web/Page.ts"
import * as Routes from "../web/Routes.ts"
import { newId } from "../web/Visitor.ts"
import * as SubscriptionChange from "./SubscriptionChange.ts"
import * as Subscriptions from "./Subscriptions.ts"

const titles: Readonly<Record<Subscriptions.State, string>> = {
  active: "Your subscription runs",
  paused: "Your subscription is paused",
  suspended: "Your card could not be charged",
  finished: "Your subscription is over",
  cancelled: "Your subscription has ended"
}

const buttons = { pause: "Pause", resume: "Go on", cancel: "Cancel the subscription", card: "Use this card" } as const

const ownSubscription = Routes.own(Subscriptions.find)

export const layer = Routes.layer({
  "GET /subscription/:id": Effect.fnUntraced(function* (request) {
    const subscription = yield* ownSubscription(request)
    const { id, lastFour, nextDay, pendingChange, problem, state } = subscription
    const { visitor } = request
    const orders = yield* Orders.of(visitor.id)
    const cards = yield* Cards.of(visitor.id)
    const name = yield* newId
    const options = cards.map(({ lastFour, ref }) => [ref, `ends in ${lastFour}`] as const)
    const possible = SubscriptionChange.possible(subscription).filter((change) => change !== "card" || cards.length > 0)
    const page: Page = {
      title: titles[state],
      refresh: pendingChange === undefined ? undefined : "2",
      lines: [
        titleOf(subscription),
        nextDay !== undefined && `Next charge ${nextDay}`,
        lastFour !== undefined && `Card ends in ${lastFour}`,
        problem !== undefined && "The last change did not work. Please try again later."
      ],
      forms: possible.map((change) => ({
        action: `/subscription/${id}`,
        hidden: { token: visitor.token, name, change },
        inputs: change === "card" ? [{ name: "card", label: "Another card", options }] : [],
        button: buttons[change]
      })),
      items: orders.filter(({ recurringId }) => recurringId === id).map(OrderPages.item)
    }
    return page
  }),

  "POST /subscription/:id": Effect.fnUntraced(function* (request) {
    const form = yield* request.visitor.form
    const subscription = yield* ownSubscription(request)
    yield* SubscriptionChange.change(subscription, form)
    return `/subscription/${subscription.id}` as const
  })
})
