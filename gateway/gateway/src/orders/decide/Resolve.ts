/**
 * Resolves by hand a request whose outcome at the bank stayed `unknown`. Once two operators have stated the same outcome, it
 * is applied by the same decisions as the bank's own answer.
 */

import { declines } from "@pay/schema/Decline"
import { Result } from "effect"
import * as Change from "../../kernel/Change.ts"
import * as Decision from "../../kernel/Decision.ts"
import * as Entity from "../../kernel/Entity.ts"
import type { Order } from "../record/Order.ts"
import { isOfRail, type OrderRequest, referenceOf } from "../record/OrderRequest.ts"
import * as CardAnswer from "./CardAnswer.ts"
import type * as Inquiry from "./Inquiry.ts"
import { isCreation } from "./RequestEnd.ts"

export type StatedOutcome = "approved" | "declined" | "error"

/** The outcome of an unknown request as operators state it: one operator proposes it, another confirms it. */
export const Resolution = Entity.make("resolutions", {
  columns: {
    /** The request whose outcome is stated. */
    requestId: Entity.text(),
    version: Entity.integer,
    orderId: Entity.text(),
    /** The reference of the request at the bank. If the request has another reference by then, the proposal is void. */
    reference: Entity.text(),
    outcome: Entity.text<StatedOutcome>(),
    /** The evidence for the stated outcome, as text. */
    evidence: Entity.text(),
    approvalCode: Entity.textOrNull(),
    processorTxId: Entity.textOrNull(),
    /** The amount that the bank was requested to move. */
    amountMinor: Entity.integer,
    proposedBy: Entity.text(),
    proposedAtMs: Entity.integer,
    confirmedBy: Entity.textOrNull(),
    confirmedAtMs: Entity.integerOrNull,
    /** The operator who withdrew the proposal before it was confirmed. */
    withdrawnBy: Entity.textOrNull(),
    withdrawnAtMs: Entity.integerOrNull
  },
  key: ["requestId"],
  index: { order: ["orderId", "requestId"] }
})
export type Resolution = Entity.Row<typeof Resolution>

/** Whether the proposal waits for its confirmation. */
export const isOpen = ({ confirmedBy, withdrawnBy }: Pick<Resolution, "confirmedBy" | "withdrawnBy">): boolean =>
  confirmedBy === null && withdrawnBy === null

export interface Statement {
  readonly outcome: StatedOutcome
  /** The evidence: who at the bank reported the outcome, and when. */
  readonly evidence: string
  readonly approvalCode: string | null
  /** The bank's identifier of the transaction. */
  readonly processorTxId: string | null
}

/** Why a request cannot be resolved by hand. The text contains what to do. */
export type Obstacle = string

/** Whether the request may be resolved by hand now. */
export const checkRequest = (
  request: OrderRequest,
  nowMs: number,
  resubmitWithinMs: number
): Result.Result<void, Obstacle> => {
  if (request.progress !== "unknown")
    return Result.fail("the bank's answer is not unknown: there is nothing to settle by hand")
  if (request.action === "check") return Result.fail("a check moves no money and is sent again: wait, or let it lapse")
  return nowMs - request.acceptedAtMs <= resubmitWithinMs
    ? Result.fail(
        "it may still be sent to the bank again: propose this 15 minutes after its acceptance (orders.resubmitWithinMs)"
      )
    : Result.void
}

/** Whether the statement contains everything that the request needs. */
export const checkStatement = (
  request: OrderRequest,
  { approvalCode, outcome }: Statement
): Result.Result<void, Obstacle> =>
  outcome === "approved" && isCreation(request) && approvalCode === null
    ? Result.fail("give the approval code that the bank named")
    : Result.void

/** Returns the amount that the request moves, and that an approval books. */
export const askedMinor = (order: Order, request: OrderRequest): number =>
  isOfRail(request) ? order.amountMinor : CardAnswer.askedMinor({ order, request })

/** Returns the proposal of an outcome. `version`: one more than that of an earlier proposal about the request. */
export const proposalOf = (
  order: Order,
  request: OrderRequest,
  stated: Statement,
  by: { readonly proposedBy: string; readonly nowMs: number; readonly version: number }
): Resolution => ({
  ...stated,
  requestId: request.requestId,
  version: by.version,
  orderId: order.orderId,
  reference: referenceOf(request),
  amountMinor: askedMinor(order, request),
  proposedBy: by.proposedBy,
  proposedAtMs: by.nowMs,
  confirmedBy: null,
  confirmedAtMs: null,
  withdrawnBy: null,
  withdrawnAtMs: null
})

/** Returns why this confirmation is not of the proposal, whose digest is given; undefined if it is. */
export const refusalOf = (
  stated: Resolution,
  digest: string,
  confirmation: { readonly as: StatedOutcome; readonly digest: string }
): Obstacle | undefined =>
  stated.outcome !== confirmation.as || digest !== confirmation.digest
    ? "the current proposal differs: read it, then confirm it"
    : undefined

const answerOf = ({ approvalCode, processorTxId, reference, outcome }: Resolution): Inquiry.Answer => {
  switch (outcome) {
    case "approved":
      return { _tag: "Approved", approvalCode: approvalCode ?? "", processorTxId: processorTxId ?? reference }
    case "declined":
      return { _tag: "Declined", code: declines.doNotHonour.code, message: declines.doNotHonour.message }
    case "error":
      return { _tag: "Unsendable" }
  }
}

/**
 * Applies the confirmed statement, if everything that was loaded is unchanged. Only the lease is not required: a process
 * that inquires at the same time loses its job here, and records its answer as evidence.
 */
export const decide = (
  stated: Resolution,
  by: { readonly confirmedBy: string; readonly nowMs: number; readonly audited: Decision.Write },
  /** Decides on an answer with the transitions of the bank or of the rail. */
  settle: (answer: Inquiry.Answer) => Inquiry.Next
): Inquiry.Next => {
  const next = settle(answerOf(stated))
  const confirmed: Resolution = Change.next(stated, {
    confirmedBy: by.confirmedBy,
    confirmedAtMs: by.nowMs
  })
  return {
    ...next,
    decision: {
      guards: [
        ...next.decision.guards.filter(({ _tag }) => _tag !== "LeaseIs"),
        Decision.versionIs(Resolution, [stated.requestId], stated.version)
      ],
      writes: [...next.decision.writes, Decision.put(Resolution, confirmed), by.audited]
    }
  }
}
