/** Creates a recurring payment, in the commit of its first order: the first charge, or the verification of its card. */

import * as Decision from "../../kernel/Decision.ts"
import type * as Register from "../../orders/decide/Register.ts"
import type { Order } from "../../orders/record/Order.ts"
import * as Billing from "./Billing.ts"
import { Occurrence, Subscription } from "./Subscription.ts"

/** The columns of the recurring payment that its order does not have. */
export type NewSubscription = Pick<
  Subscription,
  | "subscriptionId"
  | "amountMinor"
  | "period"
  | "interval"
  | "anchorDay"
  | "finishDay"
  | "occurrences"
  | "timeZone"
  | "encryptedPan"
  | "panHash"
  | "schemeReference"
  | "country"
  | "chargeNumberBase"
  | "chargeNumbersUntil"
>

const rowOf = (input: NewSubscription, order: Order): Subscription => ({
  ...input,
  version: 1,
  merchantId: order.merchantId,
  endpointId: order.endpointId,
  orderId: order.orderId,
  clientOrderId: order.clientOrderId,
  state: "starting",
  reasonCode: null,
  reasonMessage: null,
  paused: 0,
  currency: order.currency,
  next: 0,
  bin: order.bin,
  lastFour: order.lastFour,
  cardType: order.cardType,
  cardholder: order.cardholder,
  expireMonth: order.expireMonth,
  expireYear: order.expireYear,
  description: order.description,
  email: order.email,
  phone: order.phone,
  ipAddress: order.ipAddress,
  callbackUrl: order.callbackUrl,
  notifyUrl: order.notifyUrl,
  callbackFormat: order.callbackFormat,
  eventCount: 0,
  createdAtMs: order.createdAtMs
})

/** Returns occurrence 0 for a first charge; undefined for a verification. */
const firstOf = (
  { anchorDay, subscriptionId }: NewSubscription,
  order: Order,
  nowMs: number
): Occurrence | undefined =>
  order.kind === "verification"
    ? undefined
    : {
        subscriptionId,
        n: 0,
        day: anchorDay,
        progress: "charging",
        orderId: order.orderId,
        attempts: 1,
        firstAtMs: nowMs,
        nextTryAtMs: null,
        reason: null,
        endedAtMs: null
      }

/**
 * Adds the recurring payment to the commit of its order. If a rule of the endpoint stops the order, the recurring payment is
 * committed as failed.
 */
export const decide = (input: NewSubscription, registered: Register.Registered, nowMs: number): Register.Registered => {
  const { decision, order } = registered
  const subscription = rowOf(input, order)
  const occurrence = firstOf(input, order, nowMs)
  const writes =
    order.filteredBy === null
      ? [
          Decision.append(Subscription, subscription),
          ...(occurrence === undefined ? [] : [Decision.append(Occurrence, occurrence)])
        ]
      : Billing.conclude(
          { subscription, occurrence },
          Billing.chargeOutcomeOf({ ...order, progress: "filtered" }),
          nowMs
        )
  return { ...registered, decision: { ...decision, writes: [...decision.writes, ...writes] } }
}
