/**
 * Approval by a second approver for money that leaves a merchant's balance. The amount is reserved, and nothing is sent until
 * the second approver has approved this order, this amount and this recipient; once, and within a limited time
 * (docs/assumptions.md#second-approver).
 */
import { declines } from "@pay/schema/Decline"
import type * as Hosted from "../../hosted/decide/HostedSession.ts"
import * as Audit from "../../kernel/Audit.ts"
import * as Change from "../../kernel/Change.ts"
import * as Decision from "../../kernel/Decision.ts"
import { Job } from "../../kernel/Job.ts"
import * as Jobs from "../../kernel/Jobs.ts"
import { Order } from "../../orders/record/Order.ts"
import { OrderRequest, type RailRequest } from "../../orders/record/OrderRequest.ts"
import * as PayoutLifecycle from "../../orders/record/PayoutLifecycle.ts"
import { Approval } from "./Approval.ts"
import * as PayoutEnd from "./PayoutEnd.ts"

/** Returns the writes that are committed with an order that starts to wait for an approval. */
export const begin = (request: OrderRequest, nowMs: number, expiresAtMs: number): ReadonlyArray<Decision.Write> => [
  Decision.append(Approval, {
    orderId: request.orderId,
    version: 1,
    merchantId: request.merchantId,
    requestId: request.requestId,
    state: "waiting",
    requestedAtMs: nowMs,
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
  /** The hosted page on which the recipient entered the destination, if there was one. */
  readonly form?: Hosted.Form | undefined
}

/** The approver of a decision, proved by a signature over the statement about the payout. */
export interface SignedDecision {
  readonly approver: string
  readonly signature: string
}

export interface ApprovalMoment {
  readonly nowMs: number
  readonly auditId: string
  readonly claim: (kind: Job["kind"]) => Jobs.Claim | undefined
}

const decided = (
  { approval, order }: ApprovalContext,
  state: "approved" | "rejected",
  { approver, signature }: SignedDecision,
  { auditId, nowMs }: ApprovalMoment
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
 * Approves: the rail is requested to pay, and the request counts as accepted from now on. Undefined if the payout no
 * longer waits, or if its time has passed and its expiry is not recorded yet.
 */
export const approve = (
  context: ApprovalContext,
  textOf: SignedDecision,
  terms: ApprovalMoment
): Decision.Decision | undefined => {
  const { approval, order, request } = context
  const { nowMs } = terms
  const state = PayoutLifecycle.next(order.state, "pay")
  if (state === undefined || nowMs >= approval.expiresAtMs) return undefined
  const claim = terms.claim("rail")
  const job = Jobs.make({ kind: "rail", subject: request.requestId, merchantId: order.merchantId, nowMs, claim })
  return {
    guards: guards(context),
    writes: [
      Decision.put(Order, Change.next(order, { state })),
      Decision.put(OrderRequest, { ...request, acceptedAtMs: nowMs }),
      ...decided(context, "approved", textOf, terms),
      Decision.append(Job, job)
    ]
  }
}

/**
 * Rejects: the reserved amount is released to the merchant, who gets a callback. Undefined if the payout no longer
 * waits.
 */
export const reject = (
  context: ApprovalContext,
  textOf: SignedDecision,
  terms: ApprovalMoment
): Decision.Decision | undefined => {
  const { nowMs } = terms
  const claim = terms.claim("callback")
  const { form, order, request } = context
  const ended = PayoutEnd.giveUp(order, request, "reject", declines.approvalRejected, { nowMs, claim }, form)
  if (ended === undefined) return undefined
  return {
    guards: [...ended.guards, ...guards(context)],
    writes: [...ended.writes, ...decided(context, "rejected", textOf, terms)]
  }
}

/** Returns the write of an approval that expired. */
export const lapsed = (approval: Approval, nowMs: number): ReadonlyArray<Decision.Write> => [
  Decision.put(Approval, Change.next(approval, { state: "lapsed", decidedAtMs: nowMs }))
]
