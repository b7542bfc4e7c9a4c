/**
 * An operator proposes the outcome of an `unknown` request, and another operator confirms it. Only the confirmation applies
 * it. Until then either of them may withdraw it.
 */

import "../kernel/OldNode.ts"
import * as crypto from "node:crypto"
import { Clock, Effect, Result } from "effect"
import * as Audit from "../kernel/Audit.ts"
import * as Change from "../kernel/Change.ts"
import * as Decision from "../kernel/Decision.ts"
import { Ids } from "../kernel/Ids.ts"
import { Settings } from "../kernel/Settings.ts"
import { Store } from "../kernel/Store.ts"
import * as Transact from "../kernel/Transact.ts"
import * as Resolve from "../orders/decide/Resolve.ts"
import { Resolution, type StatedOutcome } from "../orders/decide/Resolve.ts"
import * as Uncommitted from "../orders/outcomes/Uncommitted.ts"
import { BankTask, idOfUncommitted } from "../orders/record/BankTask.ts"
import { Order } from "../orders/record/Order.ts"
import { referenceOf } from "../orders/record/OrderRequest.ts"
import * as OperatorAccount from "../signin/decide/OperatorAccount.ts"
import * as Operators from "../signin/Operators.ts"
import * as StatedAnswer from "./StatedAnswer.ts"
import * as UnknownRequest from "./UnknownRequest.ts"
import { conflict, type RequestReference } from "./UnknownRequest.ts"

const orConflict = (checked: Result.Result<void, Resolve.Obstacle>) =>
  Effect.fromResult(Result.mapError(checked, conflict))
const changed = () => conflict("it has changed meanwhile: look at the order, then ask again")

/** Highest number of confirmed resolutions of one order that are loaded. */
const mostSettled = 1000

/** The confirmation of the second operator: the outcome, and the digest of the proposal that the operator read. */
export interface Confirmation {
  readonly as: StatedOutcome
  readonly digest: string
}

export const make = Effect.gen(function* () {
  const store = yield* Store
  const ids = yield* Ids
  const settings = yield* Settings
  const find = yield* UnknownRequest.make
  const tableOf = yield* StatedAnswer.make

  const audited = (
    named: RequestReference,
    action: string,
    atMs: number,
    detail: Readonly<Record<string, string | null>>,
    outcome: "done" | "refused" = "done"
  ) =>
    Audit.entry({
      ...{ auditId: ids.next(), atMs, actor: named.actor, action, outcome, detail },
      subject: { kind: "order", id: named.orderId }
    })

  const propose = Effect.fn("ResolveOrder.propose")(function* (named: RequestReference, stated: Resolve.Statement) {
    const { job, order, request } = yield* find(named)
    const nowMs = yield* Clock.currentTimeMillis
    yield* orConflict(Resolve.checkRequest(request, nowMs, settings.resubmitWithinMs))
    if (job === undefined) return yield* conflict("the bank is not asked for it any more")
    yield* orConflict(Resolve.checkStatement(request, stated))
    const { requestId } = request
    const existingResolution = yield* store.load(Resolution, [requestId])
    const { evidence, outcome: as } = stated
    const version = (existingResolution?.version ?? 0) + 1
    const proposal = Resolve.proposalOf(order, request, stated, { proposedBy: named.actor, nowMs, version })
    if (existingResolution !== undefined && isSame(existingResolution, proposal))
      return { resolution: existingResolution, currency: order.currency }
    yield* Transact.commitOr(
      store,
      {
        guards: [isUnchanged(requestId, existingResolution), Decision.versionIs(Order, [order.orderId], order.version)],
        writes: [
          Decision.put(Resolution, proposal),
          audited(named, "order.resolve.propose", nowMs, { request: requestId, as, evidence })
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
    yield* Transact.record(store, [audited(named, "order.resolve.confirm", atMs, { as, digest, reason }, "refused")])
    return yield* conflict(reason)
  })

  const attempt = Effect.fnUntraced(function* (named: RequestReference, confirmation: Confirmation) {
    const settled = yield* alreadyConfirmed(store, named, confirmation)
    if (settled !== undefined) return settled
    const { job, ...requests } = yield* find(named)
    const nowMs = yield* Clock.currentTimeMillis
    const stated = yield* store.load(Resolution, [requests.request.requestId])
    if (stated === undefined || !Resolve.isOpen(stated))
      return yield* conflict("there is no proposal to confirm: propose an outcome first")
    const digest = digestOf(stated)
    const people = yield* Operators.added(store)
    const reason =
      OperatorAccount.onePerson(people, stated.proposedBy, named.actor) ??
      Resolve.refusalOf(stated, digest, confirmation)
    if (reason !== undefined) return yield* refuse(named, nowMs, confirmation, reason)
    yield* orConflict(Resolve.checkRequest(requests.request, nowMs, settings.resubmitWithinMs))
    if (job === undefined || stated.reference !== referenceOf(requests.request)) return yield* changed()
    if (stated.amountMinor !== Resolve.askedMinor(requests.order, requests.request)) return yield* changed()
    const table = yield* tableOf(requests.order, requests.request, job)
    const { evidence, proposedBy, reference, requestId } = stated
    const detail = { request: requestId, as: confirmation.as, digest, reference, evidence, proposedBy }
    const by = { confirmedBy: named.actor, nowMs, audited: audited(named, "order.resolve.confirm", nowMs, detail) }
    const next = Resolve.decide(stated, by, (answer) => table(answer, nowMs))
    if (next.unexpected === true) return yield* changed()
    const task = yield* store.load(BankTask, [idOfUncommitted(reference)])
    yield* store.commit(Change.all(next.decision, Uncommitted.closing(task, nowMs)))
    return {
      resolution: { ...stated, confirmedBy: named.actor, confirmedAtMs: nowMs },
      currency: requests.order.currency
    }
  })

  const confirm = Effect.fn("ResolveOrder.confirm")((named: RequestReference, confirmation: Confirmation) =>
    Uncommitted.onDefect(Transact.transact({ attempt: attempt(named, confirmation), exhausted: changed }), (reason) =>
      conflict(`this outcome cannot be committed: ${reason}`)
    )
  )

  /** Withdraws the proposal that the operator read, also one's own. Nothing is applied. */
  const withdraw = Effect.fn("ResolveOrder.withdraw")(function* (named: RequestReference, digest: string) {
    const { order, request } = yield* find(named)
    const nowMs = yield* Clock.currentTimeMillis
    const stated = yield* store.load(Resolution, [request.requestId])
    if (stated === undefined || !Resolve.isOpen(stated)) return yield* conflict("there is no proposal to withdraw")
    if (digestOf(stated) !== digest) return yield* conflict("the current proposal differs: read it, then withdraw it")
    const withdrawn = Change.next(stated, { withdrawnBy: named.actor, withdrawnAtMs: nowMs })
    const { evidence, outcome: as, proposedBy, requestId } = stated
    const detail = { request: requestId, as, digest, evidence, proposedBy }
    yield* Transact.commitOr(
      store,
      {
        guards: [Decision.versionIs(Resolution, [requestId], stated.version)],
        writes: [Decision.put(Resolution, withdrawn), audited(named, "order.resolve.withdraw", nowMs, detail)]
      },
      changed
    )
    return { resolution: withdrawn, currency: order.currency }
  })

  return { propose, confirm, withdraw }
})

/** Guards that the proposal about the request is still the one that was loaded. */
const isUnchanged = (requestId: string, loaded: Resolution | undefined): Decision.Guard =>
  loaded === undefined
    ? Decision.absent(Resolution, "key", [requestId])
    : Decision.versionIs(Resolution, [requestId], loaded.version)

/** Whether the earlier proposal is still open and says the same. */
const isSame = (earlier: Resolution, proposal: Resolution): boolean =>
  Resolve.isOpen(earlier) && digestOf(earlier) === digestOf(proposal)

/**
 * Returns the resolution if the same operator has already confirmed it, so that a repeated confirmation has no second
 * effect.
 */
const alreadyConfirmed = Effect.fnUntraced(function* (
  store: Store["Service"],
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

/**
 * Returns the digest of a proposal. The confirmation must contain it, so that only the proposal that the operator read can
 * be confirmed. It has 128 bits, because the proposer could search for two proposals with the same digest.
 */
export const digestOf = (row: Resolution): string => {
  const { amountMinor, approvalCode, evidence, processorTxId, proposedBy, reference, requestId } = row
  const content = [requestId, reference, row.outcome, amountMinor, evidence, approvalCode, processorTxId, proposedBy]
  return crypto.hash("sha256", JSON.stringify(content)).slice(0, 32)
}
