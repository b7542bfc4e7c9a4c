/**
 * An operator proposes the outcome of an `unknown` request, and another operator confirms it. Only the confirmation applies
 * it.
 */

import "../kernel/OldNode.ts"
import * as crypto from "node:crypto"
import { Clock, Data, Effect, Option, Result } from "effect"
import * as HostedPage from "../hosted/HostedPage.ts"
import type { Actor } from "../kernel/Audit.ts"
import * as Audit from "../kernel/Audit.ts"
import * as Change from "../kernel/Change.ts"
import * as Decision from "../kernel/Decision.ts"
import { Ids } from "../kernel/Ids.ts"
import { Job } from "../kernel/Job.ts"
import { Scheduler } from "../kernel/Scheduler.ts"
import { Settings } from "../kernel/Settings.ts"
import { Store } from "../kernel/Store.ts"
import * as Transact from "../kernel/Transact.ts"
import * as CardAnswer from "../orders/decide/CardAnswer.ts"
import type * as Inquiry from "../orders/decide/Inquiry.ts"
import { isCreation } from "../orders/decide/RequestEnd.ts"
import * as Resolve from "../orders/decide/Resolve.ts"
import { Resolution, type StatedOutcome } from "../orders/decide/Resolve.ts"
import { holdOf } from "../orders/outcomes/CardJob.ts"
import * as Continuations from "../orders/outcomes/Continuations.ts"
import * as Uncommitted from "../orders/outcomes/Uncommitted.ts"
import { BankTask, idOfUncommitted } from "../orders/record/BankTask.ts"
import { Order } from "../orders/record/Order.ts"
import { isOfRail, OrderRequest, referenceOf } from "../orders/record/OrderRequest.ts"
import * as PayoutAnswer from "../payouts/decide/PayoutAnswer.ts"
import { PayoutRail } from "../payouts/PayoutRail.ts"
import { Payout } from "../recipients/Recipient.ts"

/** Nothing was changed. The message contains the reason and what to do. */
export class ResolveRefused extends Data.TaggedError("ResolveRefused")<{
  readonly what: "missing" | "conflict"
  readonly message: string
}> {}

const conflict = (message: string) => new ResolveRefused({ what: "conflict", message })
const orConflict = (checked: Result.Result<void, Resolve.Obstacle>) =>
  Effect.fromResult(Result.mapError(checked, conflict))
const changed = () => conflict("it has changed meanwhile: look at the order, then ask again")

const pageOfRequests = 1000
/** Highest number of confirmed resolutions of one order that are loaded. */
const mostSettled = 1000

export interface RequestReference {
  readonly orderId: string
  /** The request to resolve. It is needed if more than one request of the order is unknown. */
  readonly requestId: string | undefined
  readonly actor: Actor
}

/** The confirmation of the second operator: the outcome, and the digest of the proposal that the operator read. */
export interface Confirmation {
  readonly as: StatedOutcome
  readonly digest: string
}

export const make = Effect.gen(function* () {
  const store = yield* Store
  const scheduler = yield* Scheduler
  const ids = yield* Ids
  const settings = yield* Settings
  const continuations = yield* Continuations.Continuations
  const lateRefusalAfterMs = Option.match(yield* Effect.serviceOption(PayoutRail), {
    onNone: () => [],
    onSome: ({ capabilities }) => capabilities.lateRefusalAfterMs
  })

  /**
   * Returns all unknown requests of the order. They are loaded in pages; the requests with one sequence number fit in one
   * page.
   */
  const unknownOf = Effect.fnUntraced(function* (orderId: string) {
    const requests = new Map<string, OrderRequest>()
    for (let from = 0; ; ) {
      const page = yield* store.find(OrderRequest, "order", { equals: [orderId], from, limit: pageOfRequests })
      for (const request of page) if (request.progress === "unknown") requests.set(request.requestId, request)
      const last = page.at(-1)
      if (last === undefined || page.length < pageOfRequests) return [...requests.values()]
      from = Math.max(from + 1, last.sequence)
    }
  })

  const requestById = (orderId: string, requestId: string) =>
    Effect.map(store.load(OrderRequest, [requestId]), (requests) => (requests?.orderId === orderId ? [requests] : []))

  const find = Effect.fnUntraced(function* ({ orderId, requestId }: RequestReference) {
    const order = yield* store.load(Order, [orderId])
    if (order === undefined) return yield* new ResolveRefused({ what: "missing", message: "there is no such order" })
    const matches = requestId === undefined ? yield* unknownOf(orderId) : yield* requestById(orderId, requestId)
    const [request, ...others] = matches
    if (request === undefined)
      return yield* conflict("nothing of this order is unknown: there is nothing to settle by hand")
    if (others.length > 0)
      return yield* conflict(
        `more than one request is unknown: name one of ${matches.map((each) => each.requestId).join(", ")}`
      )
    const job = yield* store.load(Job, [`${isOfRail(request) ? "rail" : "bank"}:${request.requestId}`])
    return { order, request, job }
  })

  /** Returns the decisions about an answer: those of the bank or of the payout rail. */
  const tableOf = Effect.fnUntraced(function* (order: Order, request: OrderRequest, job: Job) {
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
        holdMs: settings.holdMs
      })
  })

  const audited = (
    named: RequestReference,
    action: string,
    atMs: number,
    detail: Readonly<Record<string, string | null>>,
    outcome: "done" | "refused" = "done"
  ) =>
    Audit.entry({
      auditId: ids.next(),
      atMs,
      actor: named.actor,
      action,
      outcome,
      subject: { kind: "order", id: named.orderId },
      detail
    })

  const propose = Effect.fn("ResolveOrder.propose")(function* (named: RequestReference, stated: Resolve.Statement) {
    const { job, order, request } = yield* find(named)
    const nowMs = yield* Clock.currentTimeMillis
    yield* orConflict(Resolve.checkRequest(request, nowMs, settings.resubmitWithinMs))
    if (job === undefined) return yield* conflict("the bank is not asked for it any more")
    yield* orConflict(Resolve.checkStatement(request, stated))
    const { requestId } = request
    const { outcome, ...evidenced } = stated
    const existingResolution = yield* store.load(Resolution, [requestId])
    const proposal: Resolution = {
      requestId,
      version: (existingResolution?.version ?? 0) + 1,
      orderId: order.orderId,
      reference: referenceOf(request),
      ...evidenced,
      outcome,
      amountMinor: Resolve.askedMinor(order, request),
      proposedBy: named.actor,
      proposedAtMs: nowMs,
      confirmedBy: null,
      confirmedAtMs: null
    }
    const isSame =
      existingResolution !== undefined &&
      existingResolution.confirmedBy === null &&
      digestOf(existingResolution) === digestOf(proposal)
    if (isSame) return { resolution: existingResolution, currency: order.currency }
    const guard =
      existingResolution === undefined
        ? Decision.absent(Resolution, "key", [requestId])
        : Decision.versionIs(Resolution, [requestId], existingResolution.version)
    yield* Transact.commitOr(
      store,
      {
        guards: [guard, Decision.versionIs(Order, [order.orderId], order.version)],
        writes: [
          Decision.put(Resolution, proposal),
          audited(named, "order.resolve.propose", nowMs, { request: requestId, as: outcome, evidence: stated.evidence })
        ]
      },
      changed
    )
    return { resolution: proposal, currency: order.currency }
  })

  /** Refuses a confirmation and records the attempt in the audit log. */
  const refuse = Effect.fnUntraced(function* (
    named: RequestReference,
    atMs: number,
    { as, digest }: Confirmation,
    reason: string
  ) {
    const writes = [audited(named, "order.resolve.confirm", atMs, { as, digest, reason }, "refused")]
    yield* Transact.record(store, writes)
    return yield* conflict(reason)
  })

  const attempt = Effect.fnUntraced(function* (named: RequestReference, confirmation: Confirmation) {
    const settled = yield* alreadyConfirmed(named, confirmation)
    if (settled !== undefined) return settled
    const { job, ...requests } = yield* find(named)
    const { currency } = requests.order
    const nowMs = yield* Clock.currentTimeMillis
    const stated = yield* store.load(Resolution, [requests.request.requestId])
    if (stated === undefined || stated.confirmedBy !== null)
      return yield* conflict("there is no proposal to confirm: propose an outcome first")
    if (stated.proposedBy === named.actor)
      return yield* refuse(named, nowMs, confirmation, "you proposed this outcome: a second person must confirm it")
    const digest = digestOf(stated)
    if (stated.outcome !== confirmation.as || digest !== confirmation.digest)
      return yield* refuse(named, nowMs, confirmation, "the current proposal differs: read it, then confirm it")
    yield* orConflict(Resolve.checkRequest(requests.request, nowMs, settings.resubmitWithinMs))
    if (job === undefined || stated.reference !== referenceOf(requests.request)) return yield* changed()
    if (stated.amountMinor !== Resolve.askedMinor(requests.order, requests.request)) return yield* changed()
    const table = yield* tableOf(requests.order, requests.request, job)
    const { evidence, proposedBy, reference, requestId } = stated
    const detail = { request: requestId, as: confirmation.as, digest, reference, evidence, proposedBy }
    const audit = audited(named, "order.resolve.confirm", nowMs, detail)
    const next = Resolve.decide(stated, { confirmedBy: named.actor, nowMs, audited: audit }, (answer) =>
      table(answer, nowMs)
    )
    if (next.unexpected === true) return yield* changed()
    const task = yield* store.load(BankTask, [idOfUncommitted(reference)])
    yield* store.commit(Change.all(next.decision, Uncommitted.closing(task, nowMs)))
    return { resolution: { ...stated, confirmedBy: named.actor, confirmedAtMs: nowMs }, currency }
  })

  const confirm = Effect.fn("ResolveOrder.confirm")((named: RequestReference, confirmation: Confirmation) =>
    Uncommitted.onDefect(Transact.transact({ attempt: attempt(named, confirmation), exhausted: changed }), (reason) =>
      conflict(`this outcome cannot be committed: ${reason}`)
    )
  )

  /**
   * Returns the resolution if the same operator has already confirmed it, so that a repeated confirmation has no second
   * effect.
   */
  const alreadyConfirmed = Effect.fnUntraced(function* (
    { actor, orderId }: RequestReference,
    { as, digest }: Confirmation
  ) {
    const order = yield* store.load(Order, [orderId])
    const resolutions = yield* store.find(Resolution, "order", { equals: [orderId], limit: mostSettled })
    const resolution = resolutions.find(
      (each) => each.confirmedBy === actor && each.outcome === as && digestOf(each) === digest
    )
    return order === undefined || resolution === undefined ? undefined : { resolution, currency: order.currency }
  })

  return { propose, confirm }
})

/**
 * Returns the digest of a proposal. The confirmation must contain it, so that only the proposal that the operator read can
 * be confirmed. It has 128 bits, because the proposer could search for two proposals with the same digest.
 */
export const digestOf = (row: Resolution): string => {
  const { amountMinor, approvalCode, evidence, processorTxId, proposedBy, reference, requestId } = row
  const content = [requestId, reference, row.outcome, amountMinor, evidence, approvalCode, processorTxId, proposedBy]
  return crypto.hash("sha256", JSON.stringify(content)).slice(0, 32)
}
