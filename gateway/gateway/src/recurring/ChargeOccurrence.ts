/**
 * The job of a recurring payment: its next occurrence is charged, skipped or tried again. The charge is an ordinary order,
 * which is sent to the bank after the commit that created it. Its outcome schedules the next job.
 */

import { declines } from "@pay/schema/Decline"
import { Clock, Effect } from "effect"
import * as Decision from "../kernel/Decision.ts"
import { Ids } from "../kernel/Ids.ts"
import { Job } from "../kernel/Job.ts"
import * as Jobs from "../kernel/Jobs.ts"
import { KeyedLock } from "../kernel/KeyedLock.ts"
import { Scheduler } from "../kernel/Scheduler.ts"
import { Store } from "../kernel/Store.ts"
import * as Transact from "../kernel/Transact.ts"
import { Directory, type Endpoint } from "../merchants/Directory.ts"
import { Acquirer } from "../orders/bank/Acquirer.ts"
import * as BankJob from "../orders/outcomes/BankJob.ts"
import { Order } from "../orders/record/Order.ts"
import { isOfBank, OrderRequest, referenceOf } from "../orders/record/OrderRequest.ts"
import { RiskCheck } from "../orders/requests/RiskCheck.ts"
import * as Risk from "../risk/Risk.ts"
import { KeyVault } from "../vault/KeyVault.ts"
import * as Charge from "./Charge.ts"
import * as BillingDecisions from "./decide/BillingDecisions.ts"
import * as BillingPayment from "./decide/BillingPayment.ts"
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
  const vault = yield* KeyVault
  const ids = yield* Ids
  const scheduler = yield* Scheduler
  const directory = yield* Directory
  const screening = yield* RiskCheck
  const acquirer = yield* Acquirer
  const { charge, screened } = yield* Charge.make

  const retry = Effect.fnUntraced(function* (context: BillingDecisions.DeclinedCharge, endpoint: Endpoint) {
    const { nowMs, order, subscription } = context
    const payment = yield* screened(context, endpoint, order.orderId, order.amountMinor)
    yield* screening.screen(payment, ({ filteredBy, velocityEntries }) =>
      store.commit(
        filteredBy === undefined
          ? BillingDecisions.retry(context, {
              sequence: order.sequence + 1,
              attemptId: ids.next(),
              card: {
                facts: BillingPayment.cardOf(subscription),
                encryptedPan: vault.encrypt(payment.pan, order.orderId),
                panHash: subscription.panHash
              },
              velocityEntries,
              claim: scheduler.claim(nowMs, "bank", order.merchantId)
            })
          : stop(context, { ...Risk.declineOf(filteredBy), filteredBy, suspends: Risk.declineOf(filteredBy).hard })
      )
    )
  })

  const stop = (context: BillingDecisions.DeclinedCharge, reason: BillingDecisions.StopReason) =>
    BillingDecisions.giveUp(context, reason, scheduler.claim(context.nowMs, "callback", context.order.merchantId))

  /**
   * Inquires again about the attempt that was declined, before the charge is tried again or given up: if the bank has approved it after
   * all, another attempt would charge the card twice. Undefined: the bank still does not report an approval.
   */
  const contradicted = Effect.fnUntraced(function* (context: BillingDecisions.DeclinedCharge, isLast: boolean) {
    const { deadlineMs } = acquirer.capabilities
    const answer = isOfBank(context.request)
      ? BankJob.inquired(yield* BankJob.answerOf(acquirer.inquire(referenceOf(context.request)), deadlineMs))
      : undefined
    if (answer?._tag === "Approved") return BillingDecisions.follow(context)
    return answer?._tag !== "CannotSay" || isLast
      ? undefined
      : BillingDecisions.wait(context, Jobs.nextLookAtMs(context.job.tries, context.nowMs))
  })

  /** Loads the order and the request of a declined charge. */
  const waitingOf = Effect.fnUntraced(function* (context: BillingDecisions.BillingContext) {
    const { occurrence } = context
    const order = occurrence?.orderId == null ? undefined : yield* store.load(Order, [occurrence.orderId])
    const request = order === undefined ? undefined : yield* store.load(OrderRequest, [order.requestId])
    return occurrence === undefined || order === undefined || request === undefined
      ? undefined
      : ({ ...context, occurrence, order, request } satisfies BillingDecisions.DeclinedCharge)
  })

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
      const lease = Decision.leaseOf(job)
      return yield* store.commit({ guards: [lease], writes: [Decision.remove(Job, [job.jobId])] })
    }
    const occurrence = yield* store.load(Occurrence, [subscription.subscriptionId, subscription.next])
    const nowMs = yield* Clock.currentTimeMillis
    const context: BillingDecisions.BillingContext = { subscription, occurrence, job, nowMs }
    const endpoint = directory.endpoint(subscription.endpointId)
    const plan = BillingPlan.make(context, endpoint?.catchUpOccurrences ?? 1, nowMs)
    const waiting = yield* waitingOf(context)
    const other =
      waiting === undefined || plan._tag === "Wait" ? undefined : yield* contradicted(waiting, plan._tag !== "Retry")
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
        return yield* store.commit(waiting === undefined ? BillingDecisions.drop(context) : stop(waiting, plan))
      case "Expired":
        return yield* store.commit(
          waiting === undefined
            ? BillingDecisions.expire(context)
            : stop(waiting, { ...declines.expiredCard, suspends: true })
        )
      case "Charge":
      case "Retry":
        if (endpoint === undefined || !endpoint.enabled)
          return yield* store.commit(BillingDecisions.wait(context, nowMs + deferMs))
        return yield* waiting === undefined ? charge(context, endpoint) : retry(waiting, endpoint)
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
