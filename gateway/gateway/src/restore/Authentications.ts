/** Compares a payment that is in 3-D Secure: the former gateway may have finished that, and have sent the payment to the bank. */
import { Clock, Effect } from "effect"
import * as Change from "../kernel/Change.ts"
import * as Decision from "../kernel/Decision.ts"
import { Job } from "../kernel/Job.ts"
import * as Jobs from "../kernel/Jobs.ts"
import { Scheduler } from "../kernel/Scheduler.ts"
import { Store } from "../kernel/Store.ts"
import * as Continuations from "../orders/outcomes/Continuations.ts"
import * as Lifecycle from "../orders/record/Lifecycle.ts"
import { Order } from "../orders/record/Order.ts"
import { isOfBank, OrderRequest } from "../orders/record/OrderRequest.ts"
import { Authentication } from "../threeds/decide/Authentication.ts"
import * as Attempts from "./Attempts.ts"
import type { Comparison } from "./Comparison.ts"

const same: Comparison = { _tag: "Same" }

export const make = Effect.fnUntraced(function* (startedAtMs: number) {
  const store = yield* Store
  const scheduler = yield* Scheduler
  const attempts = yield* Attempts.make(startedAtMs)
  const continuations = yield* Continuations.Continuations

  return Effect.fnUntraced(function* (job: Job) {
    const order = yield* store.load(Order, [job.subject])
    const request = order === undefined ? undefined : yield* store.load(OrderRequest, [order.requestId])
    const authentication = yield* store.load(Authentication, [job.subject])
    if (order === undefined || request === undefined || authentication === undefined || !isOfBank(request)) return same
    if (Lifecycle.next(order.state, "reject") === undefined) return same
    const continuation = yield* Continuations.load(continuations, store, order, request)
    const last = Math.max(request.sequence, continuation?.lastAttempt ?? 0)
    const outcome = yield* attempts.between(order, request, [request.sequence, last], "approval")
    if (outcome._tag === "NeverMade") return same
    if (outcome._tag === "Unclear") return outcome
    const nowMs = yield* Clock.currentTimeMillis
    const claim = scheduler.claim(nowMs, "bank", order.merchantId)
    const { merchantId } = order
    const { sequence } = outcome
    const decision = Change.all(
      Change.update(Order, order, { state: Lifecycle.after(order.state, "send"), sequence }),
      Change.update(Authentication, authentication, { stage: "done", deadlineMs: null }),
      {
        guards: continuation?.guards ?? [],
        writes: [
          Decision.put(OrderRequest, { ...request, sequence }),
          Decision.append(Job, Jobs.make({ kind: "bank", subject: request.requestId, merchantId, nowMs, claim })),
          Decision.remove(Job, [job.jobId])
        ]
      }
    )
    return { _tag: "Becomes", decision } satisfies Comparison
  })
})
