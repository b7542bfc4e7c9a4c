/** Compares a request to bank or rail that was in flight in a restored copy. */
import { Effect } from "effect"
import * as Change from "../kernel/Change.ts"
import * as Decision from "../kernel/Decision.ts"
import { Job } from "../kernel/Job.ts"
import type { Rows } from "../kernel/Rows.ts"
import { Store } from "../kernel/Store.ts"
import * as BankJob from "../orders/outcomes/BankJob.ts"
import * as Continuations from "../orders/outcomes/Continuations.ts"
import { Order } from "../orders/record/Order.ts"
import { isOfRail, OrderRequest, referenceOf } from "../orders/record/OrderRequest.ts"
import { Occurrence } from "../recurring/decide/Subscription.ts"
import * as Attempts from "./Attempts.ts"
import { BankBooking } from "./BankBooking.ts"
import type { Comparison } from "./Comparison.ts"

/** The copy lacks the outcome of the request: nothing reached bank or rail, and nothing is sent now. */
const neverSent: Comparison = { _tag: "Answered", answer: BankJob.unsendable }
const same: Comparison = { _tag: "Same" }

export const make = Effect.fnUntraced(function* (startedAtMs: number) {
  const store = yield* Store
  const attempts = yield* Attempts.make(startedAtMs)
  const continuations = yield* Continuations.Continuations

  const load = Effect.fnUntraced(function* ({ subject }: Job, rows: Rows = store) {
    const request = yield* rows.load(OrderRequest, [subject])
    const order = request === undefined ? undefined : yield* rows.load(Order, [request.orderId])
    return request === undefined || order === undefined ? undefined : { order, request }
  })

  /** Takes over a later attempt: the order and its occurrence have its number. The job compares it again, and applies its outcome. */
  const moved = Effect.fnUntraced(function* (job: Job, order: Order, request: OrderRequest, sequence: number) {
    const { orderId, subscriptionId } = order
    const recent =
      subscriptionId === null
        ? []
        : yield* store.find(Occurrence, "key", { equals: [subscriptionId], limit: 1000, descending: true })
    const occurrence = recent.find((each) => each.orderId === orderId)
    return Change.all(
      Change.update(Order, order, { sequence }),
      Change.writing(
        Decision.put(OrderRequest, { ...request, sequence }),
        Decision.put(Job, { ...job, token: null, leaseUntilMs: 0 }),
        ...(occurrence === undefined ? [] : [Decision.put(Occurrence, { ...occurrence, attempts: sequence + 1 })])
      )
    )
  })

  const compare = Effect.fnUntraced(function* (job: Job) {
    const loaded = yield* load(job)
    if (loaded === undefined) return same
    const { order, request } = loaded
    const own = yield* attempts.of(order, request)
    if (own._tag === "Unclear")
      return { _tag: "Unclear", reference: referenceOf(request), order, request } satisfies Comparison
    if (own._tag === "Made" && own.answer._tag === "Approved")
      return { _tag: "Answered", answer: own.answer } satisfies Comparison
    const last = (yield* Continuations.load(continuations, store, order, request))?.lastAttempt ?? 0
    const later = yield* attempts.between(order, request, [request.sequence + 1, last], "approval")
    switch (later._tag) {
      case "Unclear":
        return later
      case "Made":
        return {
          _tag: "Becomes",
          decision: yield* moved(job, order, request, later.sequence),
          staysHeld: true
        } satisfies Comparison
      case "NeverMade":
        return own._tag === "Made" ? ({ _tag: "Answered", answer: own.answer } satisfies Comparison) : neverSent
    }
  })

  /** A confirmed payout only waits for a late refusal. A check moves no money; its payout may have been paid. */
  const compareOfRail = Effect.fnUntraced(function* <E, R>(
    job: Job,
    payouts: (order: Order) => Effect.Effect<Comparison, E, R>
  ) {
    const loaded = yield* load(job)
    if (loaded === undefined || loaded.request.progress === "approved") return same
    return yield* loaded.request.action === "check" ? payouts(loaded.order) : compare(job)
  })

  /**
   * Returns the answer to a request of an order from before the restore that was accepted after it: the former gateway may have used its
   * reference. Undefined: it did not, or the request was begun here.
   */
  const answered = Effect.fnUntraced(function* (job: Job, rows: Rows) {
    const loaded = yield* load(job, rows)
    if (loaded === undefined || loaded.order.createdAtMs > startedAtMs) return undefined
    const source = isOfRail(loaded.request) ? "rail" : "bank"
    const isListed = (yield* store.load(BankBooking, [source, referenceOf(loaded.request)])) !== undefined
    if (!isListed && job.openAttempts > 1) return undefined
    const attempt = yield* attempts.of(loaded.order, loaded.request)
    switch (attempt._tag) {
      case "Made":
        return attempt.answer
      case "Unclear":
        return BankJob.cannotSay
      case "NeverMade":
        return undefined
    }
  })

  return { compare, compareOfRail, answered }
})
