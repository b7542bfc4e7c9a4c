/** Sends requests about cards to the bank: the creation of payments, and their follow-ups. */
import { Effect } from "effect"
import type { Rows } from "../../kernel/Rows.ts"
import { Settings } from "../../kernel/Settings.ts"
import * as Spans from "../../kernel/Spans.ts"
import { Store } from "../../kernel/Store.ts"
import { Acquirer } from "../bank/Acquirer.ts"
import * as CardAnswer from "../decide/CardAnswer.ts"
import * as HoldTask from "../decide/HoldTask.ts"
import type { Continuation } from "../decide/OutcomeContext.ts"
import { isCreation } from "../decide/RequestEnd.ts"
import * as Actions from "../record/Actions.ts"
import { BankTask } from "../record/BankTask.ts"
import type { Order } from "../record/Order.ts"
import { type BankRequest, isOfBank, type OrderRequest, referenceOf } from "../record/OrderRequest.ts"
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

interface Subject {
  readonly order: Order
  readonly request: BankRequest
  readonly continuation: Continuation | undefined
  readonly hold: BankTask | undefined
  readonly rows: Rows
}

export const make = Effect.gen(function* () {
  const store = yield* Store
  const acquirer = yield* Acquirer
  const { holdMs } = yield* Settings
  const nextAmount = yield* NextAmount.make
  const withSpan = yield* Spans.make
  const payerOf = yield* LoadPayer.make
  const continuations = yield* Continuations.Continuations
  const { deadlineMs, longestProcessingMs } = acquirer.capabilities
  const bankCalls = BankCalls.make(acquirer)
  const unknownOutcome = yield* EndUnknown.make
  const callWithDeadline = yield* LateAnswer.make({ deadlineMs, longestProcessingMs })

  const reference = ({ request }: Subject) => referenceOf(request)

  /** Returns the call that sends the request; undefined if data that it needs is gone. */
  const callOf = Effect.fnUntraced(function* (subject: Subject) {
    const { order, request } = subject
    const input = isCreation(request)
      ? { payer: yield* payerOf(order, subject.rows), original: undefined }
      : { payer: undefined, original: yield* BankQuestion.originalOf(store, order) }
    const { kind } = Actions.facts[request.action]
    const bankCall = bankCalls[kind](order, request, input)
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
      : yield* Effect.andThen(checkLease, callWithDeadline(bankCall, late))
  })

  return yield* BankJob.make<Subject>({
    longestProcessingMs,
    load: Effect.fnUntraced(function* ({ order, request }, job, rows) {
      if (!isOfBank(request)) return yield* Effect.die(new Error(`job ${job.jobId} is not for the bank`))
      const continuation = yield* Continuations.load(continuations, rows, order, request)
      return { order, request, continuation, hold: yield* holdOf(store, request), rows }
    }),
    send,
    inquire: Effect.fnUntraced(function* (subject, late, checkLease) {
      const { order, request } = subject
      const noticed = yield* NoticedOutcome.of(store, referenceOf(request))
      if (noticed !== undefined) return noticed
      const bankCall = unknownOutcome.mayBeSentAgain(request) ? yield* callOf(subject) : undefined
      const way = yield* unknownOutcome.wayOf(order, request, bankCall !== undefined)
      if (way === "resend" && bankCall !== undefined)
        // Without an answer, the outcome of the first request is as unknown as before.
        return BankJob.inquired(yield* Effect.andThen(checkLease, callWithDeadline(bankCall, late)))
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
    settle: (context, answer, inquiryTerms, commit) => {
      const terms = { ...inquiryTerms, holdMs }
      return nextAmount(context, answer, terms, (withNextAmount) =>
        commit(CardAnswer.decide(withNextAmount, answer, terms))
      )
    }
  })
})

/**
 * Loads the task about the hold that a follow-up acts on; undefined if the bank has not refused to release it, or if the
 * request is a creation.
 */
export const holdOf = (store: Store["Service"], request: OrderRequest) =>
  isCreation(request) ? Effect.undefined : store.load(BankTask, [HoldTask.idOf(request.orderId)])
