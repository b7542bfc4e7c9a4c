/** The approval of a payout by a second approver, and its result: one row per order that needed one. */
import * as Entity from "../../kernel/Entity.ts"

export type ApprovalState = "waiting" | "approved" | "rejected" | "lapsed"

export const Approval = Entity.make("approvals", {
  columns: {
    orderId: Entity.text(),
    version: Entity.integer,
    merchantId: Entity.text(),
    /** The request whose payment waits for the approval. */
    requestId: Entity.text(),
    state: Entity.text<ApprovalState>(),
    requestedAtMs: Entity.integer,
    expiresAtMs: Entity.integer,
    /**
     * The approver who decided, and the signature over the statement about the payout. Both are null without a
     * decision.
     */
    approver: Entity.textOrNull(),
    signature: Entity.textOrNull(),
    decidedAtMs: Entity.integerOrNull
  },
  key: ["orderId"],
  index: {
    waiting: ["merchantId", "state", "requestedAtMs", "orderId"],
    state: ["state", "requestedAtMs", "orderId"]
  }
})
export type Approval = Entity.Row<typeof Approval>

/** Properties of each state. */
const states: Readonly<Record<ApprovalState, { readonly waiting: boolean }>> = {
  waiting: { waiting: true },
  approved: { waiting: false },
  rejected: { waiting: false },
  lapsed: { waiting: false }
}

/** Whether there is no decision yet and no expiry has been recorded. */
export const isWaiting = ({ state }: Pick<Approval, "state">): boolean => states[state].waiting
