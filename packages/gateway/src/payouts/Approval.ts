/** A payout that waits for its second approver, and what became of it: one row per order that ever waited. */
import * as Entity from "../kernel/Entity.ts"

export type ApprovalState = "waiting" | "approved" | "rejected" | "lapsed"

export const Approval = Entity.make("approvals", {
  columns: {
    orderId: Entity.text(),
    version: Entity.integer,
    merchantId: Entity.text(),
    /** The request whose payment waits. */
    requestId: Entity.text(),
    state: Entity.text<ApprovalState>(),
    askedAtMs: Entity.integer,
    expiresAtMs: Entity.integer,
    /** The approver who decided, and the signature over what they saw. Both are null without a decision. */
    approver: Entity.textOrNull(),
    signature: Entity.textOrNull(),
    decidedAtMs: Entity.integerOrNull
  },
  key: ["orderId"],
  index: { waiting: ["merchantId", "state", "askedAtMs", "orderId"] }
})
export type Approval = Entity.Row<typeof Approval>

/** What each state means for who looks at the approval. */
const states: Readonly<Record<ApprovalState, { readonly waiting: boolean }>> = {
  waiting: { waiting: true },
  approved: { waiting: false },
  rejected: { waiting: false },
  lapsed: { waiting: false }
}

/** Whether a decision is missing and the approval is not known to have lapsed. */
export const isWaiting = ({ state }: Pick<Approval, "state">): boolean => states[state].waiting
