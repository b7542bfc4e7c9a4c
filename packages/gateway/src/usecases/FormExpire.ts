/** A hosted page whose time is over: declined, unless an attempt is under way, whose outcome then decides. */
import { declines } from "@pay/schema/Decline"
import { Clock, Effect } from "effect"
import { Agenda } from "../Agenda.ts"
import type { Claim } from "../domain/Callbacks.ts"
import * as Decision from "../domain/Decision.ts"
import * as Delivery from "../domain/Delivery.ts"
import { AgendaItem } from "../domain/entities/AgendaItem.ts"
import { Order } from "../domain/entities/Order.ts"
import { isOfBank, isOfRail, OrderRequest } from "../domain/entities/OrderRequest.ts"
import * as FormAttempt from "../domain/FormAttempt.ts"
import * as Lifecycle from "../domain/Lifecycle.ts"
import * as PayoutEnding from "../domain/PayoutEnding.ts"
import { Store } from "../ports/Store.ts"
import * as FormerTries from "./FormerTries.ts"
import { formOf } from "./FormOf.ts"

/** While an attempt is under way, the end of the session waits so long and looks again. */
const deferMs = 60_000

export const make = Effect.gen(function* () {
  const store = yield* Store
  const agenda = yield* Agenda
  const formerTries = yield* FormerTries.make

  const expire = Effect.fnUntraced(function* (item: AgendaItem) {
    const lease = Decision.leaseIs(item.itemId, item.token ?? "")
    const order = yield* store.load(Order, [item.subject])
    const request = order === undefined ? undefined : yield* store.load(OrderRequest, [order.requestId])
    const form = request === undefined ? undefined : yield* formOf(store, request)
    if (order === undefined || request === undefined || form === undefined || Lifecycle.isFinal(order.state)) {
      return yield* store.commit({ guards: [lease], writes: [Decision.remove(AgendaItem, [item.itemId])] })
    }
    const nowMs = yield* Clock.currentTimeMillis
    const later = Decision.put(AgendaItem, Delivery.waiting(item, nowMs + deferMs))
    const former =
      isOfBank(request) && Lifecycle.next(order.state, "abandon") !== undefined
        ? yield* formerTries(order, request, form.session.attemptsAllowed)
        : undefined
    const ended =
      former === undefined
        ? expired({ order, request, form }, nowMs, agenda.claim(nowMs, "callback"))
        : former.answer._tag === "Approved"
          ? FormAttempt.found({ order, request, form }, former.sequence, nowMs, agenda.claim(nowMs, "bank"))
          : undefined
    if (ended === undefined) return yield* store.commit({ guards: [lease], writes: [later] })
    const { guards, writes } = ended.decision
    yield* store.commit({ guards: [lease, ...guards], writes: former === undefined ? writes : [...writes, later] })
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
