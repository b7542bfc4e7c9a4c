/** Sends requests about cards to the bank: the creation of payments, and their follow-ups. */
import { Effect, type Redacted } from "effect"
import type { Rows } from "../../kernel/Rows.ts"
import { Settings } from "../../kernel/Settings.ts"
import * as Spans from "../../kernel/Spans.ts"
import { Store } from "../../kernel/Store.ts"
import * as Destination from "../../recipients/Destination.ts"
import { Payout } from "../../recipients/Recipient.ts"
import { KeyVault } from "../../vault/KeyVault.ts"
import {
  Acquirer,
  type AcquirerError,
  type BankAnswer,
  type BankCard,
  type CardholderProof,
  type FollowUp
} from "../bank/Acquirer.ts"
import { AuthenticationGate } from "../bank/AuthenticationGate.ts"
import * as CardAnswer from "../decide/CardAnswer.ts"
import * as HoldTask from "../decide/HoldTask.ts"
import type { Continuation } from "../decide/OutcomeContext.ts"
import { isCreation } from "../decide/RequestEnd.ts"
import * as Actions from "../record/Actions.ts"
import { BankTask } from "../record/BankTask.ts"
import { Card, Cvv } from "../record/Card.ts"
import type { Order } from "../record/Order.ts"
import { type BankRequest, isOfBank, OrderRequest, referenceOf } from "../record/OrderRequest.ts"
import * as BankJob from "./BankJob.ts"
import * as Continuations from "./Continuations.ts"
import type * as Counterparty from "./Counterparty.ts"
import * as LateAnswer from "./LateAnswer.ts"
import * as NextAmount from "./NextAmount.ts"

interface Subject {
  readonly order: Order
  readonly request: BankRequest
  readonly continuation: Continuation | undefined
  readonly hold: BankTask | undefined
  readonly rows: Rows
}

/**
 * The payer's card, the 3-D Secure result for its holder, and the number of the card that receives the money of a transfer.
 */
interface Payer {
  readonly card: BankCard
  readonly authentication: CardholderProof | undefined
  readonly recipient?: Redacted.Redacted<string>
}

/**
 * Calls the bank for a request. `original`: the reference of the authorisation that a follow-up acts on. Undefined: the
 * request cannot be sent.
 */
type BankCall = (
  order: Order,
  request: BankRequest,
  input: { readonly payer: Payer | undefined; readonly original: string }
) => Effect.Effect<BankAnswer, AcquirerError> | undefined

const namesOf = ({ clientOrderId, merchantId, orderId }: Order) => ({ orderId, clientOrderId, merchantId })

export const make = Effect.gen(function* () {
  const store = yield* Store
  const acquirer = yield* Acquirer
  const vault = yield* KeyVault
  const { holdMs } = yield* Settings
  const nextAmount = yield* NextAmount.make
  const withSpan = yield* Spans.make
  const authentication = yield* AuthenticationGate
  const continuations = yield* Continuations.Continuations
  const { deadlineMs, longestProcessingMs } = acquirer.capabilities
  const callWithDeadline = yield* LateAnswer.make({ deadlineMs, longestProcessingMs })

  /**
   * Returns the card data that the bank requires; undefined if the request contained a CVV that is no longer stored. Nothing
   * is sent without it.
   */
  const cardOf = Effect.fnUntraced(function* (order: Order, rows: Rows) {
    const card = yield* rows.load(Card, [order.orderId])
    const stored = yield* rows.load(Cvv, [order.orderId])
    if (card === undefined || (order.hasCvv === 1 && stored === undefined)) return undefined
    const pan = yield* vault.decrypt(card.encryptedPan, order.orderId)
    const cvv = stored === undefined ? undefined : yield* vault.decryptShortLived(stored.encryptedCvv, order.orderId)
    const { cardholder, expireMonth, expireYear } = order
    return { pan, cvv, cardholder, expireMonth, expireYear } satisfies BankCard
  })

  const recipientOf = Effect.fnUntraced(function* ({ orderId }: Order) {
    const payout = yield* store.load(Payout, [orderId])
    return payout === undefined
      ? undefined
      : Destination.fromText(yield* vault.decrypt(payout.encryptedDestination, orderId)).number
  })

  /** Loads the payer; undefined if data that must be sent is missing, so that nothing is sent. */
  const payerOf = Effect.fnUntraced(
    function* ({ order, rows }: Subject) {
      const card = yield* cardOf(order, rows)
      if (card === undefined) return undefined
      const payer: Payer = { card, authentication: yield* authentication.proof(order) }
      if (order.kind !== "transfer") return payer
      const recipient = yield* recipientOf(order)
      return recipient === undefined ? undefined : { ...payer, recipient }
    },
    Effect.catchTag("CannotOpen", (error) =>
      Effect.as(Effect.logWarning("A card cannot be decrypted; its order is not sent", error), undefined)
    )
  )

  /** The reference under which the bank approved the order: on a hosted page, that of the attempt that succeeded. */
  const originalOf = Effect.fnUntraced(function* (order: Order) {
    const creation = yield* store.load(OrderRequest, [order.requestId])
    return creation === undefined || !isOfBank(creation) ? "" : referenceOf(creation)
  })

  const followUp = (order: Order, request: BankRequest, original: string): FollowUp => ({
    reference: referenceOf(request),
    ...namesOf(order),
    original,
    amountMinor: CardAnswer.askedMinor({ order, request }),
    currency: order.currency
  })

  const authorize: BankCall = (order, request, { payer }) =>
    payer === undefined
      ? undefined
      : acquirer.authorize({
          reference: referenceOf(request),
          ...namesOf(order),
          amountMinor: order.amountMinor,
          currency: order.currency,
          capture: request.action === "sale" || request.action === "transfer",
          ...payer
        })

  const bankCalls: Readonly<Record<Actions.BankKind, BankCall>> = {
    sale: authorize,
    authorize,
    verify: authorize,
    transfer: authorize,
    eligibility: (order, request, { payer }) =>
      payer === undefined
        ? undefined
        : acquirer.eligible({
            reference: referenceOf(request),
            ...namesOf(order),
            currency: order.currency,
            pan: payer.card.pan,
            expiry: order.expireYear === 0 ? undefined : { month: order.expireMonth, year: order.expireYear }
          }),
    capture: (order, request, { original }) => acquirer.capture(followUp(order, request, original)),
    void: (order, request, { original }) => acquirer.void(followUp(order, request, original)),
    refund: (order, request, { original }) => acquirer.refund(followUp(order, request, original))
  }

  const reference = ({ request }: Subject) => referenceOf(request)

  const send = Effect.fnUntraced(function* (
    subject: Subject,
    late: Counterparty.LateAnswerHandler,
    checkLease: Counterparty.LeaseCheck
  ) {
    const { order, request } = subject
    const input = isCreation(request)
      ? { payer: yield* payerOf(subject), original: "" }
      : { payer: undefined, original: yield* originalOf(order) }
    const { kind } = Actions.facts[request.action]
    const bankCall = bankCalls[kind](order, request, input)
    return bankCall === undefined
      ? BankJob.unsendable
      : yield* Effect.andThen(
          checkLease,
          callWithDeadline(
            withSpan(bankCall, `bank.${kind}`, () => ({ "pay.reference": reference(subject) })),
            late
          )
        )
  })

  return yield* BankJob.make<Subject>({
    longestProcessingMs,
    load: Effect.fnUntraced(function* ({ order, request }, job, rows) {
      if (!isOfBank(request)) return yield* Effect.die(new Error(`job ${job.jobId} is not for the bank`))
      const continuation = yield* Continuations.load(continuations, rows, order, request)
      return { order, request, continuation, hold: yield* holdOf(store, request), rows }
    }),
    send,
    inquire: (subject) =>
      Effect.map(BankJob.answerOf(acquirer.inquire(reference(subject)), deadlineMs), BankJob.inquired),
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
