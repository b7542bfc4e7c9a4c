/** A scheduled charge that was declined: it is inquired about again, and then tried again or given up. */

import { Effect } from "effect"
import { Ids } from "../kernel/Ids.ts"
import * as Jobs from "../kernel/Jobs.ts"
import { Scheduler } from "../kernel/Scheduler.ts"
import { Store } from "../kernel/Store.ts"
import type { Endpoint } from "../merchants/Directory.ts"
import { hasInquiry } from "../orders/bank/Acquirer.ts"
import * as Acquirers from "../orders/bank/Acquirers.ts"
import * as BankJob from "../orders/outcomes/BankJob.ts"
import * as BankQuestion from "../orders/outcomes/BankQuestion.ts"
import { Order } from "../orders/record/Order.ts"
import { type BankRequest, isOfBank, OrderRequest } from "../orders/record/OrderRequest.ts"
import { RiskCheck } from "../orders/requests/RiskCheck.ts"
import * as Risk from "../risk/Risk.ts"
import { KeyVault } from "../vault/KeyVault.ts"
import * as Charge from "./Charge.ts"
import * as BillingDecisions from "./decide/BillingDecisions.ts"
import * as BillingPayment from "./decide/BillingPayment.ts"

export const make = Effect.gen(function* () {
  const store = yield* Store
  const vault = yield* KeyVault
  const ids = yield* Ids
  const scheduler = yield* Scheduler
  const screening = yield* RiskCheck
  const acquirerOf = yield* Acquirers.lookup
  const { screened } = yield* Charge.make

  /** Tries the charge again, unless a rule stops it. */
  const retry = Effect.fnUntraced(function* (context: BillingDecisions.DeclinedCharge, endpoint: Endpoint) {
    const { nowMs, order, subscription } = context
    const payment = yield* screened(context, endpoint, order.orderId, order.amountMinor)
    yield* screening.screen(payment, ({ filteredBy, velocityEntries }) =>
      store.commit(
        filteredBy === undefined
          ? BillingDecisions.retry(context, {
              sequence: order.sequence + 1,
              attemptId: ids.next(),
              card: {
                facts: BillingPayment.cardOf(subscription),
                encryptedPan: vault.encrypt(payment.pan, order.orderId),
                panHash: subscription.panHash
              },
              velocityEntries,
              claim: scheduler.claim(nowMs, "bank", order.merchantId)
            })
          : stop(context, { ...Risk.declineOf(filteredBy), filteredBy, suspends: Risk.declineOf(filteredBy).hard })
      )
    )
  })

  /** Gives the charge up. */
  const stop = (context: BillingDecisions.DeclinedCharge, reason: BillingDecisions.StopReason) =>
    BillingDecisions.giveUp(context, reason, scheduler.claim(context.nowMs, "callback", context.order.merchantId))

  /** Undefined without inquiries: a decline counts as it was answered. */
  const inquire = (order: Order, request: BankRequest) => {
    const acquirer = acquirerOf(order)
    if (!hasInquiry(acquirer.capabilities.unknownOutcomes, "sale")) return Effect.undefined
    const inquiry = BankQuestion.inquiryOf(order, request, { amountMinor: order.amountMinor, original: undefined })
    return Effect.map(BankJob.answerOf(acquirer.inquire(inquiry), acquirer.capabilities.deadlineMs), BankJob.inquired)
  }

  /**
   * Inquires again about the attempt that was declined, before the charge is tried again or given up: if the bank has approved it after
   * all, another attempt would charge the card twice. Undefined: the bank still does not report an approval.
   */
  const contradicted = Effect.fnUntraced(function* (context: BillingDecisions.DeclinedCharge, isLast: boolean) {
    const { order, request } = context
    const answer = isOfBank(request) ? yield* inquire(order, request) : undefined
    if (answer?._tag === "Approved") return BillingDecisions.follow(context)
    return answer?._tag !== "CannotSay" || isLast
      ? undefined
      : BillingDecisions.wait(context, Jobs.nextLookAtMs(context.job.tries, context.nowMs))
  })

  /** Loads the order and the request of a declined charge. */
  const declinedOf = Effect.fnUntraced(function* (context: BillingDecisions.BillingContext) {
    const { occurrence } = context
    const order = occurrence?.orderId == null ? undefined : yield* store.load(Order, [occurrence.orderId])
    const request = order === undefined ? undefined : yield* store.load(OrderRequest, [order.requestId])
    return occurrence === undefined || order === undefined || request === undefined
      ? undefined
      : ({ ...context, occurrence, order, request } satisfies BillingDecisions.DeclinedCharge)
  })

  return { contradicted, declinedOf, retry, stop }
})
