/**
 * The value of `transaction-type` on the wire for an order or one of its requests, in its current state
 * (docs/assumptions.md#one-order-its-whole-life).
 */
import type { TransactionType } from "@pay/schema/TransactionType"
import * as Actions from "../record/Actions.ts"
import * as Lifecycle from "../record/Lifecycle.ts"
import type { Order } from "../record/Order.ts"
import type { OrderRequest } from "../record/OrderRequest.ts"
import { isChargedBack, isRefunded } from "./FollowUp.ts"

const ofKind: Readonly<Record<Order["kind"], TransactionType>> = {
  sale: "sale",
  preauth: "preauth",
  verification: "account_verification",
  transfer: "transfer",
  eligibility: "pan_eligibility",
  payout: "payout",
  deposit: "transfer"
}

export const ofOrder = (order: Order): TransactionType => {
  if (isChargedBack(order)) return "chargeback"
  if (Lifecycle.isVoided(order.state)) return "cancel"
  if (isRefunded(order)) return "reversal"
  return order.kind === "preauth" && order.capturedMinor > 0 ? "capture" : ofKind[order.kind]
}

/**
 * Returns the type of a request. The return of a partly captured preauth stays a reversal while it releases the hold after its
 * refund. If the bank does not release the hold, the type is that of the release, because the refund did not fail.
 */
export const ofRequest = (request: OrderRequest, order: Order): TransactionType => {
  const { action, operation, progress } = request
  if (!Actions.isFollowUp(action)) return ofKind[order.kind]
  const failed = progress === "declined" || progress === "error"
  return operation === "RETURN" && order.capturedMinor > 0 && !failed ? "reversal" : Actions.facts[action].type
}
