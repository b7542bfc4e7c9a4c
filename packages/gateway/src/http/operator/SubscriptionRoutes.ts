/** `GET /operator/subscriptions`, `GET /operator/subscriptions/{id}`: recurring payments and their occurrences, without card data. */
import * as Money from "@pay/schema/Money"
import { Effect } from "effect"
import * as ListSubscriptions from "../../recurring/ListSubscriptions.ts"
import type { Subscription } from "../../recurring/Subscription.ts"
import * as SubscriptionLife from "../../recurring/SubscriptionLife.ts"
import { json, limitOf, type Route, time, timeOrNull, wrong } from "./Route.ts"

const head = (subscription: Subscription) => ({
  id: subscription.subscriptionId,
  merchant: subscription.merchantId,
  merchantOrder: subscription.clientOrderId,
  order: subscription.orderId,
  endpoint: subscription.endpointId,
  state: subscription.state,
  amount: Money.fromMinor(subscription.amountMinor, subscription.currency),
  currency: subscription.currency,
  schedule: `${subscription.interval} ${subscription.period} from ${subscription.anchorDay}`,
  next: subscription.next,
  card: `${subscription.bin}…${subscription.lastFour}`,
  created: time(subscription.createdAtMs)
})

const shown = ({ dueAtMs, occurrences, subscription }: ListSubscriptions.Shown) => ({
  ...head(subscription),
  finish: subscription.finishDay,
  occurrencesInAll: subscription.occurrences,
  timeZone: subscription.timeZone,
  cardExpires: `${subscription.expireMonth}/${subscription.expireYear}`,
  reasonCode: subscription.reasonCode,
  reason: subscription.reasonMessage,
  due: dueAtMs === undefined ? null : time(dueAtMs),
  occurrences: occurrences.map(({ attempts, day, endedAtMs, n, nextTryAtMs, orderId, progress, reason }) => ({
    n,
    day,
    progress,
    order: orderId,
    attempts,
    nextTry: timeOrNull(nextTryAtMs),
    reason,
    ended: timeOrNull(endedAtMs)
  }))
})

const states = Object.keys(SubscriptionLife.states)
const isState = (text: string): text is SubscriptionLife.State => Object.hasOwn(SubscriptionLife.states, text)

export const make = Effect.gen(function* () {
  const subscriptions = yield* ListSubscriptions.make
  const routes: ReadonlyArray<Route> = [
    {
      method: "GET",
      path: "/operator/subscriptions",
      run: ({ query }) => {
        const state = query.get("state") ?? undefined
        const limit = limitOf(query.get("limit"))
        const merchant = query.get("merchant") ?? undefined
        if (limit === undefined || (state !== undefined && (!isState(state) || merchant !== undefined)))
          return Effect.succeed(wrong(`give merchant=… or state=${states.join("|")}, and a limit of up to 1000`))
        const question = { merchant, state, limit, after: query.get("after") ?? undefined }
        return Effect.map(subscriptions.list(question), ({ found, next }) =>
          json(200, { subscriptions: found.map(head), ...(next === undefined ? {} : { next }) })
        )
      }
    },
    {
      method: "GET",
      path: "/operator/subscriptions/:subscription",
      run: ({ params }) =>
        Effect.map(subscriptions.show(params.subscription ?? ""), (found) =>
          found === undefined ? json(404, { error: "there is no such recurring payment" }) : json(200, shown(found))
        )
    }
  ]
  return routes
})
