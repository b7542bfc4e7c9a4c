/** A hosted page whose time is over: declined, unless an attempt is under way, whose outcome then decides. */
import { declines } from "@pay/schema/Decline"
import { Clock, Effect } from "effect"
import { Agenda } from "../kernel/Agenda.ts"
import { AgendaItem } from "../kernel/AgendaItem.ts"
import * as Decision from "../kernel/Decision.ts"
import type { Claim } from "../kernel/Job.ts"
import { Store, type StoreUnavailable } from "../kernel/Store.ts"
import * as Deferral from "../orders/Deferral.ts"
import * as Lifecycle from "../orders/Lifecycle.ts"
import { Order } from "../orders/Order.ts"
import { isOfBank, OrderRequest } from "../orders/OrderRequest.ts"
import * as FormerTries from "../orders/restored/FormerTries.ts"
import * as FormAttempt from "./FormAttempt.ts"
import { formOf } from "./FormOf.ts"

/** An open page, and the order that it is about. */
export interface Page {
  readonly order: Order
  readonly request: OrderRequest
  readonly form: FormAttempt.Form
}

/** What is done with a page whose time is over. `deferred`: nobody can say yet what became of it, or it has an attempt under way. */
export type Expiry =
  | { readonly _tag: "Deferred" }
  /** `watched`: the item stays, for what is found out goes on by itself. */
  | { readonly _tag: "Ended"; readonly next: FormAttempt.Next; readonly watched: boolean }

/** How the page of one instrument ends: a card that pays, or a recipient. */
export type Expire = (
  page: Page,
  at: { readonly nowMs: number; readonly claim: (kind: "bank" | "callback" | "rail") => Claim | undefined }
) => Effect.Effect<Expiry, StoreUnavailable>

export const deferred: Expiry = { _tag: "Deferred" }

/** What becomes of the job of a page, whatever its instrument is. */
export const job = Effect.fnUntraced(function* (expire: Expire) {
  const store = yield* Store
  const agenda = yield* Agenda

  const run = Effect.fnUntraced(function* (item: AgendaItem) {
    const lease = Decision.leaseIs(item.itemId, item.token ?? "")
    const order = yield* store.load(Order, [item.subject])
    const request = order === undefined ? undefined : yield* store.load(OrderRequest, [order.requestId])
    const form = request === undefined ? undefined : yield* formOf(store, request)
    if (order === undefined || request === undefined || form === undefined || Lifecycle.isFinal(order.state)) {
      return yield* store.commit({ guards: [lease], writes: [Decision.remove(AgendaItem, [item.itemId])] })
    }
    const nowMs = yield* Clock.currentTimeMillis
    const later = Decision.put(AgendaItem, Deferral.later(item, nowMs))
    const claim = (kind: "bank" | "callback" | "rail") => agenda.claim(nowMs, kind, order.merchantId)
    const expiry = yield* expire({ order, request, form }, { nowMs, claim })
    if (expiry._tag === "Deferred") return yield* store.commit({ guards: [lease], writes: [later] })
    const { decision, started } = expiry.next
    const again = expiry.watched ? [later] : []
    yield* store.commit({ guards: [lease, ...decision.guards], writes: [...decision.writes, ...again] })
    agenda.start(started)
  })

  /** A lost guard leaves the item leased: it comes back when the lease ends, and the order is read anew. */
  return (item: AgendaItem): Effect.Effect<void> =>
    Effect.catch(run(item), (error) => Effect.logDebug("The end of a hosted session has to wait", error))
})

/** The page on which a card pays. */
export const make = Effect.gen(function* () {
  const formerTries = yield* FormerTries.make

  const expire: Expire = Effect.fnUntraced(function* (page, { claim, nowMs }) {
    const { form, order, request } = page
    const isOpen = Lifecycle.next(order.state, "abandon") !== undefined
    // What the former life of a restored copy may have done on the page, where it would be given up now.
    const former =
      isOpen && isOfBank(request) ? yield* formerTries(order, request, form.session.attemptsAllowed) : undefined
    if (former?.answer._tag === "CannotSay") return deferred
    if (former !== undefined)
      return {
        _tag: "Ended",
        next: FormAttempt.found(page, former.sequence, nowMs, claim("bank")),
        watched: true
      } satisfies Expiry
    return isOpen
      ? ({
          _tag: "Ended",
          next: FormAttempt.giveUp(page, declines.sessionExpired, nowMs, claim("callback")),
          watched: false
        } satisfies Expiry)
      : deferred
  })

  return yield* job(expire)
})
