/** A customer's subscription: only their own. */
import { Effect } from "effect"
import * as Cards from "../cards/Cards.ts"
import { titleOf } from "../checkout/Catalogue.ts"
import * as OrderPages from "../orders/OrderPages.ts"
import * as Orders from "../orders/Orders.ts"
import type { Page } from "../web/Page.ts"
import * as Routes from "../web/Routes.ts"
import * as Visitor from "../web/Visitor.ts"
import * as Subscriptions from "./Subscriptions.ts"
import texts from "./texts.json" with { type: "json" }

const ownSubscription = Routes.own(Subscriptions.find)

export const layer = Routes.layer({
  "GET /subscription/:id": Effect.gen(function* () {
    const subscription = yield* ownSubscription
    const { id, lastFour, nextDay, owner, pendingChange, problem, state } = subscription
    const orders = yield* Orders.of(owner)
    const cards = yield* Cards.of(owner)
    const name = yield* Visitor.newId
    const options = cards.map(({ lastFour, ref }) => [ref, `ends in ${lastFour}`] as const)
    const possible = Subscriptions.possible(subscription).filter((change) => change !== "card" || cards.length > 0)
    const page: Page = {
      title: texts.titles[state],
      refresh: pendingChange === undefined ? undefined : "2",
      lines: [
        titleOf(subscription),
        nextDay !== undefined && `Next charge ${nextDay}`,
        lastFour !== undefined && `Card ends in ${lastFour}`,
        problem !== undefined && "The last change did not work. Please try again later."
      ],
      forms: possible.map((change) => ({
        action: `/subscription/${id}`,
        hidden: { name, change },
        inputs: change === "card" ? [{ name: "card", label: "Another card", options }] : [],
        button: texts.buttons[change]
      })),
      items: orders.filter(({ recurringId }) => recurringId === id).map(OrderPages.item)
    }
    return page
  }),

  "POST /subscription/:id": Effect.gen(function* () {
    const form = yield* Visitor.form
    const subscription = yield* ownSubscription
    yield* Subscriptions.act(subscription, form)
    return `/subscription/${subscription.id}` as const
  })
})
