/**
 * Decides about payment attempts on a hosted page, as pure functions. A page has a limited number of attempts, one at a time.
 * During an attempt the order moves like any other order. A failed attempt opens it again, except the last one
 * (docs/assumptions.md#hosted-pages).
 */

import * as Change from "../../kernel/Change.ts"
import * as Decision from "../../kernel/Decision.ts"
import { Job } from "../../kernel/Job.ts"
import * as Jobs from "../../kernel/Jobs.ts"
import * as Callbacks from "../../orders/decide/Callbacks.ts"
import type { Continuation } from "../../orders/decide/OutcomeContext.ts"
import { Card, Cvv } from "../../orders/record/Card.ts"
import * as Lifecycle from "../../orders/record/Lifecycle.ts"
import { Order } from "../../orders/record/Order.ts"
import { OrderRequest } from "../../orders/record/OrderRequest.ts"
import type * as Payment from "../../orders/record/Payment.ts"
import { Authentication } from "../../threeds/decide/Authentication.ts"
import * as ThreeDSBegin from "../../threeds/decide/ThreeDSBegin.ts"
import * as Hosted from "./HostedSession.ts"

/** The customer's entry, and what the attempt needs beside it. */
export interface AttemptInput {
  readonly card: Payment.CardFacts
  readonly encryptedPan: Uint8Array
  readonly panHash: string
  readonly encryptedCvv: Uint8Array
  /** The authentication of the previous attempt, if there was one. */
  readonly authentication: Authentication | undefined
  readonly threeds: Omit<ThreeDSBegin.Begin, "attempt"> | undefined
  readonly attemptId: string
  readonly nowMs: number
  readonly claim: Jobs.Claim | undefined
}

/** Begins an attempt: the order gets its card, and goes to the issuer or to the bank. */
export const begin = (page: Hosted.OpenPage, input: AttemptInput): Decision.Decision => {
  const { authentication, claim, nowMs, threeds } = input
  const { order, request } = page
  const { session } = page.form
  const { merchantId, orderId } = order
  const sequence = order.sequence + 1
  const attempt = session.attempts + 1
  const event = threeds === undefined ? "send" : "authenticate"
  const newAuthentication =
    threeds === undefined
      ? undefined
      : ThreeDSBegin.begin(order, { ...threeds, attempt }, nowMs, claim, (authentication?.version ?? 0) + 1)
  const job =
    newAuthentication?.job ?? Jobs.make({ kind: "bank", subject: request.requestId, merchantId, nowMs, claim })
  return {
    guards: Hosted.guards(order, session),
    writes: [
      Decision.put(
        Order,
        Change.next(order, {
          ...input.card,
          state: Lifecycle.after(order.state, event),
          hasAuthentication: newAuthentication === undefined ? 0 : 1,
          hasCvv: 1,
          sequence
        })
      ),
      ...Hosted.beginAttempt(
        session,
        { ...request, sequence, processorTxId: null, acceptedAtMs: nowMs },
        input.attemptId
      ),
      Decision.put(Card, {
        cardId: orderId,
        merchantId,
        encryptedPan: input.encryptedPan,
        panHash: input.panHash,
        createdAtMs: nowMs
      }),
      Decision.put(Cvv, { cardId: orderId, encryptedCvv: input.encryptedCvv, createdAtMs: nowMs }),
      ...(newAuthentication === undefined ? [] : [Decision.put(Authentication, newAuthentication.authentication)]),
      Decision.append(Job, job)
    ]
  }
}

/** Ends an open order without a payment, because it was cancelled, its time is over, or a rule of the endpoint stopped it. */
export const giveUp = (
  { form, order, request }: Hosted.OpenPage,
  { code, filteredBy, message }: Hosted.EndReason,
  nowMs: number,
  claim: Jobs.Claim | undefined
): Decision.Decision => {
  const progress = filteredBy === undefined ? "declined" : "filtered"
  const reason = { errorCode: code, errorMessage: message } as const
  const ended: OrderRequest = { ...request, ...reason, progress, finishedAtMs: nowMs }
  const announced = Callbacks.enqueue(
    Change.next(order, {
      ...reason,
      state: Lifecycle.after(order.state, filteredBy === undefined ? "abandon" : "filter"),
      filteredBy: filteredBy ?? null,
      processedAtMs: nowMs
    }),
    ended,
    nowMs,
    claim
  )
  return {
    guards: Hosted.guards(order, form.session),
    writes: [
      Decision.put(Order, announced.order),
      Decision.put(OrderRequest, ended),
      ...Hosted.closePage(form, ended, nowMs),
      ...announced.writes
    ]
  }
}

/**
 * The {@link Continuation} of a hosted session when a request of its order ends: the customer may pay again, or the session is
 * closed.
 */
export const continuation = (form: Hosted.Form): Continuation => ({
  guards: [],
  lastAttempt: form.session.maxAttempts,
  onFailure: ({ job, order, request }, { nowMs }, failure) =>
    Hosted.mayTryAgain(form.session, nowMs)
      ? {
          // The order is open again. Only the customer learns this: there is no callback.
          decision: {
            guards: [Decision.leaseOf(job), Decision.versionIs(Order, [order.orderId], order.version)],
            writes: [
              Decision.put(Order, Change.next(order, { state: Lifecycle.after(order.state, "retry") })),
              ...Hosted.reopenPage(form, request, failure, nowMs),
              Decision.remove(Job, [job.jobId]),
              Decision.remove(Cvv, [order.orderId])
            ]
          },
          started: [],
          resend: false
        }
      : undefined,
  onFinal: (request, nowMs) => Hosted.closePage(form, request, nowMs)
})
