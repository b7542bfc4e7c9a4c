/** A hosted page whose time is over: declined, unless an attempt is under way, whose outcome then decides. */
import { declines } from "@pay/schema/Decline"
import { Clock, Effect } from "effect"
import * as Decision from "../kernel/Decision.ts"
import { Job } from "../kernel/Job.ts"
import type { Claim } from "../kernel/Jobs.ts"
import { Scheduler } from "../kernel/Scheduler.ts"
import { Store, type StoreUnavailable } from "../kernel/Store.ts"
import * as Deferral from "../orders/Deferral.ts"
import * as Lifecycle from "../orders/Lifecycle.ts"
import type { Order } from "../orders/Order.ts"
import { isOfBank, OrderRequest } from "../orders/OrderRequest.ts"
import * as FormerAttempts from "../orders/restored/FormerAttempts.ts"
import * as HostedAttempt from "./HostedAttempt.ts"
import { hostedSessionOf } from "./LoadHostedSession.ts"

/** An open page, and the order that it is about. */
export interface Page {
  readonly order: Order
  readonly request: OrderRequest
  readonly form: HostedAttempt.Form
}

/** How a page ends. `watched`: the item stays, for what is found out goes on by itself. */
export interface Ended {
  readonly next: HostedAttempt.Next
  readonly watched: boolean
}

/**
 * How the page of one instrument ends: a card that pays, or a recipient. Undefined: not yet, since an attempt is under way or
 * nobody can say what became of one.
 */
export type Expire = (
  page: Page,
  at: { readonly nowMs: number; readonly claim: (kind: "bank" | "callback" | "rail") => Claim | undefined }
) => Effect.Effect<Ended | undefined, StoreUnavailable>

/** Returns the handler for the job of a hosted page. `expire` is specific to the page's instrument. */
export const job = Effect.fnUntraced(function* (expire: Expire) {
  const store = yield* Store
  const scheduler = yield* Scheduler

  const run = Effect.fnUntraced(function* (item: Job, order: Order) {
    const lease = Decision.leaseOf(item)
    const request = yield* store.load(OrderRequest, [order.requestId])
    const form = request === undefined ? undefined : yield* hostedSessionOf(store, request)
    if (request === undefined || form === undefined || Lifecycle.isFinal(order.state)) {
      return yield* store.commit({ guards: [lease], writes: [Decision.remove(Job, [item.itemId])] })
    }
    const nowMs = yield* Clock.currentTimeMillis
    const later = Decision.put(Job, Deferral.later(item, nowMs))
    const claim = (kind: "bank" | "callback" | "rail") => scheduler.claim(nowMs, kind, order.merchantId)
    const ended = yield* expire({ order, request, form }, { nowMs, claim })
    if (ended === undefined) return yield* store.commit({ guards: [lease], writes: [later] })
    const { decision, started } = ended.next
    const again = ended.watched ? [later] : []
    yield* store.commit({ guards: [lease, ...decision.guards], writes: [...decision.writes, ...again] })
    scheduler.start(started)
  })

  /** A lost guard leaves the item leased: it comes back when the lease ends, and the order is read anew. */
  return (item: Job, order: Order): Effect.Effect<void> =>
    Effect.catch(run(item, order), (error) => Effect.logDebug("The end of a hosted session has to wait", error))
})

/** The page on which a card pays. */
export const make = Effect.gen(function* () {
  const formerTries = yield* FormerAttempts.make

  const expire: Expire = Effect.fnUntraced(function* (page, { claim, nowMs }) {
    const { form, order, request } = page
    const isOpen = Lifecycle.next(order.state, "abandon") !== undefined
    // What the former life of a restored copy may have done on the page, where it would be given up now.
    const former =
      isOpen && isOfBank(request) ? yield* formerTries(order, request, form.session.attemptsAllowed) : undefined
    if (former?.answer._tag === "CannotSay") return undefined
    if (former !== undefined)
      return { next: HostedAttempt.paidBefore(page, former.sequence, nowMs, claim("bank")), watched: true }
    return isOpen
      ? { next: HostedAttempt.giveUp(page, declines.sessionExpired, nowMs, claim("callback")), watched: false }
      : undefined
  })

  return yield* job(expire)
})
