/** Sends requests about cards to the bank: the creation of payments, and their follow-ups. */
import { Effect } from "effect"
import * as Change from "../../kernel/Change.ts"
import type { Rows } from "../../kernel/Rows.ts"
import { Scheduler } from "../../kernel/Scheduler.ts"
import { Settings } from "../../kernel/Settings.ts"
import * as Spans from "../../kernel/Spans.ts"
import { Store } from "../../kernel/Store.ts"
import { type Acquirer, holdMsOf } from "../bank/Acquirer.ts"
import * as Acquirers from "../bank/Acquirers.ts"
import * as CardAnswer from "../decide/CardAnswer.ts"
import * as HoldTask from "../decide/HoldTask.ts"
import * as Inquiry from "../decide/Inquiry.ts"
import type { Continuation } from "../decide/OutcomeContext.ts"
import { isCreation } from "../decide/RequestEnd.ts"
import * as Actions from "../record/Actions.ts"
import { BankTask } from "../record/BankTask.ts"
import type { Order } from "../record/Order.ts"
import { type BankRequest, isOfBank, type OrderRequest, referenceOf } from "../record/OrderRequest.ts"
import * as AbsentAcquirer from "./AbsentAcquirer.ts"
import * as BankCalls from "./BankCalls.ts"
import * as BankJob from "./BankJob.ts"
import * as BankQuestion from "./BankQuestion.ts"
import * as Continuations from "./Continuations.ts"
import type * as Counterparty from "./Counterparty.ts"
import * as EndUnknown from "./EndUnknown.ts"
import * as LateAnswer from "./LateAnswer.ts"
import * as LoadPayer from "./LoadPayer.ts"
import * as NextAmount from "./NextAmount.ts"
import * as NoticedOutcome from "./NoticedOutcome.ts"
import * as SentTimes from "./SentTimes.ts"
import * as StopCard from "./StopCard.ts"

interface Subject {
  readonly order: Order
  readonly request: BankRequest
  readonly continuation: Continuation | undefined
  readonly hold: BankTask | undefined
  readonly rows: Rows
  /** The acquirer of the payment. */
  readonly acquirer: Acquirer["Service"]
  /** The task about an acquirer without an adapter, to be opened. */
  readonly absence: BankTask | undefined
}

export const make = Effect.gen(function* () {
  const store = yield* Store
  const scheduler = yield* Scheduler
  const acquirerOf = yield* Acquirers.lookup
  const absenceOf = yield* AbsentAcquirer.make
  const { holdMs } = yield* Settings
  const nextAmount = yield* NextAmount.make
  const withSpan = yield* Spans.make
  const payerOf = yield* LoadPayer.make
  const continuations = yield* Continuations.Continuations
  const endUnknown = yield* EndUnknown.make
  const callWithDeadline = yield* LateAnswer.make

  const reference = ({ request }: Subject) => referenceOf(request)

  /** Returns the call that sends the request; undefined if data that it needs is gone. */
  const callOf = Effect.fnUntraced(function* (subject: Subject) {
    const { acquirer, order, request } = subject
    const input = isCreation(request)
      ? { payer: yield* payerOf(order, subject.rows), original: undefined }
      : { payer: undefined, original: yield* BankQuestion.originalOf(store, order) }
    const { kind } = Actions.facts[request.action]
    const bankCall = BankCalls.make(acquirer)[kind](order, request, input)
    return bankCall && withSpan(bankCall, `bank.${kind}`, () => ({ "pay.reference": reference(subject) }), "client")
  })

  const send = Effect.fnUntraced(function* (
    subject: Subject,
    late: Counterparty.LateAnswerHandler,
    checkLease: Counterparty.LeaseCheck
  ) {
    const bankCall = yield* callOf(subject)
    return bankCall === undefined
      ? BankJob.unsendable
      : yield* Effect.andThen(checkLease, callWithDeadline(bankCall, subject.acquirer.capabilities, late))
  })

  const sentTimes = yield* SentTimes.make
  return yield* BankJob.make<Subject>(sentTimes, {
    longestProcessingMs: ({ acquirer }) => acquirer.capabilities.longestProcessingMs,
    load: Effect.fnUntraced(function* ({ order, request }, job, rows) {
      if (!isOfBank(request)) return yield* Effect.die(new Error(`job ${job.jobId} is not for the bank`))
      const continuation = yield* Continuations.load(continuations, rows, order, request)
      const acquirer = acquirerOf(order)
      const hold = yield* holdOf(store, request)
      return { order, request, continuation, hold, rows, acquirer, absence: yield* absenceOf(order, request) }
    }),
    send,
    inquire: Effect.fnUntraced(function* (subject, late, checkLease) {
      const { acquirer, order, request } = subject
      const unknownOutcome = endUnknown(acquirer)
      const noticed = yield* NoticedOutcome.of(store, referenceOf(request))
      if (noticed !== undefined) return noticed
      const bankCall = unknownOutcome.mayBeSentAgain(request) ? yield* callOf(subject) : undefined
      const way = yield* unknownOutcome.wayOf(order, request, {
        isComplete: bankCall !== undefined,
        ageMs: sentTimes.ageMs(reference(subject))
      })
      if (way === "resend" && bankCall !== undefined)
        // Without an answer, the outcome of the first request is as unknown as before.
        return BankJob.inquired(
          yield* Effect.andThen(checkLease, callWithDeadline(bankCall, acquirer.capabilities, late))
        )
      const original = isCreation(request) ? undefined : yield* BankQuestion.originalOf(store, order)
      const amountMinor = CardAnswer.askedMinor({ order, request })
      return yield* unknownOutcome.learn(
        way,
        request,
        BankQuestion.inquiryOf(order, request, { amountMinor, original }),
        checkLease
      )
    }),
    reference,
    amountMinor: CardAnswer.askedMinor,
    settle: Effect.fnUntraced(function* (context, answer, inquiryTerms, commit) {
      const { absence, acquirer, job, order, request } = context
      const terms = { ...inquiryTerms, holdMs: holdMsOf(acquirer.capabilities, order, holdMs) }
      const stop = yield* StopCard.of(store, order, answer, terms.nowMs)
      const settled = yield* nextAmount(context, answer, terms, (withNextAmount) => {
        const next = AbsentAcquirer.withTask(CardAnswer.decide(withNextAmount, answer, terms), request, absence)
        return commit(next.unexpected === true ? next : { ...next, decision: Change.all(next.decision, stop) })
      })
      if (Inquiry.isOpen(answer)) yield* NoticedOutcome.wake(store, scheduler, reference(context), job.jobId)
      return settled
    })
  })
})

/**
 * Loads the task about the hold that a follow-up acts on; undefined if the bank has not refused to release it, or if the
 * request is a creation.
 */
export const holdOf = (store: Store["Service"], request: OrderRequest) =>
  isCreation(request) ? Effect.undefined : store.load(BankTask, [HoldTask.idOf(request.orderId)])
