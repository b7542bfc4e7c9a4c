/**
 * The decisions of a recurring payment's job. Each decision requires the job's lease and the row as it was loaded, so that a
 * process that is too late writes nothing. A charge's order and its occurrence are written in one commit.
 */

import { declines } from "@pay/schema/Decline"
import * as Change from "../../kernel/Change.ts"
import * as Decision from "../../kernel/Decision.ts"
import { Job } from "../../kernel/Job.ts"
import * as Jobs from "../../kernel/Jobs.ts"
import * as Callbacks from "../../orders/decide/Callbacks.ts"
import type * as Register from "../../orders/decide/Register.ts"
import { Card } from "../../orders/record/Card.ts"
import * as Lifecycle from "../../orders/record/Lifecycle.ts"
import { Order } from "../../orders/record/Order.ts"
import { OrderRequest } from "../../orders/record/OrderRequest.ts"
import type * as Payment from "../../orders/record/Payment.ts"
import * as Billing from "./Billing.ts"
import * as BillingDays from "./BillingDays.ts"
import type { Billed } from "./BillingPlan.ts"
import * as SkippedOccurrences from "./SkippedOccurrences.ts"
import { Occurrence, Subscription } from "./Subscription.ts"
import type * as SubscriptionEvents from "./SubscriptionEvents.ts"
import * as SubscriptionLifecycle from "./SubscriptionLifecycle.ts"

export interface BillingContext extends Billed {
  readonly job: Job
  readonly nowMs: number
}

const guards = (context: BillingContext): ReadonlyArray<Decision.Guard> => [
  Decision.leaseOf(context.job),
  Billing.guard(context)
]

const decided = (context: BillingContext, writes: ReadonlyArray<Decision.Write>): Decision.Decision => ({
  guards: guards(context),
  writes
})

/** Returns the reserved `client_orderid` of a scheduled charge. Merchants cannot use its form. */
export const clientOrderIdOf = ({ next, subscriptionId }: Pick<Subscription, "next" | "subscriptionId">): string =>
  `${subscriptionId}:${next}`

export const drop = (context: BillingContext): Decision.Decision =>
  decided(context, [Decision.remove(Job, [context.job.jobId])])

export const wait = (context: BillingContext, untilMs: number): Decision.Decision =>
  decided(context, [Decision.put(Job, Jobs.waiting(context.job, untilMs))])

const skippedEvent = ({ day, reason }: Occurrence): SubscriptionEvents.Event => ({
  status: "skipped",
  day,
  reason: reason === null ? undefined : { message: reason }
})

/** Returns the writes and callbacks of occurrences that are skipped. */
export const skipping = (rows: ReadonlyArray<Occurrence>) => ({
  writes: rows.map((row) => Decision.append(Occurrence, row)),
  events: rows.map(skippedEvent)
})

/** Skips occurrences from the next one on, one for each reason. */
export const skip = (context: BillingContext, reasons: ReadonlyArray<string>): Decision.Decision => {
  const { nowMs, subscription } = context
  const { next } = subscription
  const rows = reasons.map((reason, index) => SkippedOccurrences.skipped(subscription, next + index, reason, nowMs))
  const { events, writes } = skipping(rows)
  return decided(context, [
    ...writes,
    ...Billing.advanceWrites({ ...subscription, next: next + rows.length }, events, nowMs)
  ])
}

/** Goes on to occurrence `next`, because those before it already have rows. */
export const pass = (context: BillingContext, next: number): Decision.Decision =>
  decided(context, Billing.advanceWrites({ ...context.subscription, next }, [], context.nowMs))

/**
 * Skips the current occurrence because the card has expired, and suspends the recurring payment until the merchant sets another
 * card.
 */
export const expire = (context: BillingContext): Decision.Decision => {
  const { nowMs, subscription } = context
  const { code, message } = declines.expiredCard
  const row = SkippedOccurrences.skipped(subscription, subscription.next, message, nowMs)
  const suspended: Subscription = {
    ...subscription,
    next: subscription.next + 1,
    state: SubscriptionLifecycle.after(subscription.state, "suspend"),
    reasonCode: code,
    reasonMessage: message
  }
  const event: SubscriptionEvents.Event = { status: "suspended", day: row.day, reason: declines.expiredCard }
  return decided(context, [Decision.append(Occurrence, row), ...Billing.advanceWrites(suspended, [event], nowMs)])
}

/** Charges the current occurrence with this order. An order that a rule of the endpoint stops ends the occurrence at once. */
export const charge = (context: BillingContext, { decision, order }: Register.Registered): Decision.Decision => {
  const { job, nowMs, subscription } = context
  const occurrence: Occurrence = {
    subscriptionId: subscription.subscriptionId,
    n: subscription.next,
    day: BillingDays.dayOf(subscription, subscription.next) ?? subscription.anchorDay,
    progress: "charging",
    orderId: order.orderId,
    attempts: 1,
    firstAtMs: nowMs,
    nextTryAtMs: null,
    reason: null,
    endedAtMs: null
  }
  const writes =
    order.filteredBy === null
      ? [
          Decision.append(Occurrence, occurrence),
          Decision.put(Subscription, Change.next(subscription)),
          Decision.remove(Job, [job.jobId])
        ]
      : Billing.conclude(
          { subscription, occurrence },
          Billing.chargeOutcomeOf({ ...order, progress: "filtered" }),
          nowMs
        )
  return { guards: [...guards(context), ...decision.guards], writes: [...decision.writes, ...writes] }
}

/** A declined charge whose order is open for another attempt. */
export interface DeclinedCharge extends BillingContext {
  readonly occurrence: Occurrence
  readonly order: Order
  /** The request that created the order. */
  readonly request: OrderRequest
}

export interface Retry {
  /** The number n in the reference of the new attempt. */
  readonly sequence: number
  /** Identifier for the record of the previous attempt. */
  readonly attemptId: string
  /** The current card of the recurring payment; undefined: that of the previous attempt. */
  readonly card:
    | { readonly facts: Payment.CardFacts; readonly encryptedPan: Uint8Array; readonly panHash: string }
    | undefined
  readonly velocityEntries: Change.Change
  readonly claim: Jobs.Claim | undefined
}

const orderGuard = ({ order }: DeclinedCharge): Decision.Guard =>
  Decision.versionIs(Order, [order.orderId], order.version)

/** Returns the order in the state in which it is sent to the bank again. */
const sent = (order: Order, changes: Partial<Order> = {}): Order =>
  Change.next(order, {
    ...changes,
    state: Lifecycle.after(order.state, "send"),
    errorCode: null,
    errorMessage: null
  })

/** Returns the decision that sends the same order to the bank again, under another reference. */
export const retry = (
  context: DeclinedCharge,
  { attemptId, card, claim, velocityEntries, sequence }: Retry
): Decision.Decision => {
  const { job, nowMs, occurrence, order, request, subscription } = context
  const work = Jobs.make({ kind: "bank", subject: request.requestId, merchantId: order.merchantId, nowMs, claim })
  return {
    guards: [...guards(context), orderGuard(context), ...velocityEntries.guards],
    writes: [
      Decision.put(Order, sent(order, { ...card?.facts, sequence })),
      Decision.put(OrderRequest, { ...request, sequence, acceptedAtMs: nowMs }),
      Decision.append(OrderRequest, {
        ...request,
        requestId: attemptId,
        operation: Billing.attemptOperation,
        progress: "declined",
        errorCode: order.errorCode,
        errorMessage: order.errorMessage,
        fingerprint: "",
        callbackUrl: null,
        finishedAtMs: nowMs
      }),
      ...(card === undefined
        ? []
        : [
            Decision.put(Card, {
              cardId: order.orderId,
              merchantId: order.merchantId,
              encryptedPan: card.encryptedPan,
              panHash: card.panHash,
              createdAtMs: nowMs
            })
          ]),
      ...velocityEntries.writes,
      Decision.put(Occurrence, {
        ...occurrence,
        progress: "charging",
        attempts: sequence + 1,
        nextTryAtMs: null
      }),
      Decision.put(Subscription, Change.next(subscription)),
      Decision.remove(Job, [job.jobId]),
      Decision.append(Job, work)
    ]
  }
}

/** Inquires again about an attempt that had been declined, because the bank now reports it as approved. It is not sent again. */
export const follow = (context: DeclinedCharge): Decision.Decision => {
  const { job, nowMs, occurrence, order, request, subscription } = context
  const work = Jobs.make({ kind: "bank", subject: request.requestId, merchantId: order.merchantId, nowMs })
  return {
    guards: [...guards(context), orderGuard(context)],
    writes: [
      Decision.put(Order, sent(order)),
      Decision.put(Occurrence, { ...occurrence, progress: "charging", nextTryAtMs: null }),
      Decision.put(Subscription, Change.next(subscription)),
      Decision.remove(Job, [job.jobId]),
      // The job counts as started, so that the process that runs it inquires.
      Decision.append(Job, { ...work, openAttempts: 1, startedAtMs: nowMs })
    ]
  }
}

/** Why a declined charge is not tried again; without a code the reason is that of the last decline. */
export interface StopReason {
  readonly code?: number
  readonly message?: string
  /** The rule of the endpoint that stopped the charge. */
  readonly filteredBy?: string | undefined
  readonly suspends: boolean
}

/** Ends the order of a declined charge without another attempt, and creates its callbacks. */
export const giveUp = (context: DeclinedCharge, stop: StopReason, claim: Jobs.Claim | undefined): Decision.Decision => {
  const { nowMs, order, request } = context
  const filteredBy = stop.filteredBy ?? null
  const errorCode = stop.code ?? order.errorCode
  const errorMessage = stop.message ?? order.errorMessage
  const ended: OrderRequest = {
    ...request,
    progress: filteredBy === null ? "declined" : "filtered",
    errorCode,
    errorMessage,
    finishedAtMs: nowMs
  }
  const final: Order = Change.next(order, {
    state: Lifecycle.after(order.state, filteredBy === null ? "abandon" : "filter"),
    errorCode,
    errorMessage,
    filteredBy,
    processedAtMs: nowMs
  })
  const callbacks = Callbacks.enqueue(final, ended, nowMs, claim)
  const reason = { code: errorCode ?? undefined, message: errorMessage ?? "Not tried again" }
  const { suspends } = stop
  return {
    guards: [...guards(context), orderGuard(context)],
    writes: [
      Decision.put(Order, callbacks.order),
      Decision.put(OrderRequest, ended),
      ...Billing.conclude(context, { approved: false, suspends, reason }, nowMs),
      ...callbacks.writes
    ]
  }
}
