/**
 * Two people for money that leaves a merchant's balance: the amount is held, and nothing is sent until a second one has
 * agreed to this order, this amount and this recipient; once, and within a day (decisions: second approver).
 */
import { declines } from "@pay/schema/Decline"
import type * as Hosted from "../hosted/HostedSession.ts"
import * as Audit from "../kernel/Audit.ts"
import * as Change from "../kernel/Change.ts"
import * as Decision from "../kernel/Decision.ts"
import { Job } from "../kernel/Job.ts"
import * as Jobs from "../kernel/Jobs.ts"
import { Order } from "../orders/Order.ts"
import { OrderRequest, type RailRequest } from "../orders/OrderRequest.ts"
import * as PayoutLifecycle from "../orders/PayoutLifecycle.ts"
import { Approval } from "./Approval.ts"
import * as PayoutEnd from "./PayoutEnd.ts"

/** What is written beside an order that begins to wait. */
export const begin = (request: OrderRequest, nowMs: number, expiresAtMs: number): ReadonlyArray<Decision.Write> => [
  Decision.append(Approval, {
    orderId: request.orderId,
    version: 1,
    merchantId: request.merchantId,
    requestId: request.requestId,
    state: "waiting",
    askedAtMs: nowMs,
    expiresAtMs,
    approver: null,
    signature: null,
    decidedAtMs: null
  }),
  Decision.put(
    Job,
    Jobs.make({ kind: "lapse", subject: request.orderId, merchantId: request.merchantId, nowMs, dueAtMs: expiresAtMs })
  )
]

export interface ApprovalContext {
  readonly order: Order
  readonly request: RailRequest
  readonly approval: Approval
  /** The hosted page on which the recipient named the destination, if there was one. */
  readonly form?: Hosted.Form | undefined
}

/** The approver of a decision, proved by a signature over what they saw. */
export interface SignedDecision {
  readonly approver: string
  readonly signature: string
}

export interface Terms {
  readonly nowMs: number
  readonly auditId: string
  readonly claim: (kind: Job["kind"]) => Jobs.Claim | undefined
}

export interface Next {
  readonly decision: Decision.Decision
  /** Jobs that the decision claims for this process. */
  readonly started: ReadonlyArray<Job>
}

const decided = (
  { approval, order }: ApprovalContext,
  state: "approved" | "rejected",
  { approver, signature }: SignedDecision,
  { auditId, nowMs }: Terms
): ReadonlyArray<Decision.Write> => [
  Decision.put(
    Approval,
    Change.next(approval, {
      state,
      approver,
      signature,
      decidedAtMs: nowMs
    })
  ),
  Decision.remove(Job, [Jobs.id("lapse", order.orderId)]),
  Audit.entry({
    auditId,
    atMs: nowMs,
    actor: `approver:${approver}`,
    action: state === "approved" ? "payout.approve" : "payout.reject",
    subject: { kind: "order", id: order.orderId },
    detail: { amountMinor: order.amountMinor, currency: order.currency, signature }
  })
]

const guards = ({ approval, order }: ApprovalContext): ReadonlyArray<Decision.Guard> => [
  Decision.versionIs(Order, [order.orderId], order.version),
  Decision.versionIs(Approval, [order.orderId], approval.version)
]

/**
 * The rail is asked to pay; the request counts as accepted only now. Undefined where it no longer waits, or its time is
 * over and only nobody has come to end it.
 */
export const approve = (context: ApprovalContext, textOf: SignedDecision, terms: Terms): Next | undefined => {
  const { approval, order, request } = context
  const { nowMs } = terms
  const state = PayoutLifecycle.next(order.state, "pay")
  if (state === undefined || nowMs >= approval.expiresAtMs) return undefined
  const claim = terms.claim("rail")
  const item = Jobs.make({ kind: "rail", subject: request.requestId, merchantId: order.merchantId, nowMs, claim })
  return {
    decision: {
      guards: guards(context),
      writes: [
        Decision.put(Order, Change.next(order, { state })),
        Decision.put(OrderRequest, { ...request, acceptedAtMs: nowMs }),
        ...decided(context, "approved", textOf, terms),
        Decision.append(Job, item)
      ]
    },
    started: claim === undefined ? [] : [item]
  }
}

/** The amount is the merchant's again, who is told. */
export const reject = (context: ApprovalContext, textOf: SignedDecision, terms: Terms): Next | undefined => {
  const { nowMs } = terms
  const claim = terms.claim("callback")
  const { form, order, request } = context
  const ended = PayoutEnd.giveUp(order, request, "reject", declines.approvalRejected, { nowMs, claim }, form)
  if (ended === undefined) return undefined
  return {
    decision: {
      guards: [...ended.decision.guards, ...guards(context)],
      writes: [...ended.decision.writes, ...decided(context, "rejected", textOf, terms)]
    },
    started: ended.started
  }
}

/** What is written beside an order whose time to be approved is over. */
export const lapsed = (approval: Approval, nowMs: number): ReadonlyArray<Decision.Write> => [
  Decision.put(Approval, Change.next(approval, { state: "lapsed", decidedAtMs: nowMs }))
]
