/**
 * What is over by itself. An uncaptured hold: the bank is asked to cancel before the books release anything. A
 * payout that waits for a person who never comes: its amount is the merchant's again.
 */
import { declines } from "@pay/schema/Decline"
import { Clock, Effect } from "effect"
import { Agenda } from "../Agenda.ts"
import * as Decision from "../domain/Decision.ts"
import * as Deferral from "../domain/Deferral.ts"
import { lapseOperation } from "../domain/Ending.ts"
import { AgendaItem } from "../domain/entities/AgendaItem.ts"
import { Approval } from "../domain/entities/Approval.ts"
import { BankTask } from "../domain/entities/BankTask.ts"
import { isCardKind, Order } from "../domain/entities/Order.ts"
import { isOfRail, OrderRequest } from "../domain/entities/OrderRequest.ts"
import * as FollowUp from "../domain/FollowUp.ts"
import * as FormerPayout from "../domain/FormerPayout.ts"
import * as HoldTask from "../domain/HoldTask.ts"
import * as PayoutApproval from "../domain/PayoutApproval.ts"
import * as PayoutEnding from "../domain/PayoutEnding.ts"
import * as PayoutLifecycle from "../domain/PayoutLifecycle.ts"
import * as Refusal from "../domain/Refusal.ts"
import * as Job from "../kernel/Job.ts"
import { Ids } from "../ports/Ids.ts"
import { Store } from "../ports/Store.ts"
import * as FormerPayments from "./FormerPayments.ts"
import { formOf } from "./FormOf.ts"

export const make = Effect.gen(function* () {
  const store = yield* Store
  const ids = yield* Ids
  const agenda = yield* Agenda
  const formerPayments = yield* FormerPayments.make

  const payout = Effect.fnUntraced(function* (item: AgendaItem, order: Order) {
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

  const lapse = Effect.fnUntraced(function* (item: AgendaItem) {
    const order = yield* store.load(Order, [item.subject])
    const lease = Decision.leaseIs(item.itemId, item.token ?? "")
    if (order !== undefined && !isCardKind(order.kind)) return yield* payout(item, order)
    if (order === undefined || !FollowUp.isHeld(order)) {
      return yield* store.commit({ guards: [lease], writes: [Decision.remove(AgendaItem, [item.itemId])] })
    }
    if (HoldTask.isSettledByHand(yield* store.load(BankTask, [HoldTask.idOf(order.orderId)])))
      return yield* store.commit({ guards: [lease], writes: [Decision.remove(AgendaItem, [item.itemId])] })
    const nowMs = yield* Clock.currentTimeMillis
    const planned = FollowUp.cancel(order)
    if (Refusal.is(planned)) {
      const later = Deferral.later(item, nowMs)
      return yield* store.commit({ guards: [lease], writes: [Decision.put(AgendaItem, later)] })
    }
    const request: OrderRequest = {
      requestId: ids.next(),
      merchantId: order.merchantId,
      orderId: order.orderId,
      operation: lapseOperation,
      action: planned.action,
      sequence: planned.order.sequence,
      amountMinor: planned.amountMinor,
      amountGiven: 0,
      progress: "moving",
      fingerprint: "",
      idempotencyKey: null,
      errorCode: null,
      errorMessage: null,
      callbackUrl: null,
      acceptedAtMs: nowMs,
      finishedAtMs: null
    }
    const claim = agenda.claim(nowMs, "bank", order.merchantId)
    const work = Job.make({ kind: "bank", subject: request.requestId, merchantId: order.merchantId, nowMs, claim })
    yield* store.commit({
      guards: [lease, Decision.versionIs(Order, [order.orderId], order.version)],
      writes: [
        Decision.put(Order, planned.order),
        Decision.append(OrderRequest, request),
        Decision.append(AgendaItem, work),
        Decision.remove(AgendaItem, [item.itemId])
      ]
    })
    if (claim !== undefined) agenda.start([work])
  })

  /** A lost guard leaves the item leased: it comes back when the lease ends, and the order is read anew. */
  return (item: AgendaItem): Effect.Effect<void> =>
    Effect.catch(lapse(item), (error) => Effect.logDebug("A lapse has to wait", error))
})
