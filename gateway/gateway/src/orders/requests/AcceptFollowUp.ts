/** Stores a new request that acts on an order, with the job that sends it. */

import * as Money from "@pay/schema/Money"
import * as PayApi from "@pay/schema/PayApi"
import { Clock, Effect, Result } from "effect"
import { refuse } from "../../kernel/Answer.ts"
import * as Change from "../../kernel/Change.ts"
import * as Decision from "../../kernel/Decision.ts"
import { Ids } from "../../kernel/Ids.ts"
import { Job } from "../../kernel/Job.ts"
import * as Jobs from "../../kernel/Jobs.ts"
import * as LedgerTable from "../../kernel/LedgerTable.ts"
import { Scheduler } from "../../kernel/Scheduler.ts"
import * as SerialNumber from "../../kernel/SerialNumber.ts"
import { Store } from "../../kernel/Store.ts"
import * as Transact from "../../kernel/Transact.ts"
import { type Call, withNonce } from "../../merchants/Call.ts"
import { Directory } from "../../merchants/Directory.ts"
import { KeyVault } from "../../vault/KeyVault.ts"
import type { Act } from "../decide/Acts.ts"
import type * as FollowUp from "../decide/FollowUp.ts"
import { Order } from "../record/Order.ts"
import { isOfRail, OrderRequest } from "../record/OrderRequest.ts"
import { acknowledge } from "./Acknowledge.ts"
import * as CardIdentity from "./CardIdentity.ts"
import * as Creation from "./Creation.ts"
import * as FormerOrders from "./FormerOrders.ts"

export interface RequestedFields {
  readonly amount: string | undefined
  readonly currency: string | undefined
  readonly callbackUrl: string | null
}

/** Guards that no other request of the order has the idempotency key. */
const keyIsFree = ({ idempotencyKey, merchantId, operation, orderId }: OrderRequest): ReadonlyArray<Decision.Guard> =>
  idempotencyKey === null
    ? []
    : [Decision.absent(OrderRequest, "idempotency", [merchantId, operation, orderId, idempotencyKey])]

const accept = (
  order: Order,
  planned: FollowUp.Plan,
  request: OrderRequest,
  job: Job | undefined
): Decision.Decision => ({
  guards: [
    Decision.versionIs(Order, [order.orderId], order.version),
    ...(planned.action === "capture" ? LedgerTable.room(order, ["capture"], planned.amountMinor) : []),
    ...keyIsFree(request)
  ],
  writes: [
    Decision.put(Order, planned.order),
    Decision.append(OrderRequest, request),
    ...(job === undefined ? [] : [Decision.append(Job, job)]),
    ...(planned.writes?.(request) ?? [])
  ]
})

export const make = Effect.fnUntraced(function* ({ leftMinor, name, plan }: Act) {
  const store = yield* Store
  const vault = yield* KeyVault
  const ids = yield* Ids
  const scheduler = yield* Scheduler
  const former = yield* FormerOrders.FormerOrders
  const directory = yield* Directory
  const operation = PayApi.operations[name]

  /** Gives the merchant a request that the bank had made before the gateway was put back from a copy. */
  const takeOver = Effect.fnUntraced(function* (call: Call, order: Order, unclaimed: OrderRequest) {
    const request: OrderRequest = {
      ...unclaimed,
      operation: operation.name,
      fingerprint: CardIdentity.contentFingerprint(vault, operation, call),
      idempotencyKey: call.idempotencyKey ?? null
    }
    const change = Change.all(
      Change.update(Order, order),
      { guards: keyIsFree(request), writes: [] },
      Change.writing(Decision.put(OrderRequest, request))
    )
    yield* store.commit(withNonce(change, call))
    return acknowledge(order, SerialNumber.first(request.requestId))
  })

  return Effect.fnUntraced(function* (call: Call, order: Order, requestedFields: RequestedFields) {
    const names = { clientOrderId: order.clientOrderId, orderId: order.orderId }
    const { amount, callbackUrl, currency } = requestedFields
    if (currency !== undefined && currency !== order.currency) {
      return yield* refuse("currencyMismatch", { ...names, field: "currency" })
    }
    const askedMinor = amount === undefined ? undefined : Money.toMinor(amount, order.currency)
    if (askedMinor !== undefined && Result.isFailure(askedMinor)) {
      return yield* refuse(Money.errorOf(askedMinor.failure), { ...names, field: "amount" })
    }
    const nowMs = yield* Clock.currentTimeMillis
    const unclaimed = yield* former.unclaimed(order, {
      operation: operation.name,
      amountMinor: askedMinor?.success,
      isWhole: leftMinor === undefined || leftMinor(order) === 0
    })
    if (unclaimed !== undefined) return yield* takeOver(call, order, { ...unclaimed, callbackUrl })
    const decided = plan(order, askedMinor?.success, {
      nowMs,
      // The setting is taken from the order's own endpoint, because `control` does not cover the endpoint in the path: the path
      // could name any endpoint of the merchant.
      needsAmount: directory.endpoint(order.endpointId)?.actingControl === "amount",
      takesWholeAmount: call.dialect === "pairs",
      signsOrderAmount: call.dialect === "pairs" && call.signsOrderAmount === true
    })
    const planned = yield* Effect.fromResult(
      Result.mapError(decided, ({ error, field, message }) => refuse(error, { ...names, message, field }))
    )
    const request: OrderRequest = {
      requestId: ids.next(),
      merchantId: order.merchantId,
      orderId: order.orderId,
      operation: operation.name,
      action: planned.action,
      sequence: planned.order.sequence,
      amountMinor: planned.amountMinor,
      hasAmount: planned.hasAmount,
      progress: "processing",
      fingerprint: CardIdentity.contentFingerprint(vault, operation, call),
      idempotencyKey: call.idempotencyKey ?? null,
      errorCode: null,
      errorMessage: null,
      callbackUrl,
      processorTxId: null,
      acceptedAtMs: nowMs,
      finishedAtMs: null
    }
    const kind = isOfRail(request) ? "rail" : "bank"
    const claim = scheduler.claim(nowMs, kind, order.merchantId)
    const job =
      planned.waits === true
        ? undefined
        : Jobs.make({ kind, subject: request.requestId, merchantId: order.merchantId, nowMs, claim })
    const decision = accept(order, planned, request, job)
    yield* Effect.catchIf(store.commit(withNonce(decision, call)), Transact.isWithoutRoom, () =>
      refuse("amountTooLarge", { ...names, message: Creation.noRoom })
    )
    return acknowledge(order, SerialNumber.first(request.requestId))
  })
})
