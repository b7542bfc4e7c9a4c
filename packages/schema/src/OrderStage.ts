/**
 * The finer state that `status` returns as `order-stage`: transaction type and step, as in the public samples `sale_approved` and
 * `sale_3d_validating`. Two-step payouts and approvals have stages of their own.
 */
import type { Status } from "./Status.ts"
import type { TransactionType } from "./TransactionType.ts"

/** The second part of a stage: a status, or a finer step. */
export type Step = Status | "3d_validating" | "3d_validated" | "cancelled" | "expired"

/** Returns the stage of a transaction type and a step: `sale_approved`. */
export const make = (type: TransactionType, step: Step): string => `${type}_${step}`

/** The stage of a payout-check that was accepted and waits for its payout-pay. */
export const payoutChecked = "payout_checked"

/** The stage of a payout that waits for the second approver. */
export const payoutWaitingApproval = "payout_waiting_approval"
