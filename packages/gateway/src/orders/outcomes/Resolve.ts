/**
 * Settling by hand what the bank left `unknown`: it goes through the same table as the bank's own answer, once two operators
 * have said the same.
 */

import { declines } from "@pay/schema/Decline"
import { Result } from "effect"
import * as Change from "../../kernel/Change.ts"
import * as Decision from "../../kernel/Decision.ts"
import * as Entity from "../../kernel/Entity.ts"
import type { AttemptReference } from "../Booking.ts"
import type { Order } from "../Order.ts"
import { isOfRail, type OrderRequest } from "../OrderRequest.ts"
import * as CardAnswer from "./CardAnswer.ts"
import { isCreation } from "./Ending.ts"
import type * as Inquiry from "./Inquiry.ts"

export type StatedOutcome = "approved" | "declined" | "error"

/** The column of the outcome; the database has it under this name. */
export const outcomeColumn = "said"

/** What two operators say became of a request that the bank left `unknown`: one proposes, another confirms. */
export const Resolution = Entity.make("resolutions", {
  columns: {
    /** The request that is settled. */
    requestId: Entity.text(),
    version: Entity.integer,
    orderId: Entity.text(),
    /** Under which the bank knows it: where the request has gone on, the proposal is void. */
    reference: Entity.text(),
    [outcomeColumn]: Entity.text<StatedOutcome>(),
    /** What the proposal rests on, in words. */
    evidence: Entity.text(),
    approvalCode: Entity.textOrNull(),
    processorTxId: Entity.textOrNull(),
    /** What the bank was asked to move; null of one that was proposed before this was kept. */
    amountMinor: Entity.integerOrNull,
    proposedBy: Entity.text(),
    proposedAtMs: Entity.integer,
    confirmedBy: Entity.textOrNull(),
    confirmedAtMs: Entity.integerOrNull
  },
  key: ["requestId"],
  index: { order: ["orderId", "requestId"] }
})
export type Resolution = Entity.Row<typeof Resolution>

export interface Statement {
  readonly outcome: StatedOutcome
  /** What it rests on: who at the bank said so, when. */
  readonly evidence: string
  readonly approvalCode: string | null
  /** The bank's own number of the transaction. */
  readonly processorTxId: string | null
}

/** Why it cannot be settled by hand; the text says what to do. */
export type Obstacle = string

/** Whether this request may be settled by hand now. */
export const checkRequest = (
  request: OrderRequest,
  nowMs: number,
  resubmitWithinMs: number
): Result.Result<void, Obstacle> => {
  if (request.progress !== "unknown")
    return Result.fail("the bank's answer is not unknown: there is nothing to settle by hand")
  if (request.action === "check") return Result.fail("a check moves no money and is asked anew: wait, or let it lapse")
  return nowMs - request.acceptedAtMs <= resubmitWithinMs
    ? Result.fail(
        "it may still be sent to the bank again: propose this 15 minutes after its acceptance (orders.resubmitWithinMs)"
      )
    : Result.void
}

/** Whether the statement is enough for what the request asked. */
export const checkStatement = (
  request: OrderRequest,
  { approvalCode, outcome }: Statement
): Result.Result<void, Obstacle> =>
  outcome === "approved" && isCreation(request) && approvalCode === null
    ? Result.fail("give the approval code that the bank named")
    : Result.void

/** Under which the bank, or the payout rail, knows what is asked of it now. */
export const reference = (request: OrderRequest): AttemptReference =>
  CardAnswer.reference(request, request.action === "refundThenCancel" ? "refund" : request.action)

/** What it is about: an approval books so much. */
export const askedMinor = (order: Order, request: OrderRequest): number =>
  isOfRail(request) ? order.amountMinor : CardAnswer.askedMinor({ order, request })

const answerOf = ({ approvalCode, processorTxId, reference, [outcomeColumn]: outcome }: Resolution): Inquiry.Answer => {
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
 * What the confirmed statement does, as long as all that was read still stands. Only no lease is needed: whoever asks the
 * bank meanwhile holds the item that ends here, so that what they hear becomes evidence.
 */
export const decide = (
  stated: Resolution,
  by: { readonly confirmedBy: string; readonly nowMs: number; readonly audited: Decision.Write },
  /** The table of whoever was asked: the bank's or the rail's. */
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
