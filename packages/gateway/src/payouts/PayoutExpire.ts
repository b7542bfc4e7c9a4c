/** The page on which a recipient says where a payout goes, when its time is over: a check moves nothing, so it ends with its page. */
import { declines } from "@pay/schema/Decline"
import { Effect } from "effect"
import * as FormExpire from "../hosted/FormExpire.ts"
import { isOfRail } from "../orders/OrderRequest.ts"
import * as PayoutLifecycle from "../orders/PayoutLifecycle.ts"
import * as FormerPayments from "./FormerPayments.ts"
import * as FormerPayout from "./FormerPayout.ts"
import * as PayoutEnding from "./PayoutEnding.ts"

export const make = Effect.gen(function* () {
  const formerPayments = yield* FormerPayments.make

  const expire: FormExpire.Expire = Effect.fnUntraced(function* ({ form, order, request }, { claim, nowMs }) {
    if (!isOfRail(request)) return FormExpire.deferred
    const isOpen = PayoutLifecycle.isUnpaid(order.state) || PayoutLifecycle.next(order.state, "abandon") !== undefined
    const unpaid = { order, request, form }
    const former = isOpen ? yield* formerPayments(unpaid) : undefined
    if (former?.answer._tag === "CannotSay") return FormExpire.deferred
    const end = (event: "abandon" | "lapse") =>
      PayoutEnding.giveUp(order, request, event, declines.sessionExpired, { nowMs, claim: claim("callback") }, form)
    const next =
      former === undefined
        ? (end("abandon") ?? end("lapse"))
        : FormerPayout.found(unpaid, former.sequence, nowMs, claim("rail"))
    return next === undefined
      ? FormExpire.deferred
      : ({ _tag: "Ended", next, watched: false } satisfies FormExpire.Expiry)
  })

  return yield* FormExpire.job(expire)
})
