/**
 * The job of a recurring payment: its next occurrence is charged, skipped or tried again. The charge is an ordinary order,
 * which is sent to the bank after the commit that created it. Its outcome schedules the next job.
 */

import { declines } from "@pay/schema/Decline"
import { Clock, Effect } from "effect"
import type { Job } from "../kernel/Job.ts"
import * as Jobs from "../kernel/Jobs.ts"
import { KeyedLock } from "../kernel/KeyedLock.ts"
import { Scheduler } from "../kernel/Scheduler.ts"
import { Store } from "../kernel/Store.ts"
import * as Transact from "../kernel/Transact.ts"
import { Directory, type Endpoint } from "../merchants/Directory.ts"
import * as Charge from "./Charge.ts"
import * as DeclinedCharge from "./DeclinedCharge.ts"
import * as BillingDecisions from "./decide/BillingDecisions.ts"
import * as BillingPlan from "./decide/BillingPlan.ts"
import * as SkipReason from "./decide/SkipReason.ts"
import { Occurrence, Subscription } from "./decide/Subscription.ts"
import { lastOccurrence } from "./LoadSubscription.ts"

/** Time after which the job runs again if its endpoint is switched off or no longer configured, and so charges nothing. */
const deferMs = 3_600_000
/** Highest number of occurrences that are searched for the last one with a charge: almost three years of a daily one. */
const mostLookedBack = 1000

export const make = Effect.gen(function* () {
  const store = yield* Store
  const locks = yield* KeyedLock
  const scheduler = yield* Scheduler
  const directory = yield* Directory
  const { charge } = yield* Charge.make
  const { contradicted, declinedOf, retry, stop } = yield* DeclinedCharge.make

  /** Returns why each of the occurrences that are due is not charged. */
  const reasonsOf = Effect.fnUntraced(function* (
    { subscription }: BillingDecisions.BillingContext,
    { count, isOver }: Extract<BillingPlan.Plan, { readonly _tag: "Skip" }>,
    endpoint: Endpoint | undefined
  ) {
    const { next, subscriptionId } = subscription
    const recent = yield* store.find(Occurrence, "key", {
      equals: [subscriptionId],
      limit: mostLookedBack,
      descending: true
    })
    const lastCharge = recent.find(({ orderId }) => orderId !== null)
    const facts = { lastCharge, isSwitchedOff: endpoint?.enabled !== true }
    return Array.from({ length: count }, (_, index) => SkipReason.of(subscription, next + index, isOver, facts))
  })

  const runJob = Effect.fnUntraced(function* (job: Job) {
    const subscription = yield* store.load(Subscription, [job.subject])
    if (subscription === undefined) {
      return yield* store.commit(Jobs.ended(job))
    }
    const occurrence = yield* store.load(Occurrence, [subscription.subscriptionId, subscription.next])
    const nowMs = yield* Clock.currentTimeMillis
    const context: BillingDecisions.BillingContext = { subscription, occurrence, job, nowMs }
    const endpoint = directory.endpoint(subscription.endpointId)
    const plan = BillingPlan.make(context, endpoint?.catchUpOccurrences ?? 1, nowMs)
    const declined = yield* declinedOf(context)
    const other =
      declined === undefined || plan._tag === "Wait" ? undefined : yield* contradicted(declined, plan._tag !== "Retry")
    if (other !== undefined) {
      yield* store.commit(other)
      return yield* scheduler.wake
    }
    switch (plan._tag) {
      case "Drop":
        return yield* store.commit(BillingDecisions.drop(context))
      case "Wait":
        return yield* store.commit(BillingDecisions.wait(context, plan.untilMs))
      case "Skip":
        return yield* store.commit(BillingDecisions.skip(context, yield* reasonsOf(context, plan, endpoint)))
      case "Pass": {
        const last = yield* lastOccurrence(store, subscription.subscriptionId)
        return yield* store.commit(BillingDecisions.pass(context, Math.max(subscription.next, last?.n ?? 0) + 1))
      }
      case "GiveUp":
        return yield* store.commit(declined === undefined ? BillingDecisions.drop(context) : stop(declined, plan))
      case "Expired":
        return yield* store.commit(
          declined === undefined
            ? BillingDecisions.expire(context)
            : stop(declined, { ...declines.expiredCard, suspends: true })
        )
      case "Charge":
      case "Retry":
        if (endpoint === undefined || !endpoint.enabled)
          return yield* store.commit(BillingDecisions.wait(context, nowMs + deferMs))
        return yield* declined === undefined ? charge(context, endpoint) : retry(declined, endpoint)
    }
  })

  /** Runs the job again if another process changed a row in between. If the lease is lost, another process runs the job. */
  const attempt = (job: Job) =>
    locks(job.subject)(
      Transact.transact({
        attempt: runJob(job),
        onLostGuard: ({ _tag }) => (_tag === "LeaseIs" ? Effect.void : "again"),
        exhausted: () => Effect.void,
        tries: Transact.triesUnderLock
      })
    )

  /** If an error occurs, the job stays leased. It runs again when the lease expires, and everything is loaded again. */
  return (job: Job): Effect.Effect<void> =>
    Effect.catch(attempt(job), (error) => Effect.logDebug("A recurring payment's turn has to wait", error))
})
