/**
 * Asks the bank for what was accepted, and makes its answer true: one item of the agenda at a time. A fresh item is sent;
 * one that somebody began before is inquired about first.
 */
import { Cause, Clock, Effect } from "effect"
import { Agenda } from "../Agenda.ts"
import * as BankWork from "../domain/BankWork.ts"
import * as Decision from "../domain/Decision.ts"
import { isCreation } from "../domain/Ending.ts"
import type { AgendaItem } from "../domain/entities/AgendaItem.ts"
import { Authentication } from "../domain/entities/Authentication.ts"
import { Card, Cvv } from "../domain/entities/Card.ts"
import { Evidence } from "../domain/entities/Evidence.ts"
import { Order } from "../domain/entities/Order.ts"
import { OrderRequest } from "../domain/entities/OrderRequest.ts"
import type * as FormAttempt from "../domain/FormAttempt.ts"
import * as ThreeDSBegin from "../domain/ThreeDSBegin.ts"
import {
  Acquirer,
  type AcquirerError,
  type BankAnswer,
  type BankCard,
  type CardholderProof,
  type FollowUp
} from "../ports/Acquirer.ts"
import { Ids } from "../ports/Ids.ts"
import { KeyVault } from "../ports/KeyVault.ts"
import { type GuardFailed, Store } from "../ports/Store.ts"
import { Settings } from "../Settings.ts"
import { formOf } from "./FormOf.ts"
import * as NextAmount from "./NextAmount.ts"
import { OrderLocks } from "./OrderLocks.ts"

const mostTries = 5

/** What an item is about, as it was read. */
interface Subject {
  readonly order: Order
  readonly request: OrderRequest
  /** Where the customer pays on a hosted page. */
  readonly form: FormAttempt.Form | undefined
}

/** Who pays: the card, and what 3-D Secure said of its holder. */
interface Payer {
  readonly card: BankCard
  readonly authentication: CardholderProof | undefined
}

export const make = Effect.gen(function* () {
  const store = yield* Store
  const acquirer = yield* Acquirer
  const vault = yield* KeyVault
  const agenda = yield* Agenda
  const ids = yield* Ids
  const settings = yield* Settings
  const locks = yield* OrderLocks
  const nextAmount = yield* NextAmount.make
  const { deadlineMs, longestProcessingMs } = acquirer.capabilities

  /** The card as the bank needs it; undefined when a CVV was given and is gone, without which nothing is sent. */
  const cardOf = Effect.fnUntraced(function* (order: Order) {
    const card = yield* store.load(Card, [order.orderId])
    const sealed = yield* store.load(Cvv, [order.orderId])
    if (card === undefined || (order.cvvGiven === 1 && sealed === undefined)) return undefined
    const pan = yield* vault.open(card.sealedPan, order.orderId)
    const cvv = sealed === undefined ? undefined : yield* vault.openBrief(sealed.sealed, order.orderId)
    const { cardholder, expireMonth, expireYear } = order
    return { pan, cvv, cardholder, expireMonth, expireYear } satisfies BankCard
  })

  /** What 3-D Secure said, for an order that went through it. */
  const proofOf = Effect.fnUntraced(function* (order: Order) {
    const row = ThreeDSBegin.isPossible(order) ? yield* store.load(Authentication, [order.orderId]) : undefined
    if (row === undefined || row.protocol === null || row.transStatus === null) return undefined
    const { eci, protocol, sealedAuthenticationValue: sealed, serverTransId, transStatus, xid } = row
    return {
      protocol,
      transStatus,
      transactionId: serverTransId ?? xid ?? "",
      eci: eci ?? undefined,
      authenticationValue:
        sealed === null ? undefined : yield* vault.open(Buffer.from(sealed, "base64url"), order.orderId)
    } satisfies CardholderProof
  })

  /** Undefined: what must be sent cannot be had, so nothing is. */
  const payerOf = Effect.fnUntraced(
    function* (order: Order) {
      const card = yield* cardOf(order)
      return card === undefined ? undefined : { card, authentication: yield* proofOf(order) }
    },
    Effect.catchTag("CannotOpen", (error) =>
      Effect.as(Effect.logWarning("A card cannot be opened; its order is not sent", error), undefined)
    )
  )

  /** The reference under which the bank approved the order: on a hosted page, that of the attempt that succeeded. */
  const originalOf = Effect.fnUntraced(function* (order: Order) {
    const creation = yield* store.load(OrderRequest, [order.requestId])
    return `${order.orderId}-${creationKind[order.kind]}-${creation?.sequence ?? 0}`
  })

  const followUp = (
    order: Order,
    request: OrderRequest,
    original: string,
    kind: "capture" | "cancel" | "refund"
  ): FollowUp => ({
    reference: BankWork.reference(request, kind),
    orderId: order.orderId,
    original,
    amountMinor: kind === "cancel" ? order.authorizedMinor - order.capturedMinor : request.amountMinor,
    currency: order.currency
  })

  /** Which question a request puts to the bank now: for a full return of a partly captured preauth, the refund first. */
  const bankKind = (request: OrderRequest) => (request.action === "refundThenCancel" ? "refund" : request.action)

  const ask = (
    order: Order,
    request: OrderRequest,
    payer: Payer | undefined,
    original: string
  ): Effect.Effect<BankAnswer, AcquirerError> | undefined => {
    const kind = bankKind(request)
    switch (kind) {
      case "sale":
      case "authorize":
      case "verify":
        return payer === undefined
          ? undefined
          : acquirer.authorize({
              reference: BankWork.reference(request, kind),
              orderId: order.orderId,
              amountMinor: order.amountMinor,
              currency: order.currency,
              capture: kind === "sale",
              ...payer
            })
      case "capture":
        return acquirer.capture(followUp(order, request, original, kind))
      case "cancel":
        return acquirer.cancel(followUp(order, request, original, kind))
      case "refund":
        return acquirer.refund(followUp(order, request, original, kind))
    }
  }

  /** No answer within the deadline, and a port that dies, are lost answers: never guessed. */
  const heard = <A extends BankWork.Answer>(
    question: Effect.Effect<A, AcquirerError>
  ): Effect.Effect<BankWork.Answer> =>
    question.pipe(
      Effect.timeoutOrElse({ duration: deadlineMs, orElse: () => Effect.succeed(lost) }),
      Effect.catchTag("AcquirerError", ({ reason }) => Effect.succeed(reason._tag === "NotSent" ? notSent : lost)),
      Effect.catchCause((cause) =>
        Cause.hasInterruptsOnly(cause)
          ? Effect.failCause(cause)
          : Effect.as(Effect.logError("The acquirer's adapter died; its answer counts as lost", cause), lost)
      )
    )

  const send = Effect.fnUntraced(function* ({ order, request }: Subject) {
    const question = isCreation(request)
      ? ask(order, request, yield* payerOf(order), "")
      : ask(order, request, undefined, yield* originalOf(order))
    return question === undefined ? unsendable : yield* heard(question)
  })

  /** An inquiry that fails says nothing of what it asked about, least of all that it was not sent. */
  const inquire = (request: OrderRequest) =>
    Effect.map(heard(acquirer.inquire(BankWork.reference(request, bankKind(request)))), (answer) =>
      answer._tag === "NotSent" || answer._tag === "Lost" ? cannotSay : answer
    )

  const load = Effect.fnUntraced(function* (item: AgendaItem) {
    const request = yield* store.load(OrderRequest, [item.subject])
    const order = request === undefined ? undefined : yield* store.load(Order, [request.orderId])
    if (request === undefined || order === undefined) {
      return yield* Effect.die(new Error(`agenda item ${item.itemId} names no request`))
    }
    return { order, request, form: yield* formOf(store, request) } satisfies Subject
  })

  const termsNow = Effect.fnUntraced(function* () {
    const nowMs = yield* Clock.currentTimeMillis
    return {
      nowMs,
      claim: agenda.claim(nowMs, "callback"),
      holdMs: settings.holdMs,
      resubmitWithinMs: settings.resubmitWithinMs,
      longestProcessingMs
    } satisfies BankWork.Terms
  })

  const commit = (next: BankWork.Next) =>
    store.commit(next.decision).pipe(
      Effect.as<GuardFailed | undefined>(undefined),
      Effect.catchTag("GuardFailed", (guardFailed) => Effect.succeed(guardFailed)),
      Effect.map((failed) => ({ failed, next }))
    )

  /** Decides on the order as it was read and commits; another writer's commit in between means reading and deciding again. */
  const decideAndCommit = Effect.fnUntraced(function* (item: AgendaItem, known: Subject, answer: BankWork.Answer) {
    let found = known
    for (let tries = 1; ; tries += 1) {
      const terms = yield* termsNow()
      const { failed, next } = yield* nextAmount({ ...found, item }, answer, terms, (held) =>
        commit(BankWork.decide(held, answer, terms))
      )
      if (failed === undefined) {
        agenda.start(next.started)
        return next.resend
      }
      if (failed.guard._tag === "LeaseIs" || tries === mostTries) {
        yield* keepEvidence(found.request, answer)
        return false
      }
      found = yield* load(item)
    }
  })

  /** Many answers about one order at once are recorded one by one. */
  const settle = (item: AgendaItem, known: Subject, answer: BankWork.Answer) =>
    locks(known.order.orderId)(decideAndCommit(item, known, answer))

  /** The item is in other hands, who will inquire; what we heard is kept for a person to read. */
  const keepEvidence = Effect.fnUntraced(function* (request: OrderRequest, answer: BankWork.Answer) {
    const evidence: Evidence = {
      evidenceId: ids.next(),
      reference: BankWork.reference(request, bankKind(request)),
      orderId: request.orderId,
      answer: JSON.stringify(answer),
      atMs: yield* Clock.currentTimeMillis
    }
    yield* Effect.ignore(store.commit({ guards: [], writes: [Decision.append(Evidence, evidence)] }))
  })

  const carryOut = Effect.fnUntraced(function* (item: AgendaItem) {
    const found = yield* load(item)
    const late = BankWork.isTooLate({ ...found, item }, yield* Clock.currentTimeMillis, settings.resubmitWithinMs)
    const answer = late ? unsendable : item.openAttempts <= 1 ? yield* send(found) : yield* inquire(found.request)
    const resend = yield* settle(item, found, answer)
    if (!resend) return
    const nowMs = yield* Clock.currentTimeMillis
    const now = yield* load(item)
    yield* settle({ ...item, startedAtMs: nowMs }, now, yield* send(now))
  })

  return (item: AgendaItem): Effect.Effect<void> =>
    Effect.catchTag(carryOut(item), "StoreUnavailable", (error) =>
      Effect.logWarning("The store cannot take a bank's answer; the item is inquired about when its lease ends", error)
    )
})

const creationKind = { sale: "sale", preauth: "authorize", verification: "verify" } as const
const lost: BankWork.Answer = { _tag: "Lost" }
const notSent: BankWork.Answer = { _tag: "NotSent" }
const unsendable: BankWork.Answer = { _tag: "Unsendable" }
const cannotSay: BankWork.Answer = { _tag: "CannotSay" }
