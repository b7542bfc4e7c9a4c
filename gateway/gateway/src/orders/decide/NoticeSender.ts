/** Whether a notification of a bank can be about a payment: by the acquirer and the terminal that it is of, and by its currency. */
import * as Terminal from "../../merchants/Terminal.ts"
import type { Order } from "../record/Order.ts"

interface Notice {
  readonly mid?: string | undefined
  readonly currency?: string | undefined
}

/** Returns what differs from the payment, as the end of a sentence; undefined if nothing does. */
export const problemOf = (order: Order, acquirer: string, { currency, mid }: Notice): string | undefined => {
  const own = Terminal.acquirerOf(order)
  const ownMid = Terminal.otherMid(order.terminal, mid)
  if (acquirer !== own) return `it is of the acquirer ${acquirer}, and the payment is of ${own}`
  if (ownMid !== undefined) return `it is of the terminal ${mid}, and the payment is of ${ownMid}`
  return currency === undefined || currency === order.currency
    ? undefined
    : `it is in ${currency}, and the payment is in ${order.currency}`
}
