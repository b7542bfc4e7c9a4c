/** The actions on an existing order: what each one changes, and when a request repeats an earlier one. */

import type * as PayApi from "@pay/schema/PayApi"
import type { Result } from "effect"
import type { Refusal } from "../../kernel/Answer.ts"
import type { Order } from "../record/Order.ts"
import * as FollowUp from "./FollowUp.ts"

export interface ActRules extends FollowUp.AmountRules {
  readonly nowMs: number
}

/** Operations that name an order and move its money. */
export const names = ["CAPTURE", "VOID", "RETURN", "PAYOUT_V4_PAY"] as const satisfies ReadonlyArray<PayApi.Name>
export type Name = (typeof names)[number]

/** The change that an operation requests of an order. */
export interface Act {
  readonly name: Name
  readonly plan: (
    order: Order,
    askedMinor: number | undefined,
    rules: ActRules
  ) => Result.Result<FollowUp.Plan, Refusal>
  /**
   * True: every later request of this operation on the order counts as a repetition, because the action can be done only once.
   */
  readonly once: boolean
  /** Returns the amount that leaves nothing for a further request of this operation on the order. */
  readonly wholeMinor?: (order: Order) => number
  /** Returns the amount that a further request of this operation may move. */
  readonly leftMinor?: (order: Order) => number
}

export const capture: Act = {
  name: "CAPTURE",
  plan: FollowUp.capture,
  once: false,
  wholeMinor: ({ authorizedMinor }) => authorizedMinor,
  leftMinor: FollowUp.capturableMinor
}
export const voidHold: Act = { name: "VOID", plan: FollowUp.voidHold, once: false }
export const refund: Act = {
  name: "RETURN",
  plan: FollowUp.refund,
  once: false,
  wholeMinor: ({ capturedMinor }) => capturedMinor,
  leftMinor: FollowUp.refundableMinor
}
