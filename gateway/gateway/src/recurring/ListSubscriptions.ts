/** Recurring payments for the gateway's operator: a list, newest first, or one with its occurrences. */

import { Effect } from "effect"
import { Job } from "../kernel/Job.ts"
import * as Jobs from "../kernel/Jobs.ts"
import { Store } from "../kernel/Store.ts"
import { Occurrence, Subscription } from "./decide/Subscription.ts"
import type { State } from "./decide/SubscriptionLifecycle.ts"

/** Selects the recurring payments to list: those of one merchant, those in one state, or all. */
export interface ListQuery {
  readonly merchant: string | undefined
  readonly state: State | undefined
  readonly limit: number
  /** Identifier of the last recurring payment of the previous page. */
  readonly after: string | undefined
}

export interface SubscriptionDetails {
  readonly subscription: Subscription
  /** The occurrences, newest first. */
  readonly occurrences: ReadonlyArray<Occurrence>
  /** When the next job is due; undefined if there is none. */
  readonly dueAtMs: number | undefined
}

const mostOccurrences = 1000

export const make = Effect.map(Store, (store) => {
  const list = Effect.fnUntraced(function* ({ after, limit, merchant, state }: ListQuery) {
    const [index, equals] =
      merchant !== undefined ? ["merchant", [merchant]] : state !== undefined ? ["state", [state]] : ["key", []]
    const range = { equals, limit: limit + 2, descending: true, ...(after === undefined ? {} : { to: after }) }
    const rows = (yield* store.find(Subscription, `${index}`, range)).filter(
      ({ subscriptionId }) => subscriptionId !== after
    )
    const subscriptions = rows.slice(0, limit)
    return { subscriptions, next: rows.length > limit ? subscriptions.at(-1)?.subscriptionId : undefined }
  })

  const show = Effect.fnUntraced(function* (subscriptionId: string) {
    const subscription = yield* store.load(Subscription, [subscriptionId])
    if (subscription === undefined) return undefined
    const range = { equals: [subscriptionId], limit: mostOccurrences, descending: true }
    const occurrences = yield* store.find(Occurrence, "key", range)
    const job = yield* store.load(Job, [Jobs.id("recurring", subscriptionId)])
    return { subscription, occurrences, dueAtMs: job?.dueAtMs } satisfies SubscriptionDetails
  })

  return { list, show }
})
