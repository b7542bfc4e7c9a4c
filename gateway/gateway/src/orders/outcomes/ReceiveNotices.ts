/**
 * Commits the facts of a bank's notification. An outcome of an open request is stored, and the request's job is due at once. One of a
 * request that has ended changes nothing if it agrees, and otherwise becomes evidence with a task.
 */
import { Clock, Effect } from "effect"
import * as Decision from "../../kernel/Decision.ts"
import { Job } from "../../kernel/Job.ts"
import * as Jobs from "../../kernel/Jobs.ts"
import { Store } from "../../kernel/Store.ts"
import * as Transact from "../../kernel/Transact.ts"
import * as Terminal from "../../merchants/Terminal.ts"
import type { BankAnswer } from "../bank/BankAnswer.ts"
import type { Fact } from "../bank/Notifications.ts"
import * as Unexpected from "../decide/Unexpected.ts"
import { BankNotice } from "../record/BankNotice.ts"
import * as Booking from "../record/Booking.ts"
import { Order } from "../record/Order.ts"
import { isOfBank, OrderRequest, referenceOf } from "../record/OrderRequest.ts"
import * as UnexpectedAnswers from "./UnexpectedAnswers.ts"

/** The requests of one order with the same sequence number: more than there are. */
const mostRequests = 100

/** What a notification names of a payment, as far as it must agree with the order. */
interface Named {
  readonly mid?: string | undefined
  readonly currency?: string | undefined
}

/** A capture or refund that failed after it was approved contradicts the order as a late decline does. */
const failed = (message: string): BankAnswer => ({ _tag: "Declined", code: "failed afterwards", message })

export const make = Effect.gen(function* () {
  const store = yield* Store
  const unexpected = yield* UnexpectedAnswers.make

  /** Returns the request of a reference with its order; undefined if the gateway has sent none under it. */
  const requestOf = Effect.fnUntraced(function* (reference: string) {
    const parsed = Booking.parse(reference)
    if (parsed === undefined) return undefined
    const { orderId, sequence } = parsed
    const requests = yield* store.find(OrderRequest, "order", { equals: [orderId, sequence], limit: mostRequests })
    const request = requests.find((each) => isOfBank(each) && referenceOf(each) === reference)
    const order = request === undefined ? undefined : yield* store.load(Order, [orderId])
    return request === undefined || order === undefined ? undefined : { order, request }
  })

  const isOfOrder = (order: Order, { currency, mid }: Named): boolean => {
    const terminal = Terminal.column.read(order.terminal)
    return (
      (currency === undefined || currency === order.currency) &&
      (mid === undefined || terminal === undefined || mid === terminal.mid)
    )
  }

  /** Stores an outcome of an open request. A job that a process carries out at this moment reads it when it inquires. */
  const keep = Effect.fnUntraced(function* (notice: BankNotice, request: OrderRequest) {
    const first = Decision.absent(BankNotice, "key", [notice.noticeId])
    const stored = { guards: [first], writes: [Decision.append(BankNotice, notice)] }
    const job = yield* store.load(Job, [Jobs.id("bank", request.requestId)])
    const due = job === undefined ? undefined : Jobs.dueNow(job, notice.atMs)
    if (due === undefined) return yield* Transact.lostGuardOf(store, stored)
    const both = { guards: [first, ...due.guards], writes: [...stored.writes, ...due.writes] }
    const lost = yield* Transact.lostGuardOf(store, both)
    return lost?._tag === "LeaseIs" ? yield* Transact.lostGuardOf(store, stored) : lost
  })

  const learn = Effect.fnUntraced(function* (acquirer: string, fact: Fact & { readonly _tag: "Outcome" | "Failed" }) {
    const { reference } = fact
    const subject = yield* requestOf(reference)
    if (subject === undefined) return yield* Effect.logWarning("A bank's notification names no request of this gateway")
    const { order, request } = subject
    const answer = fact._tag === "Failed" ? failed(fact.message) : fact.answer
    const amountMinor = answer._tag === "Approved" ? (answer.amountMinor ?? request.amountMinor) : request.amountMinor
    const received = { order, request, reference, amountMinor, answer }
    if (!isOfOrder(order, fact)) {
      yield* Effect.logError("A bank's notification is of another terminal or in another currency than its order")
      return yield* unexpected.keep(received)
    }
    if (!Unexpected.isOpen(request) || fact._tag === "Failed") {
      const isSame = request.progress === Unexpected.verdictOf(answer)
      return isSame ? undefined : yield* unexpected.keep(received)
    }
    const noticeId = `${acquirer} ${fact.eventId}`
    const atMs = yield* Clock.currentTimeMillis
    const notice = { noticeId, reference, orderId: order.orderId, answer: JSON.stringify(answer), atMs }
    yield* keep(notice, request)
  })

  /** Commits the facts of one notification, in their order. */
  return (acquirer: string, facts: ReadonlyArray<Fact>) =>
    Effect.forEach(
      facts,
      (fact) =>
        (fact._tag === "Dispute"
          ? Effect.logError(`A dispute is ${fact.stage}: respond to it at the bank`).pipe(
              Effect.annotateLogs({ disputeId: fact.disputeId, stage: fact.stage })
            )
          : learn(acquirer, fact)
        ).pipe(Effect.annotateLogs({ acquirer, reference: fact.reference, eventId: fact.eventId })),
      { discard: true }
    )
})
