/** Decides what an outcome that operators state changes: the same as if bank or payout rail had answered with it. */

import { Effect, Option } from "effect"
import * as HostedPage from "../hosted/HostedPage.ts"
import { Ids } from "../kernel/Ids.ts"
import type { Job } from "../kernel/Job.ts"
import { Scheduler } from "../kernel/Scheduler.ts"
import { Settings } from "../kernel/Settings.ts"
import { Store } from "../kernel/Store.ts"
import { holdMsOf } from "../orders/bank/Acquirer.ts"
import * as Acquirers from "../orders/bank/Acquirers.ts"
import * as CardAnswer from "../orders/decide/CardAnswer.ts"
import type * as Inquiry from "../orders/decide/Inquiry.ts"
import { isCreation } from "../orders/decide/RequestEnd.ts"
import { holdOf } from "../orders/outcomes/CardJob.ts"
import * as Continuations from "../orders/outcomes/Continuations.ts"
import type { Order } from "../orders/record/Order.ts"
import { isOfRail, type OrderRequest } from "../orders/record/OrderRequest.ts"
import * as PayoutAnswer from "../payouts/decide/PayoutAnswer.ts"
import { PayoutRail } from "../payouts/PayoutRail.ts"
import { Payout } from "../recipients/Recipient.ts"

export const make = Effect.gen(function* () {
  const store = yield* Store
  const scheduler = yield* Scheduler
  const ids = yield* Ids
  const settings = yield* Settings
  const continuations = yield* Continuations.Continuations
  const acquirerOf = yield* Acquirers.lookup
  const lateRefusalAfterMs = Option.match(yield* Effect.serviceOption(PayoutRail), {
    onNone: () => [],
    onSome: ({ capabilities }) => capabilities.lateRefusalAfterMs
  })

  /** Returns the decisions about an answer: those of the bank or of the payout rail. */
  return Effect.fnUntraced(function* (order: Order, request: OrderRequest, job: Job) {
    const terms = (nowMs: number) => ({
      nowMs,
      claim: scheduler.claim(nowMs, "callback", order.merchantId),
      resubmitWithinMs: settings.resubmitWithinMs,
      // These two limits concern inquiries. Here a person has answered.
      longestProcessingMs: 0,
      underWayMs: 0
    })
    if (isOfRail(request)) {
      const form = yield* HostedPage.formOf(store, request)
      const payout = yield* store.load(Payout, [order.orderId])
      return (answer: Inquiry.Answer, nowMs: number) =>
        PayoutAnswer.decide({ order, request, job, payout, form }, answer, {
          ...terms(nowMs),
          lateRefusalAfterMs,
          approvalUntilMs: undefined
        })
    }
    const continuation = yield* Continuations.load(continuations, store, order, request)
    const hold = yield* holdOf(store, request)
    // The amounts that are left of a list are not charged any more.
    const round =
      order.remainingAmounts !== null && isCreation(request)
        ? { attemptId: ids.next(), stopped: [], next: undefined }
        : undefined
    return (answer: Inquiry.Answer, nowMs: number) =>
      CardAnswer.decide({ order, request, job, continuation, hold, round }, answer, {
        ...terms(nowMs),
        holdMs: holdMsOf(acquirerOf(order).capabilities, order, settings.holdMs)
      })
  })
})
