/**
 * Payment attempts of a hosted page, as pure decisions: one at a time, a few of them; the order moves like any other while
 * an attempt is under way, and is open again after one that failed, until the last (decisions: hosted sessions).
 */

import * as Change from "../kernel/Change.ts"
import * as Decision from "../kernel/Decision.ts"
import { Job } from "../kernel/Job.ts"
import * as Jobs from "../kernel/Jobs.ts"
import * as Callbacks from "../orders/Callbacks.ts"
import { Cvv } from "../orders/Card.ts"
import * as Lifecycle from "../orders/Lifecycle.ts"
import { Order } from "../orders/Order.ts"
import { OrderRequest } from "../orders/OrderRequest.ts"
import type { Continuation } from "../orders/outcomes/OutcomeContext.ts"
import { HostedSession } from "./HostedSession.ts"

/** The operation name of an attempt's record. */
export const attemptOperation = "FORM_ATTEMPT"

/** A hosted session, and the record of its last attempt. */
export interface Form {
  readonly session: HostedSession
  readonly attempt: OrderRequest | undefined
}

/** Whether the customer may try after an attempt that failed now. */
export const mayTryAgain = (session: HostedSession, nowMs: number): boolean =>
  session.endedAtMs === null && session.attempts < session.attemptsAllowed && nowMs < session.expiresAtMs

export interface Next {
  readonly decision: Decision.Decision
  readonly started: ReadonlyArray<Job>
}

/** Returns guards that fail when the order or its session has changed since it was read. */
export const guards = (order: Order, session: HostedSession): ReadonlyArray<Decision.Guard> => [
  Decision.versionIs(Order, [order.orderId], order.version),
  Decision.versionIs(HostedSession, [session.token], session.version)
]

type Outcome = Pick<OrderRequest, "progress" | "errorCode" | "errorMessage">

/** The end of the attempt that the session has under way. */
export const recorded = ({ attempt }: Form, outcome: Outcome, nowMs: number): ReadonlyArray<Decision.Write> =>
  attempt === undefined
    ? []
    : [
        Decision.put(OrderRequest, {
          ...attempt,
          progress: outcome.progress,
          errorCode: outcome.errorCode,
          errorMessage: outcome.errorMessage,
          finishedAtMs: nowMs
        })
      ]

/** An attempt that was made elsewhere: the bank is asked about it, and its answer is the order's. */
export const paidBefore = (
  { order, request, form }: Pick<Moving, "form" | "order" | "request">,
  sequence: number,
  nowMs: number,
  claim: Jobs.Claim | undefined
): Next => {
  const item = Jobs.make({ kind: "bank", subject: request.requestId, merchantId: order.merchantId, nowMs, claim })
  const state = Lifecycle.after(order.state, "send")
  return {
    decision: {
      guards: guards(order, form.session),
      writes: [
        Decision.put(Order, Change.next(order, { state, sequence })),
        Decision.put(OrderRequest, { ...request, sequence, acceptedAtMs: nowMs }),
        Decision.put(HostedSession, Change.next(form.session, { attempts: sequence })),
        Decision.append(Job, item)
      ]
    },
    started: item.token === null ? [] : [item]
  }
}

interface Moving {
  readonly order: Order
  readonly request: OrderRequest
  readonly item: Job
  readonly form: Form
}

/** An attempt failed and there is another one: the order is open again, and nobody is told but the customer. */
export const failed = ({ form, item, order, request }: Moving, outcome: Outcome, nowMs: number): Decision.Decision => ({
  guards: [Decision.leaseOf(item), Decision.versionIs(Order, [order.orderId], order.version)],
  writes: [
    Decision.put(Order, Change.next(order, { state: Lifecycle.after(order.state, "retry") })),
    Decision.put(OrderRequest, { ...request, progress: "moving" }),
    ...recorded(form, outcome, nowMs),
    Decision.put(HostedSession, Change.next(form.session, { paying: 0 })),
    Decision.remove(Job, [item.itemId]),
    Decision.remove(Cvv, [order.orderId])
  ]
})

/** What the order's outcome means for its session and the attempt that led there. */
export const closed = (form: Form, outcome: Outcome, nowMs: number): ReadonlyArray<Decision.Write> => [
  ...(form.session.paying === 1 ? recorded(form, outcome, nowMs) : []),
  Decision.put(HostedSession, Change.next(form.session, { paying: 0, endedAtMs: nowMs })),
  Decision.remove(Job, [Jobs.id("session", form.session.orderId)])
]

/** Ends an open order without a payment: cancelled, out of time, or stopped by a rule of the endpoint. */
export const giveUp = (
  { form, order, request }: Pick<Moving, "form" | "order" | "request">,
  reason: { readonly code: number; readonly message: string; readonly filteredBy?: string | undefined },
  nowMs: number,
  claim: Jobs.Claim | undefined
): Next => {
  const { code, filteredBy, message } = reason
  const outcome: Outcome = {
    progress: filteredBy === undefined ? "declined" : "filtered",
    errorCode: code,
    errorMessage: message
  }
  const ended: OrderRequest = { ...request, ...outcome, finishedAtMs: nowMs }
  const event = filteredBy === undefined ? "abandon" : "filter"
  const news = Callbacks.announce(
    Change.next(order, {
      state: Lifecycle.after(order.state, event),
      errorCode: code,
      errorMessage: message,
      filteredBy: filteredBy ?? null,
      processedAtMs: nowMs
    }),
    ended,
    nowMs,
    claim
  )
  return {
    decision: {
      guards: guards(order, form.session),
      writes: [
        Decision.put(Order, news.order),
        Decision.put(OrderRequest, ended),
        ...closed(form, outcome, nowMs),
        ...news.writes
      ]
    },
    started: news.started
  }
}

/** How a hosted session goes on when a request of its order ends: the customer may pay again, or it is closed. */
export const continuation = (form: Form): Continuation => ({
  guards: [],
  lastTry: form.session.attemptsAllowed,
  onFailure: (context, { nowMs }, failure) =>
    mayTryAgain(form.session, nowMs)
      ? { decision: failed({ ...context, form }, failure, nowMs), started: [], resend: false }
      : undefined,
  onFinal: (request, nowMs) => closed(form, request, nowMs),
  underTry: () => continuation(form)
})
