/**
 * The decisions of a recurring payment's turn. Each holds only under the turn's lease and for the row that was read, so that
 * whoever is late writes nothing; a charge's order and its occurrence are one commit.
 */

import { declines } from "@pay/schema/Decline"
import * as Change from "../kernel/Change.ts"
import * as Decision from "../kernel/Decision.ts"
import { Job } from "../kernel/Job.ts"
import * as Jobs from "../kernel/Jobs.ts"
import * as Callbacks from "../orders/Callbacks.ts"
import { Card } from "../orders/Card.ts"
import * as Lifecycle from "../orders/Lifecycle.ts"
import { Order } from "../orders/Order.ts"
import { OrderRequest } from "../orders/OrderRequest.ts"
import type * as Payment from "../orders/Payment.ts"
import type * as Register from "../orders/Register.ts"
import * as Billing from "./Billing.ts"
import * as BillingDays from "./BillingDays.ts"
import type { Billed } from "./BillingPlan.ts"
import * as BillingSettlement from "./BillingSettlement.ts"
import { Occurrence, Subscription } from "./Subscription.ts"
import type * as SubscriptionEvents from "./SubscriptionEvents.ts"
import * as SubscriptionLife from "./SubscriptionLife.ts"

export interface Turn extends Billed {
  readonly item: Job
  readonly nowMs: number
}

export interface Next {
  readonly decision: Decision.Decision
  /** Jobs that the decision claims for this process. */
  readonly started: ReadonlyArray<Job>
}

const guards = (turn: Turn): ReadonlyArray<Decision.Guard> => [Decision.leaseOf(turn.item), Billing.guard(turn)]

const only = (turn: Turn, writes: ReadonlyArray<Decision.Write>): Next => ({
  decision: { guards: guards(turn), writes },
  started: []
})

/** The reserved `client_orderid` of a scheduled charge: a form that merchants cannot use. */
export const clientOrderIdOf = ({ next, subscriptionId }: Pick<Subscription, "next" | "subscriptionId">): string =>
  `${subscriptionId}:${next}`

export const drop = (turn: Turn): Next => only(turn, [Decision.remove(Job, [turn.item.itemId])])

export const wait = (turn: Turn, untilMs: number): Next =>
  only(turn, [Decision.put(Job, Jobs.waiting(turn.item, untilMs))])

const skippedEvent = ({ day, reason }: Occurrence): SubscriptionEvents.Event => ({
  status: "skipped",
  day,
  reason: reason === null ? undefined : { message: reason }
})

/** What is written and told of occurrences that are not charged. */
export const skipping = (rows: ReadonlyArray<Occurrence>) => ({
  writes: rows.map((row) => Decision.append(Occurrence, row)),
  events: rows.map(skippedEvent)
})

/** One reason for each occurrence from the next on. */
export const skip = (turn: Turn, reasons: ReadonlyArray<string>): Next => {
  const { nowMs, subscription } = turn
  const { next } = subscription
  const rows = reasons.map((reason, index) => BillingSettlement.skipped(subscription, next + index, reason, nowMs))
  const { events, writes } = skipping(rows)
  return only(turn, [...writes, ...Billing.onward({ ...subscription, next: next + rows.length }, events, nowMs)])
}

/** Occurrences that have their records already. */
export const pass = (turn: Turn, next: number): Next =>
  only(turn, Billing.onward({ ...turn.subscription, next }, [], turn.nowMs))

/** The card is past its expiry and nothing is tried with it: this occurrence is skipped, and those after it until another card comes. */
export const expire = (turn: Turn): Next => {
  const { nowMs, subscription } = turn
  const { code, message } = declines.expiredCard
  const row = BillingSettlement.skipped(subscription, subscription.next, message, nowMs)
  const suspended: Subscription = {
    ...subscription,
    next: subscription.next + 1,
    state: SubscriptionLife.after(subscription.state, "suspend"),
    reasonCode: code,
    reasonMessage: message
  }
  const event: SubscriptionEvents.Event = { status: "suspended", day: row.day, reason: declines.expiredCard }
  return only(turn, [Decision.append(Occurrence, row), ...Billing.onward(suspended, [event], nowMs)])
}

/** The present occurrence becomes this order; one that a rule of the endpoint stops is over at once. */
export const charge = (turn: Turn, { decision, order, started }: Register.Registered): Next => {
  const { item, nowMs, subscription } = turn
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
          Decision.remove(Job, [item.itemId])
        ]
      : Billing.concluded({ subscription, occurrence }, Billing.endingOf({ ...order, progress: "filtered" }), nowMs)
  return {
    decision: { guards: [...guards(turn), ...decision.guards], writes: [...decision.writes, ...writes] },
    started
  }
}

/** A declined charge, with its order open for another try. */
export interface Waiting extends Turn {
  readonly occurrence: Occurrence
  readonly order: Order
  /** The request that created the order. */
  readonly request: OrderRequest
}

export interface Retry {
  /** n of the reference: after that of the try before. */
  readonly sequence: number
  /** For the record of the try before. */
  readonly attemptId: string
  /** The recurring payment's card as it is now; undefined: that of the try before. */
  readonly card:
    | { readonly facts: Payment.CardFacts; readonly sealedPan: Uint8Array; readonly panHash: string }
    | undefined
  readonly marks: Change.Change
  readonly claim: Jobs.Claim | undefined
}

const orderGuard = ({ order }: Waiting): Decision.Guard => Decision.versionIs(Order, [order.orderId], order.version)

/** The order as it is while the bank is asked for it once more. */
const sent = (order: Order, changes: Partial<Order> = {}): Order =>
  Change.next(order, {
    ...changes,
    state: Lifecycle.after(order.state, "send"),
    errorCode: null,
    errorMessage: null
  })

/** Returns the decision that sends the same order to the bank again, under another reference. */
export const retry = (turn: Waiting, { attemptId, card, claim, marks, sequence }: Retry): Next => {
  const { item, nowMs, occurrence, order, request, subscription } = turn
  const work = Jobs.make({ kind: "bank", subject: request.requestId, merchantId: order.merchantId, nowMs, claim })
  return {
    decision: {
      guards: [...guards(turn), orderGuard(turn), ...marks.guards],
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
                sealedPan: card.sealedPan,
                panHash: card.panHash,
                createdAtMs: nowMs
              })
            ]),
        ...marks.writes,
        Decision.put(Occurrence, {
          ...occurrence,
          progress: "charging",
          attempts: sequence + 1,
          nextTryAtMs: null
        }),
        Decision.put(Subscription, Change.next(subscription)),
        Decision.remove(Job, [item.itemId]),
        Decision.append(Job, work)
      ]
    },
    started: claim === undefined ? [] : [work]
  }
}

/** The bank says of a try that it had declined that it is approved: it is asked for it again, and not for another one. */
export const follow = (turn: Waiting): Next => {
  const { item, nowMs, occurrence, order, request, subscription } = turn
  const work = Jobs.make({ kind: "bank", subject: request.requestId, merchantId: order.merchantId, nowMs })
  return {
    decision: {
      guards: [...guards(turn), orderGuard(turn)],
      writes: [
        Decision.put(Order, sent(order)),
        Decision.put(Occurrence, { ...occurrence, progress: "charging", nextTryAtMs: null }),
        Decision.put(Subscription, Change.next(subscription)),
        Decision.remove(Job, [item.itemId]),
        // It was begun before, so that whoever takes it inquires.
        Decision.append(Job, { ...work, openAttempts: 1, startedAtMs: nowMs })
      ]
    },
    started: []
  }
}

/** Why a declined charge is not tried again; without a code the last decline stands. */
export interface Stopped {
  readonly code?: number
  readonly message?: string
  /** The rule of the endpoint that stopped it. */
  readonly filteredBy?: string | undefined
  readonly suspends: boolean
}

/** The order of a declined charge ends without another try, and the merchant is told. */
export const giveUp = (turn: Waiting, stopped: Stopped, claim: Jobs.Claim | undefined): Next => {
  const { nowMs, order, request } = turn
  const filteredBy = stopped.filteredBy ?? null
  const errorCode = stopped.code ?? order.errorCode
  const errorMessage = stopped.message ?? order.errorMessage
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
  const news = Callbacks.announce(final, ended, nowMs, claim)
  const reason = { code: errorCode ?? undefined, message: errorMessage ?? "Not tried again" }
  const { suspends } = stopped
  return {
    decision: {
      guards: [...guards(turn), orderGuard(turn)],
      writes: [
        Decision.put(Order, news.order),
        Decision.put(OrderRequest, ended),
        ...Billing.concluded(turn, { approved: false, suspends, reason }, nowMs),
        ...news.writes
      ]
    },
    started: news.started
  }
}
