/** The plan of payout-pay for a checked payout: it is paid exactly once (docs/specification.md#transactions). */

import { Result } from "effect"
import * as Answer from "../../kernel/Answer.ts"
import * as Change from "../../kernel/Change.ts"
import * as Decision from "../../kernel/Decision.ts"
import { Job } from "../../kernel/Job.ts"
import * as Jobs from "../../kernel/Jobs.ts"
import type * as FollowUp from "../../orders/decide/FollowUp.ts"
import * as Lifecycle from "../../orders/record/Lifecycle.ts"
import type { Order } from "../../orders/record/Order.ts"
import * as PayoutLifecycle from "../../orders/record/PayoutLifecycle.ts"
import * as PayoutApproval from "./PayoutApproval.ts"

export interface PlanTimes {
  readonly nowMs: number
  /** Time until which a second approver may approve; undefined if no approval is needed. */
  readonly approvalUntilMs: number | undefined
}

/**
 * Pays a payout that payout-check registered, at once or after a second approver has approved it. The check no longer
 * expires.
 */
export const pay = (
  order: Order,
  { approvalUntilMs, nowMs }: PlanTimes
): Result.Result<FollowUp.Plan, Answer.Refusal> => {
  if (order.kind !== "payout") return Answer.refusal("orderState", `Order ${order.orderId} is no payout`)
  if (PayoutLifecycle.isChecking(order.state)) {
    return Answer.refusal(
      "orderState",
      "The recipient is still being checked; ask status and try again once it is done"
    )
  }
  const event = approvalUntilMs === undefined ? "pay" : "wait"
  const state = PayoutLifecycle.isChecked(order.state) ? PayoutLifecycle.next(order.state, event) : undefined
  if (state === undefined) {
    const { wire } = Lifecycle.states[order.state]
    return Answer.refusal("orderState", `Order ${order.orderId} is no payout-check that waits to be paid (${wire})`)
  }
  return Result.succeed({
    action: "pay",
    amountMinor: order.amountMinor,
    hasAmount: 0,
    order: Change.next(order, { state, sequence: order.sequence + 1 }),
    waits: approvalUntilMs !== undefined,
    writes: (request) =>
      approvalUntilMs === undefined
        ? [Decision.remove(Job, [Jobs.id("lapse", order.orderId)])]
        : PayoutApproval.begin(request, nowMs, approvalUntilMs)
  })
}
