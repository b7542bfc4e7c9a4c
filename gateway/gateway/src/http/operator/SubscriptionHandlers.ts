/** Handles operations that show recurring payments and their occurrences, without card data. */
import * as Money from "@pay/schema/Money"
import { Effect } from "effect"
import type { Subscription } from "../../recurring/decide/Subscription.ts"
import * as ListSubscriptions from "../../recurring/ListSubscriptions.ts"
import { type Handlers, missing } from "./OperatorHandler.ts"

const rowOf = (subscription: Subscription) => ({
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
  created: subscription.createdAtMs
})

const detailsOf = ({ dueAtMs, occurrences, subscription }: ListSubscriptions.SubscriptionDetails) => ({
  ...rowOf(subscription),
  finish: subscription.finishDay,
  occurrencesInAll: subscription.occurrences,
  timeZone: subscription.timeZone,
  cardExpires: `${subscription.expireMonth}/${subscription.expireYear}`,
  reasonCode: subscription.reasonCode,
  reason: subscription.reasonMessage,
  due: dueAtMs ?? null,
  occurrences: occurrences.map(({ attempts, day, endedAtMs, n, nextTryAtMs, orderId, progress, reason }) => ({
    n,
    day,
    progress,
    order: orderId,
    attempts,
    nextTry: nextTryAtMs,
    reason,
    ended: endedAtMs
  }))
})

export const make = Effect.map(
  ListSubscriptions.make,
  ({ list, show }): Pick<Handlers, "listSubscriptions" | "showSubscription"> => ({
    listSubscriptions: ({ after, limit, merchant, state }) =>
      Effect.map(list({ merchant, state, limit, after }), ({ next, subscriptions }) => ({
        subscriptions: subscriptions.map(rowOf),
        next
      })),
    showSubscription: ({ subscription }) =>
      Effect.flatMap(show(subscription), (displayed) =>
        displayed === undefined ? missing("there is no such recurring payment") : Effect.succeed(detailsOf(displayed))
      )
  })
)
