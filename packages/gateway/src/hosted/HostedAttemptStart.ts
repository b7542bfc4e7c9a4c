/** The start of an attempt to pay on a hosted page: the order gets its card, and a record of its own. */

import * as Change from "../kernel/Change.ts"
import * as Decision from "../kernel/Decision.ts"
import { Job } from "../kernel/Job.ts"
import * as Jobs from "../kernel/Jobs.ts"
import { Card, Cvv } from "../orders/Card.ts"
import * as Lifecycle from "../orders/Lifecycle.ts"
import { Order } from "../orders/Order.ts"
import { OrderRequest } from "../orders/OrderRequest.ts"
import type * as Payment from "../orders/Payment.ts"
import { Authentication } from "../threeds/Authentication.ts"
import * as ThreeDSBegin from "../threeds/ThreeDSBegin.ts"
import * as HostedAttempt from "./HostedAttempt.ts"
import { HostedSession } from "./HostedSession.ts"

export interface Entered {
  readonly order: Order
  /** The request that created the order. */
  readonly request: OrderRequest
  readonly session: HostedSession
  /** The authentication of the previous attempt, if there was one. */
  readonly authentication: Authentication | undefined
  readonly attemptId: string
  readonly card: Payment.CardFacts
  readonly sealedPan: Uint8Array
  readonly panHash: string
  readonly sealedCvv: Uint8Array
  readonly threeds: Omit<ThreeDSBegin.Begin, "attempt"> | undefined
  readonly nowMs: number
  readonly claim: Jobs.Claim | undefined
}

/** The customer pays: the order gets its card and goes to the issuer or to the bank. */
export const begin = (entered: Entered): HostedAttempt.Next => {
  const { authentication, claim, nowMs, order, request, session, threeds } = entered
  const { orderId } = order
  const sequence = order.sequence + 1
  const attempts = session.attempts + 1
  const event = threeds === undefined ? "send" : "authenticate"
  const begun =
    threeds === undefined
      ? undefined
      : ThreeDSBegin.begin(order, { ...threeds, attempt: attempts }, nowMs, claim, (authentication?.version ?? 0) + 1)
  const item =
    begun?.item ?? Jobs.make({ kind: "bank", subject: request.requestId, merchantId: order.merchantId, nowMs, claim })
  const moving: OrderRequest = { ...request, sequence, acceptedAtMs: nowMs }
  return {
    decision: {
      guards: HostedAttempt.guards(order, session),
      writes: [
        Decision.put(
          Order,
          Change.next(order, {
            ...entered.card,
            state: Lifecycle.after(order.state, event),
            threeds: begun === undefined ? 0 : 1,
            cvvGiven: 1,
            sequence
          })
        ),
        Decision.put(OrderRequest, moving),
        Decision.append(OrderRequest, {
          ...moving,
          requestId: entered.attemptId,
          operation: HostedAttempt.attemptOperation,
          fingerprint: "",
          callbackUrl: null
        }),
        Decision.put(
          HostedSession,
          Change.next(session, {
            attempts,
            attemptId: entered.attemptId,
            paying: 1
          })
        ),
        Decision.put(Card, {
          cardId: orderId,
          merchantId: order.merchantId,
          sealedPan: entered.sealedPan,
          panHash: entered.panHash,
          createdAtMs: nowMs
        }),
        Decision.put(Cvv, { cardId: orderId, sealed: entered.sealedCvv, createdAtMs: nowMs }),
        ...(begun === undefined ? [] : [Decision.put(Authentication, begun.authentication)]),
        Decision.append(Job, item)
      ]
    },
    started: item.token === null ? [] : [item]
  }
}
