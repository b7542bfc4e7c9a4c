/** Compares a hosted page on which a card pays: the former gateway may have made further attempts on it. */
import { Clock, Effect } from "effect"
import { guards, HostedSession, type OpenPage } from "../hosted/decide/HostedSession.ts"
import * as HostedPage from "../hosted/HostedPage.ts"
import * as Change from "../kernel/Change.ts"
import * as Decision from "../kernel/Decision.ts"
import { Job } from "../kernel/Job.ts"
import * as Jobs from "../kernel/Jobs.ts"
import { Scheduler } from "../kernel/Scheduler.ts"
import { Store } from "../kernel/Store.ts"
import * as Lifecycle from "../orders/record/Lifecycle.ts"
import { Order } from "../orders/record/Order.ts"
import { isOfBank, OrderRequest } from "../orders/record/OrderRequest.ts"
import * as Attempts from "./Attempts.ts"
import type { Comparison } from "./Comparison.ts"

const same: Comparison = { _tag: "Same" }

/** Takes over an attempt: its job inquires, and the answer becomes the order's. A declined attempt opens the page again. */
const paid = (
  { form, order, request }: OpenPage,
  sequence: number,
  page: Job,
  nowMs: number,
  claim: Jobs.Claim | undefined
): Decision.Decision => {
  const job = Jobs.make({ kind: "bank", subject: request.requestId, merchantId: order.merchantId, nowMs, claim })
  return {
    guards: guards(order, form.session),
    writes: [
      Decision.put(Order, Change.next(order, { state: Lifecycle.after(order.state, "send"), sequence })),
      Decision.put(OrderRequest, { ...request, sequence, acceptedAtMs: nowMs }),
      Decision.put(HostedSession, Change.next(form.session, { attempts: sequence })),
      Decision.append(Job, job),
      Decision.put(Job, Jobs.later(page, nowMs))
    ]
  }
}

export const make = Effect.fnUntraced(function* (startedAtMs: number) {
  const store = yield* Store
  const scheduler = yield* Scheduler
  const attempts = yield* Attempts.make(startedAtMs)

  return Effect.fnUntraced(function* (job: Job, order: Order) {
    const request = yield* store.load(OrderRequest, [order.requestId])
    const form = request === undefined ? undefined : yield* HostedPage.formOf(store, request)
    const isOpen = Lifecycle.next(order.state, "abandon") !== undefined
    if (request === undefined || form === undefined || !isOfBank(request) || !isOpen) return same
    const outcome = yield* attempts.between(
      order,
      request,
      [request.sequence + 1, form.session.maxAttempts],
      "approval"
    )
    if (outcome._tag === "NeverMade") return same
    if (outcome._tag === "Unclear") return outcome
    const nowMs = yield* Clock.currentTimeMillis
    const claim = scheduler.claim(nowMs, "bank", order.merchantId)
    const decision = paid({ order, request, form }, outcome.sequence, job, nowMs, claim)
    return { _tag: "Becomes", decision } satisfies Comparison
  })
})
