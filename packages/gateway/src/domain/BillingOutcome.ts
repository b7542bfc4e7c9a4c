/** What becomes of a recurring payment's charge that failed and is tried again later: pure. Nobody is told yet. */
import * as Change from "../kernel/Change.ts"
import type { Next } from "./Asking.ts"
import * as Billing from "./Billing.ts"
import type { Billed } from "./BillingPlan.ts"
import * as Decision from "./Decision.ts"
import { guards, type Now } from "./Ending.ts"
import { AgendaItem } from "./entities/AgendaItem.ts"
import { Order } from "./entities/Order.ts"
import { OrderRequest } from "./entities/OrderRequest.ts"
import * as Lifecycle from "./Lifecycle.ts"
import type { Held } from "./OutcomeContext.ts"

/** The order is open again, with the reason of the try that failed. */
export const again = (
  held: Held,
  terms: Now,
  billed: Billed,
  atMs: number,
  reason: { readonly errorCode: number; readonly errorMessage: string }
): Next => {
  const { item, order, request } = held
  return {
    decision: {
      guards: guards(held),
      writes: [
        Decision.put(
          Order,
          Change.next(order, {
            ...reason,
            state: Lifecycle.after(order.state, "retry")
          })
        ),
        Decision.put(OrderRequest, { ...request, progress: "moving" }),
        Decision.remove(AgendaItem, [item.itemId]),
        ...Billing.waiting(billed, reason.errorMessage, atMs, terms.nowMs)
      ]
    },
    started: [],
    resend: false
  }
}
