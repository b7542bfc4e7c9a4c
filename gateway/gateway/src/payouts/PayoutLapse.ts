/** Expiry of a payout that waits for a person: it ends, and its amount is released to the merchant. */
import { declines } from "@pay/schema/Decline"
import { Clock, Effect } from "effect"
import * as HostedPage from "../hosted/HostedPage.ts"
import * as Decision from "../kernel/Decision.ts"
import { Job } from "../kernel/Job.ts"
import { Scheduler } from "../kernel/Scheduler.ts"
import { Store } from "../kernel/Store.ts"
import type { Order } from "../orders/record/Order.ts"
import { isOfRail, OrderRequest } from "../orders/record/OrderRequest.ts"
import * as PayoutLifecycle from "../orders/record/PayoutLifecycle.ts"
import { Approval } from "./decide/Approval.ts"
import * as PayoutApproval from "./decide/PayoutApproval.ts"
import * as PayoutEnd from "./decide/PayoutEnd.ts"

export const make = Effect.gen(function* () {
  const store = yield* Store
  const scheduler = yield* Scheduler

  const lapse = Effect.fnUntraced(function* (job: Job, order: Order) {
    const lease = Decision.leaseOf(job)
    const approval = PayoutLifecycle.isWaiting(order.state) ? yield* store.load(Approval, [order.orderId]) : undefined
    const request = yield* store.load(OrderRequest, [approval?.requestId ?? order.requestId])
    const form = request === undefined ? undefined : yield* HostedPage.formOf(store, request)
    const nowMs = yield* Clock.currentTimeMillis
    const terms = { nowMs, claim: scheduler.claim(nowMs, "callback", order.merchantId) }
    const ended =
      request !== undefined && isOfRail(request) && PayoutLifecycle.isUnpaid(order.state)
        ? PayoutEnd.giveUp(order, request, "lapse", declines.lapsed, terms, form)
        : undefined
    yield* store.commit({
      guards: [lease, ...(ended?.guards ?? [])],
      writes: [
        Decision.remove(Job, [job.jobId]),
        ...(ended?.writes ?? []),
        ...(approval === undefined ? [] : PayoutApproval.lapsed(approval, nowMs))
      ]
    })
  })

  /** If a guard is lost, the job stays leased. It runs again when the lease expires, and the payout is loaded again. */
  return (job: Job, order: Order): Effect.Effect<void> =>
    Effect.catch(lapse(job, order), (error) => Effect.logDebug("A lapse has to wait", error))
})
