/** A payout that waits for a person who never comes: it ends, and its amount is the merchant's again. */
import { declines } from "@pay/schema/Decline"
import { Clock, Effect } from "effect"
import { Agenda } from "../Agenda.ts"
import * as Decision from "../domain/Decision.ts"
import * as Deferral from "../domain/Deferral.ts"
import { AgendaItem } from "../domain/entities/AgendaItem.ts"
import { Approval } from "../domain/entities/Approval.ts"
import { Order } from "../domain/entities/Order.ts"
import { isOfRail, OrderRequest } from "../domain/entities/OrderRequest.ts"
import * as FormerPayout from "../domain/FormerPayout.ts"
import * as PayoutApproval from "../domain/PayoutApproval.ts"
import * as PayoutEnding from "../domain/PayoutEnding.ts"
import * as PayoutLifecycle from "../domain/PayoutLifecycle.ts"
import { Store } from "../ports/Store.ts"
import * as FormerPayments from "./FormerPayments.ts"
import { formOf } from "./FormOf.ts"

export const make = Effect.gen(function* () {
  const store = yield* Store
  const agenda = yield* Agenda
  const formerPayments = yield* FormerPayments.make

  const lapse = Effect.fnUntraced(function* (item: AgendaItem) {
    const order = yield* store.load(Order, [item.subject])
    if (order === undefined)
      return yield* store.commit({
        guards: [Decision.leaseIs(item.itemId, item.token ?? "")],
        writes: [Decision.remove(AgendaItem, [item.itemId])]
      })
    const approval = PayoutLifecycle.isWaiting(order.state) ? yield* store.load(Approval, [order.orderId]) : undefined
    const request = yield* store.load(OrderRequest, [approval?.requestId ?? order.requestId])
    const form = request === undefined ? undefined : yield* formOf(store, request)
    const nowMs = yield* Clock.currentTimeMillis
    const unpaid =
      request !== undefined && isOfRail(request) && PayoutLifecycle.isUnpaid(order.state)
        ? { order, request, form, approval }
        : undefined
    const former = unpaid === undefined ? undefined : yield* formerPayments(unpaid)
    if (former?.answer._tag === "CannotSay") {
      return yield* store.commit({
        guards: [Decision.leaseIs(item.itemId, item.token ?? "")],
        writes: [Decision.put(AgendaItem, Deferral.later(item, nowMs))]
      })
    }
    if (unpaid !== undefined && former !== undefined) {
      const { decision, started } = FormerPayout.found(
        unpaid,
        former.sequence,
        nowMs,
        agenda.claim(nowMs, "rail", order.merchantId)
      )
      const guards = [Decision.leaseIs(item.itemId, item.token ?? ""), ...decision.guards]
      yield* store.commit({ ...decision, guards })
      return agenda.start(started)
    }
    const terms = { nowMs, claim: agenda.claim(nowMs, "callback", order.merchantId) }
    const ended =
      unpaid === undefined
        ? undefined
        : PayoutEnding.giveUp(order, unpaid.request, "lapse", declines.lapsed, terms, form)
    yield* store.commit({
      guards: [Decision.leaseIs(item.itemId, item.token ?? ""), ...(ended?.decision.guards ?? [])],
      writes: [
        Decision.remove(AgendaItem, [item.itemId]),
        ...(ended?.decision.writes ?? []),
        ...(approval === undefined ? [] : PayoutApproval.lapsed(approval, nowMs))
      ]
    })
    agenda.start(ended?.started ?? [])
  })

  /** A lost guard leaves the item leased: it comes back when the lease ends, and the payout is read anew. */
  return (item: AgendaItem): Effect.Effect<void> =>
    Effect.catch(lapse(item), (error) => Effect.logDebug("A lapse has to wait", error))
})
