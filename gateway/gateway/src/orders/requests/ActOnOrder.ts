/**
 * The operations that act on an existing order: `capture`, `void`, `return` and the follow-ups of other capabilities. Each one is
 * stored durably before it is answered.
 */

import * as Money from "@pay/schema/Money"
import * as PayApi from "@pay/schema/PayApi"
import { Clock, Effect, Result } from "effect"
import * as MerchantUrls from "../../callbacks/MerchantUrls.ts"
import { type Answer, type Refusal, refuse, refuseFields } from "../../kernel/Answer.ts"
import * as Change from "../../kernel/Change.ts"
import * as Decision from "../../kernel/Decision.ts"
import { Ids } from "../../kernel/Ids.ts"
import { Job } from "../../kernel/Job.ts"
import * as Jobs from "../../kernel/Jobs.ts"
import { KeyedLock } from "../../kernel/KeyedLock.ts"
import * as LedgerTable from "../../kernel/LedgerTable.ts"
import { Scheduler } from "../../kernel/Scheduler.ts"
import * as SerialNumber from "../../kernel/SerialNumber.ts"
import { Settings } from "../../kernel/Settings.ts"
import { Store } from "../../kernel/Store.ts"
import * as Transact from "../../kernel/Transact.ts"
import { type Call, type Handler, settled, spend, withNonce } from "../../merchants/Call.ts"
import { Directory } from "../../merchants/Directory.ts"
import { KeyVault } from "../../vault/KeyVault.ts"
import * as FollowUp from "../decide/FollowUp.ts"
import * as Repeat from "../decide/Repeat.ts"
import { Order } from "../record/Order.ts"
import { isOfRail, OrderRequest } from "../record/OrderRequest.ts"
import { acknowledge } from "./Acknowledge.ts"
import * as CardIdentity from "./CardIdentity.ts"
import * as Creation from "./Creation.ts"
import * as FormerOrders from "./FormerOrders.ts"
import { namedOrder } from "./NamedOrder.ts"

export interface Terms extends FollowUp.Terms {
  readonly nowMs: number
}

/** Operations that name an order and move its money. */
export const names = ["CAPTURE", "VOID", "RETURN", "PAYOUT_V4_PAY"] as const satisfies ReadonlyArray<PayApi.Name>
export type Name = (typeof names)[number]

/** The change that an operation requests of an order. */
export interface Act {
  readonly name: Name
  readonly plan: (order: Order, askedMinor: number | undefined, terms: Terms) => Result.Result<FollowUp.Plan, Refusal>
  /**
   * True: every later request of this operation on the order counts as a repetition, because the action can be done only once.
   */
  readonly once: boolean
  /** Returns the amount that leaves nothing for a further request of this operation on the order. */
  readonly wholeMinor?: (order: Order) => number
  /** Returns the amount that a further request of this operation may move. */
  readonly leftMinor?: (order: Order) => number
}

export const capture: Act = {
  name: "CAPTURE",
  plan: FollowUp.capture,
  once: false,
  wholeMinor: ({ authorizedMinor }) => authorizedMinor,
  leftMinor: FollowUp.capturableMinor
}
export const voidHold: Act = { name: "VOID", plan: FollowUp.voidHold, once: false }
export const refund: Act = {
  name: "RETURN",
  plan: FollowUp.refund,
  once: false,
  wholeMinor: ({ capturedMinor }) => capturedMinor,
  leftMinor: FollowUp.refundableMinor
}

/** Largest number of requests of one order that are searched for repetitions without a key: more than any order should have. */
const maxRequests = 10_000

export const make = Effect.fnUntraced(function* ({ leftMinor, name, once, plan, wholeMinor }: Act) {
  const store = yield* Store
  const vault = yield* KeyVault
  const ids = yield* Ids
  const scheduler = yield* Scheduler
  const settings = yield* Settings
  const locks = yield* KeyedLock
  const former = yield* FormerOrders.FormerOrders
  const directory = yield* Directory
  const operation = PayApi.operations[name]

  /**
   * Returns the request that has the call's idempotency key. Without a key it returns every request of the order that the call
   * may repeat.
   */
  const earlierOf = Effect.fnUntraced(function* (call: Call, { orderId }: Order) {
    const { idempotencyKey, merchant } = call
    if (idempotencyKey === undefined || once)
      return yield* store.find(OrderRequest, "order", { equals: [orderId], limit: maxRequests, descending: true })
    const bound = [merchant.login, operation.name, orderId, idempotencyKey]
    const holder = yield* store.load(OrderRequest, bound, "idempotency")
    return holder === undefined ? [] : [holder]
  })

  const repeatOf = Effect.fnUntraced(function* (call: Call, order: Order) {
    const { amount } = call.fields
    const amountMinor = amount === undefined ? undefined : Money.toMinor(amount, order.currency)
    if (amountMinor !== undefined && Result.isFailure(amountMinor)) return undefined
    const verdict = Repeat.judge(
      {
        operation: operation.name,
        fingerprintLike: (earlier) => CardIdentity.contentFingerprint(vault, operation, call, earlier),
        idempotencyKey: call.idempotencyKey,
        amountMinor: amountMinor?.success,
        nowMs: yield* Clock.currentTimeMillis,
        repeatWindowMs: settings.repeatWindowMs,
        // Clients of the older dialect send the amount in each request and have no Idempotency-Key.
        wholeMinor: call.dialect === "pairs" ? wholeMinor?.(order) : undefined,
        once
      },
      yield* earlierOf(call, order)
    )
    const names = { clientOrderId: order.clientOrderId, orderId: order.orderId }
    switch (verdict._tag) {
      case "New":
        return undefined
      case "Replay":
        return acknowledge(order, SerialNumber.again(verdict.of.requestId, ids.salt()))
      case "KeyTaken":
        return yield* refuse("idempotencyKeyConflict", names)
      case "Ambiguous": {
        const serialNumber = SerialNumber.first(verdict.with.requestId)
        return yield* refuse("repeatedWithoutKey", {
          ...names,
          message: `An equal ${operation.command} was accepted as ${serialNumber}; send the header Idempotency-Key to ask for another one`
        })
      }
    }
  })

  const replay = Effect.fnUntraced(function* (call: Call) {
    const order = yield* namedOrder(call.rows, call)
    return order === undefined ? undefined : yield* repeatOf(call, order)
  })

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

  const attempt = Effect.fnUntraced(function* (call: Call, order: Order, requestedFields: RequestedFields) {
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

  const perform = Effect.fnUntraced(function* (call: Call) {
    const decoded = operation.decodeFields(call.fields)
    const clientOrderId = call.fields.client_orderid
    if (Result.isFailure(decoded)) return yield* refuseFields(decoded.failure, clientOrderId)
    const { notify_url, server_callback_url } = decoded.success
    const { amount, currency } = call.fields
    yield* Effect.fromResult(MerchantUrls.check(decoded.success, settings, clientOrderId))
    const requestedFields: RequestedFields = {
      amount,
      currency,
      callbackUrl: server_callback_url ?? notify_url ?? null
    }
    const named = yield* namedOrder(call.rows, call)
    if (named === undefined) return yield* refuse("orderNotFound")
    // `replay` has judged the request on these rows. If another request changes the order meanwhile, it is judged again.
    let order: Order = named
    let repeatAnswer: Answer | undefined
    const reload = Effect.gen(function* () {
      order = (yield* namedOrder(store, call)) ?? order
      repeatAnswer = yield* repeatOf(call, order)
    })
    return yield* settled(
      locks(decoded.success.orderid),
      Effect.suspend(() =>
        repeatAnswer === undefined
          ? attempt(call, order, requestedFields)
          : Effect.as(spend(store, call.nonce), repeatAnswer)
      ),
      reload
    )
  })

  const handler: Handler = { operation, replay, perform, reads: false }
  return handler
})

interface RequestedFields {
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
