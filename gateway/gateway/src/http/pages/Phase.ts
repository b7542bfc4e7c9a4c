/** The phase of an order that a page shows. It is derived from the lifecycle, and uses only terms for customers. */
import { declines } from "@pay/schema/Decline"
import type { HostedSession } from "../../hosted/decide/HostedSession.ts"
import * as Lifecycle from "../../orders/record/Lifecycle.ts"
import type { Order } from "../../orders/record/Order.ts"
import * as PayoutLifecycle from "../../orders/record/PayoutLifecycle.ts"
import type { State } from "./StatePage.ts"

export type Phase = State | "open" | "issuer" | "waiting" | "unknown"

/**
 * Declines with a phase of their own, which are not the bank's. All declines of banks look the same to the customer, because the
 * bank's reason is for the merchant only.
 */
const declined: ReadonlyMap<number | null, State> = new Map<number | null, State>([
  [declines.notAuthenticated.code, "unconfirmed"],
  [declines.cancelledByCustomer.code, "cancelled"],
  [declines.sessionExpired.code, "expired"]
])

export const ofOrder = (order: Order): State | "waiting" | "unknown" => {
  if (PayoutLifecycle.isWaiting(order.state)) return "received"
  switch (Lifecycle.states[order.state].wire) {
    case "approved":
      return order.kind === "verification" ? "verified" : "approved"
    case "declined":
      return declined.get(order.errorCode) ?? "refused"
    case "filtered":
      return "refused"
    case "error":
      return "failed"
    case "unknown":
      return "unknown"
    case "processing":
      return "waiting"
  }
}

/** The smallest code of a bank's decline. Smaller ones are the gateway's own reasons. */
const firstOfBanks = 100

/** Returns why the last attempt failed, for the notice on the page that asks for another entry. */
export const ofAttempt = (errorCode: number | null): "refused" | "unconfirmed" | "failed" => {
  if (errorCode === declines.notAuthenticated.code) return "unconfirmed"
  return errorCode === null || errorCode >= firstOfBanks ? "refused" : "failed"
}

/** Whether the page still needs an entry. */
const isOpen = ({ kind, state }: Order): boolean =>
  (kind === "payout" ? PayoutLifecycle.next(state, "abandon") : Lifecycle.next(state, "abandon")) !== undefined

/**
 * Returns the phase of a hosted session, which also shows whether an entry is possible or the customer has to go to the issuer.
 */
export const ofSession = (order: Order, session: HostedSession, nowMs: number): Phase => {
  if (isOpen(order)) return nowMs < session.expiresAtMs ? "open" : "waiting"
  return Lifecycle.next(order.state, "reject") === undefined ? ofOrder(order) : "issuer"
}

/** Whether the payment has an outcome, which no longer changes. */
export const isState = (phase: Phase): phase is State =>
  phase !== "open" && phase !== "issuer" && phase !== "waiting" && phase !== "unknown"
