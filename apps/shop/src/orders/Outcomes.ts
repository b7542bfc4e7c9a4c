/** What the toolkit's results mean for an order: how a flow ended, or what the gateway reported after a callback. */
import type { FlowError } from "@pay/flows/FlowError"
import type { OrderStatus } from "@pay/flows/OrderStatus"
import * as Money from "@pay/schema/Money"
import { Result } from "effect"
import type { Order, Status } from "./Orders.ts"

export type End = Result.Result<OrderStatus, FlowError>

/** Every error of a flow, and the status that it gives the order. */
const statuses: Readonly<Record<FlowError["_tag"], Status>> = {
  Declined: "declined",
  Filtered: "declined",
  NotAuthenticated: "declined",
  Abandoned: "abandoned",
  Failed: "failed",
  Refused: "failed",
  Unreachable: "failed",
  NeverHappened: "failed",
  StillUnknown: "unclear",
  NeedsAPerson: "unclear"
}

/**
 * Returns how uncertain it is whether money has moved, if it is. `unclear`: the gateway can be asked again. `unresolved`: only a
 * person can tell, with the gateway's support.
 */
export const uncertainty = ({ _tag, retryable }: FlowError): "unclear" | "unresolved" | undefined => {
  if (statuses[_tag] !== "unclear") return undefined
  return retryable ? "unclear" : "unresolved"
}

/** Returns the reason of a failure for the people of the shop. */
export const reasonOf = (error: FlowError): string => ("reason" in error ? error.reason : error.message)

export const minor = (amount: string | undefined, currency: string | undefined): number =>
  amount === undefined || currency === undefined ? 0 : Result.getOrElse(Money.toMinor(amount, currency), () => 0)

/** Writes a status into the order. A report may come twice and late, so amounts only grow. */
export const withStatus = (order: Order, status: Status, report?: OrderStatus, reason?: string): Order => {
  if (report === undefined) return { ...order, status, reason }
  const { capturedAmount, currency, lastFour = order.lastFour, orderId, returnedAmount, transactionType } = report
  return {
    ...order,
    status,
    reason,
    gatewayId: orderId,
    capturedMinor: Math.max(order.capturedMinor, minor(capturedAmount, currency)),
    returnedMinor: Math.max(order.returnedMinor, minor(returnedAmount, currency)),
    released: order.released || transactionType === "cancel",
    lastFour
  }
}

/** Writes the end of a flow into the order. */
export const withEnd =
  (end: End) =>
  (order: Order): Order =>
    Result.match(end, {
      onSuccess: (report) => withStatus(order, "approved", report),
      onFailure: (error) =>
        withStatus(order, statuses[error._tag], "order" in error ? error.order : undefined, reasonOf(error))
    })
