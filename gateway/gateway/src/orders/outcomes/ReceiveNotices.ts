/**
 * Commits the facts of a bank's notification. An outcome of an open request is stored, and the request's job is due at once. One of a
 * request that has ended changes nothing if it agrees, and otherwise becomes evidence with a task. A request that failed after its
 * approval is booked back. `ReceiveDispute` commits disputes.
 */
import { Clock, Effect } from "effect"
import * as Change from "../../kernel/Change.ts"
import * as Decision from "../../kernel/Decision.ts"
import { Job } from "../../kernel/Job.ts"
import * as Jobs from "../../kernel/Jobs.ts"
import { Scheduler } from "../../kernel/Scheduler.ts"
import { GuardFailed, Store, StoreUnavailable } from "../../kernel/Store.ts"
import * as Transact from "../../kernel/Transact.ts"
import type { BankAnswer } from "../bank/BankAnswer.ts"
import type { Fact } from "../bank/Notifications.ts"
import * as LateFailure from "../decide/LateFailure.ts"
import * as Unexpected from "../decide/Unexpected.ts"
import { BankNotice } from "../record/BankNotice.ts"
import * as Booking from "../record/Booking.ts"
import { Order } from "../record/Order.ts"
import { isOfBank, isOwn, OrderRequest, referenceOf } from "../record/OrderRequest.ts"
import * as NoticeMismatch from "./NoticeMismatch.ts"
import * as ReceiveDispute from "./ReceiveDispute.ts"
import * as UnexpectedAnswers from "./UnexpectedAnswers.ts"

/** The requests of one order with the same sequence number: more than there are. */
const mostRequests = 100

/** Stores a notification unless it is stored already. */
const onceOf = (notice: BankNotice): Change.Change => ({
  guards: [Decision.absent(BankNotice, "key", [notice.noticeId])],
  writes: [Decision.append(BankNotice, notice)]
})

type MoneyFact = Exclude<Fact, { readonly _tag: "Dispute" }>

interface Subject {
  readonly order: Order
  readonly request: OrderRequest
}

/** A request that failed after its approval was declined, in the end. */
const answerOf = (fact: MoneyFact): BankAnswer =>
  fact._tag === "Outcome" ? fact.answer : { _tag: "Declined", code: "failed afterwards", message: fact.message }

export const make = Effect.gen(function* () {
  const store = yield* Store
  const scheduler = yield* Scheduler
  const unexpected = yield* UnexpectedAnswers.make
  const keepMismatch = yield* NoticeMismatch.make
  const receiveDispute = yield* ReceiveDispute.make

  /** Returns the request that was sent under a reference, with its order; undefined if there is none. */
  const subjectOf = Effect.fnUntraced(function* (reference: string) {
    const parsed = Booking.parse(reference)
    if (parsed === undefined) return undefined
    const { orderId, sequence } = parsed
    const requests = yield* store.find(OrderRequest, "order", { equals: [orderId, sequence], limit: mostRequests })
    const request = requests.find((each) => isOfBank(each) && isOwn(parsed, each))
    const order = request === undefined ? undefined : yield* store.load(Order, [orderId])
    return request === undefined || order === undefined ? undefined : { order, request }
  })

  /** Stores a fact, once. A job that a process carries out at this moment reads it when it inquires. */
  const keep = Effect.fnUntraced(function* (notice: BankNotice, request: OrderRequest) {
    const stored = onceOf(notice)
    const job = yield* store.load(Job, [Jobs.id("bank", request.requestId)])
    const due = job === undefined ? undefined : Jobs.dueNow(job, notice.atMs)
    if (due === undefined) return yield* Transact.lostGuardOf(store, stored)
    const lost = yield* Transact.lostGuardOf(store, Change.all(stored, due))
    if (lost === undefined) yield* scheduler.wake
    return lost?._tag === "LeaseIs" ? yield* Transact.lostGuardOf(store, stored) : lost
  })

  const received = ({ order, request }: Subject, { reference }: MoneyFact, answer: BankAnswer) => ({
    ...{ order, request, reference, answer },
    amountMinor: answer._tag === "Approved" ? (answer.amountMinor ?? request.amountMinor) : request.amountMinor
  })

  /** Books the movement back of an approved request, or leaves it to a person if the order has gone on since. */
  const reverse = Effect.fnUntraced(function* (notice: BankNotice, fact: MoneyFact) {
    const subject = yield* subjectOf(fact.reference)
    if (subject === undefined) return
    const { order, request } = subject
    const isOfAction = referenceOf(request) === fact.reference
    if (isOfAction && request.progress !== "approved") return yield* Transact.lostGuardOf(store, onceOf(notice))
    const terms = { nowMs: notice.atMs, claim: scheduler.claim(notice.atMs, "callback", order.merchantId) }
    const movement = isOfAction ? LateFailure.decide(subject, terms) : undefined
    if (movement === undefined)
      return yield* keepMismatch(
        received(subject, fact, answerOf(fact)),
        "it failed after its approval, and cannot be booked back because the order has gone on since"
      )
    yield* store.commit(Change.all(onceOf(notice), movement))
    yield* Effect.logWarning("A request failed at the bank after its approval: its money is booked back")
  })

  /** Applies a late failure. If the order changes meanwhile, it is loaded again. The same notification twice changes nothing. */
  const reverseOnce = (notice: BankNotice, fact: MoneyFact) =>
    Transact.transact({
      attempt: reverse(notice, fact),
      onLostGuard: (guard) => (guard._tag === "Absent" ? Effect.void : "again"),
      exhausted: (guard) =>
        Effect.fail(new StoreUnavailable({ outcomeUnknown: false, cause: new GuardFailed({ guard }) }))
    })

  const learn = Effect.fnUntraced(function* (acquirer: string, fact: MoneyFact) {
    const subject = yield* subjectOf(fact.reference)
    if (subject === undefined) return yield* Effect.logWarning("A bank's notification names no request of this gateway")
    const { order, request } = subject
    const answer = answerOf(fact)
    const problem = NoticeMismatch.problemOf(subject, acquirer, fact)
    if (problem !== undefined) return yield* keepMismatch(received(subject, fact, answer), problem)
    const notice: BankNotice = {
      noticeId: `${acquirer} ${fact.eventId}`,
      reference: fact.reference,
      orderId: order.orderId,
      fact: fact._tag,
      answer: JSON.stringify(answer),
      atMs: yield* Clock.currentTimeMillis
    }
    if (Unexpected.isOpen(request) && referenceOf(request) === fact.reference) return yield* keep(notice, request)
    if (fact._tag === "Failed") return yield* reverseOnce(notice, fact)
    // An approval after a failure is a contradiction, too: some banks try a failed capture again.
    if (request.progress !== Unexpected.verdictOf(answer)) yield* unexpected.keep(received(subject, fact, answer))
  })

  /** Commits the facts of one notification, in their order. */
  return (acquirer: string, facts: ReadonlyArray<Fact>) =>
    Effect.forEach(
      facts,
      (fact) =>
        (fact._tag === "Dispute" ? receiveDispute(acquirer, fact) : learn(acquirer, fact)).pipe(
          Effect.annotateLogs({ acquirer, reference: fact.reference, eventId: fact.eventId })
        ),
      { discard: true }
    )
})
