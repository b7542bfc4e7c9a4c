/** What two operators say became of a request that the bank left `unknown`: one proposes, another confirms. */
import * as Entity from "../../kernel/Entity.ts"

export type StatedOutcome = "approved" | "declined" | "error"

export const Resolution = Entity.make("resolutions", {
  columns: {
    /** The request that is settled. */
    requestId: Entity.text(),
    version: Entity.integer,
    orderId: Entity.text(),
    /** Under which the bank knows it: where the request has gone on, the proposal is void. */
    reference: Entity.text(),
    said: Entity.text<StatedOutcome>(),
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
