/** A hosted page whose time is over: declined, unless an attempt is under way, whose outcome then decides. */
import { declines } from "@pay/schema/Decline"
import { Clock, Effect } from "effect"
import { Agenda } from "../Agenda.ts"
import * as Decision from "../domain/Decision.ts"
import * as Deferral from "../domain/Deferral.ts"
import { AgendaItem } from "../domain/entities/AgendaItem.ts"
import { Order } from "../domain/entities/Order.ts"
import { isOfBank, isOfRail, OrderRequest } from "../domain/entities/OrderRequest.ts"
import * as FormAttempt from "../domain/FormAttempt.ts"
import * as FormerPayout from "../domain/FormerPayout.ts"
import * as Lifecycle from "../domain/Lifecycle.ts"
import * as PayoutEnding from "../domain/PayoutEnding.ts"
import * as PayoutLifecycle from "../domain/PayoutLifecycle.ts"
import type { Claim } from "../kernel/Job.ts"
import { Store } from "../ports/Store.ts"
import * as FormerPayments from "./FormerPayments.ts"
import * as FormerTries from "./FormerTries.ts"
import { formOf } from "./FormOf.ts"

export const make = Effect.gen(function* () {
  const store = yield* Store
  const agenda = yield* Agenda
  const formerTries = yield* FormerTries.make
  const formerPayments = yield* FormerPayments.make

  /** What the former life of a restored copy may have done on the page, where it would be given up now. */
  const formerOf = Effect.fnUntraced(function* (order: Order, request: OrderRequest, form: FormAttempt.Form) {
    if (isOfBank(request)) {
      const isOpen = Lifecycle.next(order.state, "abandon") !== undefined
      return isOpen ? yield* formerTries(order, request, form.session.attemptsAllowed) : undefined
    }
    const isOpen = PayoutLifecycle.isUnpaid(order.state) || PayoutLifecycle.next(order.state, "abandon") !== undefined
    return isOpen && isOfRail(request) ? yield* formerPayments({ order, request, form }) : undefined
  })

  const expire = Effect.fnUntraced(function* (item: AgendaItem) {
    const lease = Decision.leaseIs(item.itemId, item.token ?? "")
    const order = yield* store.load(Order, [item.subject])
    const request = order === undefined ? undefined : yield* store.load(OrderRequest, [order.requestId])
    const form = request === undefined ? undefined : yield* formOf(store, request)
    if (order === undefined || request === undefined || form === undefined || Lifecycle.isFinal(order.state)) {
      return yield* store.commit({ guards: [lease], writes: [Decision.remove(AgendaItem, [item.itemId])] })
    }
    const nowMs = yield* Clock.currentTimeMillis
    const later = Decision.put(AgendaItem, Deferral.later(item, nowMs))
    const former = yield* formerOf(order, request, form)
    const ended =
      former === undefined
        ? expired({ order, request, form }, nowMs, agenda.claim(nowMs, "callback", order.merchantId))
        : former.answer._tag === "CannotSay"
          ? undefined
          : isOfRail(request)
            ? FormerPayout.found(
                { order, request, form },
                former.sequence,
                nowMs,
                agenda.claim(nowMs, "rail", order.merchantId)
              )
            : FormAttempt.found(
                { order, request, form },
                former.sequence,
                nowMs,
                agenda.claim(nowMs, "bank", order.merchantId)
              )
    if (ended === undefined) return yield* store.commit({ guards: [lease], writes: [later] })
    const { guards, writes } = ended.decision
    const again = former !== undefined && isOfBank(request) ? [later] : []
    yield* store.commit({ guards: [lease, ...guards], writes: [...writes, ...again] })
    agenda.start(ended.started)
  })

  /** A lost guard leaves the item leased: it comes back when the lease ends, and the order is read anew. */
  return (item: AgendaItem): Effect.Effect<void> =>
    Effect.catch(expire(item), (error) => Effect.logDebug("The end of a hosted session has to wait", error))
})

/** Undefined where an attempt is under way; a check of a recipient moves nothing, so it ends with its page. */
const expired = (
  { form, order, request }: { readonly order: Order; readonly request: OrderRequest; readonly form: FormAttempt.Form },
  nowMs: number,
  claim: Claim | undefined
): FormAttempt.Next | undefined => {
  const reason = declines.sessionExpired
  if (isOfRail(request)) {
    const end = (event: "abandon" | "lapse") =>
      PayoutEnding.giveUp(order, request, event, reason, { nowMs, claim }, form)
    return end("abandon") ?? end("lapse")
  }
  return Lifecycle.next(order.state, "abandon") === undefined
    ? undefined
    : FormAttempt.giveUp({ order, request, form }, reason, nowMs, claim)
}
