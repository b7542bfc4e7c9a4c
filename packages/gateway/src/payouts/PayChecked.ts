/** `payout-pay`: pays what a payout-check has registered, at once or when a second person agrees. */
import { Effect } from "effect"
import * as EndpointRules from "../merchants/EndpointRules.ts"
import * as ActOnOrder from "../orders/ActOnOrder.ts"
import * as PayoutPlan from "./PayoutPlan.ts"

export const make = Effect.gen(function* () {
  const approvalUntilMs = yield* EndpointRules.approvalUntilMs
  return yield* ActOnOrder.make({
    name: "PAYOUT_V4_PAY",
    plan: (order, _, { nowMs }) =>
      PayoutPlan.pay(order, { nowMs, approvalUntilMs: approvalUntilMs(order.endpointId, nowMs) }),
    once: true
  })
})
