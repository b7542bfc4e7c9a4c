/** The page on which a recipient says where a payout goes, when its time is over: a check moves nothing, so it ends with its page. */
import { declines } from "@pay/schema/Decline"
import { Effect } from "effect"
import * as HostedSessionExpiry from "../hosted/HostedSessionExpiry.ts"
import { isOfRail } from "../orders/OrderRequest.ts"
import * as PayoutLifecycle from "../orders/PayoutLifecycle.ts"
import * as FormerPayout from "./FormerPayout.ts"
import * as FormerPayoutAttempts from "./FormerPayoutAttempts.ts"
import * as PayoutEnd from "./PayoutEnd.ts"

export const make = Effect.gen(function* () {
  const formerPayments = yield* FormerPayoutAttempts.make

  const expire: HostedSessionExpiry.Expire = Effect.fnUntraced(function* ({ form, order, request }, { claim, nowMs }) {
    if (!isOfRail(request)) return undefined
    const isOpen = PayoutLifecycle.isUnpaid(order.state) || PayoutLifecycle.next(order.state, "abandon") !== undefined
    const unpaid = { order, request, form }
    const former = isOpen ? yield* formerPayments(unpaid) : undefined
    if (former?.answer._tag === "CannotSay") return undefined
    const end = (event: "abandon" | "lapse") =>
      PayoutEnd.giveUp(order, request, event, declines.sessionExpired, { nowMs, claim: claim("callback") }, form)
    const next =
      former === undefined
        ? (end("abandon") ?? end("lapse"))
        : FormerPayout.paidBefore(unpaid, former.sequence, nowMs, claim("rail"))
    return next && { next, watched: false }
  })

  return yield* HostedSessionExpiry.job(expire)
})
