/**
 * The store of a `CallbackInbox`: expected orders, callbacks that arrived before their order was expected, and deliveries that
 * were handled. This module keeps it in memory. `@pay/flows/durable/WebFile` keeps it in a file. Implement it to use your own database.
 */
import * as KeptText from "@pay/schema/KeptText"
import { Effect, Schema } from "effect"
import * as Recent from "../engine/Recent.ts"

/** The store could not be read or written. No callback was acknowledged, and the call can be repeated. */
export class CallbackStoreError extends Schema.TaggedError<CallbackStoreError>()("CallbackStoreError", {
  cause: Schema.Defect()
}) {
  override get message(): string {
    return `the results of callbacks could not be stored: ${this.cause}`
  }
}

/** An order of the merchant whose outcome the merchant waits for. */
export interface Expected {
  readonly clientOrderId: string
  readonly endpointId?: string | undefined
}

/** An expected order as it is stored. */
export interface ExpectedOrder extends Expected {
  /** Number of status requests about the order since its last callback. */
  readonly statusRequests: number
  /** Time of the next status request, in milliseconds since 1970. */
  readonly nextStatusAtMs: number
}

/** A callback about an order that is not yet expected. */
export interface EarlyCallback {
  readonly clientOrderId: string
  readonly webhookId?: string | undefined
}

/** The number of status requests so far and the time of the next one, or `ended` if the order is final. */
export type Next = "ended" | Pick<ExpectedOrder, "statusRequests" | "nextStatusAtMs">

/** Storage for callbacks. Each method is one commit: once it succeeds, all that it wrote is stored. */
export interface CallbackStore {
  /**
   * Whether the entries survive the end of the process. If not, a callback that arrived early is stored and not acknowledged, so that
   * the gateway sends it again.
   */
  readonly isDurable: boolean
  /** Whether a delivery with this `webhook-id` was handled. */
  readonly isHandled: (webhookId: string) => Effect.Effect<boolean, CallbackStoreError>
  /** Stores a callback that arrived before its order was expected. */
  readonly addEarly: (callback: EarlyCallback) => Effect.Effect<void, CallbackStoreError>
  readonly earlyCallbacks: Effect.Effect<ReadonlyArray<EarlyCallback>, CallbackStoreError>
  /** Returns the order if it was ever expected and is still stored. */
  readonly find: (clientOrderId: string) => Effect.Effect<ExpectedOrder | undefined, CallbackStoreError>
  /**
   * Records that the order is expected. `statusAtMs` is the time of the first status request; an order that is already expected keeps
   * its time. If a callback arrived early for the order, that callback counts as handled and the order is due at `nowMs`.
   */
  readonly expect: (
    order: Expected,
    nowMs: number,
    statusAtMs: number
  ) => Effect.Effect<ExpectedOrder, CallbackStoreError>
  /** Returns the orders that are not final and whose `nextStatusAtMs` is reached, the longest overdue first. */
  readonly due: (nowMs: number, limit: number) => Effect.Effect<ReadonlyArray<ExpectedOrder>, CallbackStoreError>
  /** Records that the order was handled, and `next`. Its early callback and the delivery `webhookId` count as handled. */
  readonly recordNext: (
    clientOrderId: string,
    next: Next,
    webhookId?: string | undefined
  ) => Effect.Effect<void, CallbackStoreError>
  /** Records that handling the order failed, and when its status is requested again. */
  readonly postpone: (clientOrderId: string, next: Exclude<Next, "ended">) => Effect.Effect<void, CallbackStoreError>
}

/**
 * The numbers of entries that are kept. Beyond them the oldest entries are dropped. Expected orders that are not final are never
 * dropped.
 * - `deliveries`: handled deliveries. A repeat of a dropped delivery causes one more `status` request.
 * - `earlyCallbacks`: callbacks about orders that were not yet expected. If the callback of an order was dropped, `sweep` requests the order's status later.
 * - `ended`: final orders. Without `isKnown`, a callback about a dropped order counts as early.
 */
export interface Bounds {
  readonly deliveries: number
  readonly earlyCallbacks: number
  readonly ended: number
}

/** The default numbers of entries. */
export const bounds: Bounds = { deliveries: 10_000, earlyCallbacks: 1_000, ended: 100_000 }

/** Makes a store in memory. Its content is lost when the process ends. */
export const makeMemory = (most: Bounds = bounds): CallbackStore => {
  const deliveries = new Recent.Recent<true>(most.deliveries)
  const earlyCallbacks = new Recent.Recent<EarlyCallback>(most.earlyCallbacks)
  const ended = new Recent.Recent<ExpectedOrder>(most.ended)
  const open = new Map<string, ExpectedOrder>()

  const recordDelivery = (webhookId: string | undefined) => {
    if (webhookId !== undefined) deliveries.set(webhookId, true)
  }
  const takeEarly = (clientOrderId: string): EarlyCallback | undefined => {
    const callback = earlyCallbacks.get(clientOrderId)
    earlyCallbacks.delete(clientOrderId)
    recordDelivery(callback?.webhookId)
    return callback
  }

  return {
    isDurable: false,
    isHandled: (webhookId) => Effect.sync(() => deliveries.has(webhookId)),
    addEarly: (callback) =>
      Effect.sync(() => {
        const clientOrderId = KeptText.of(callback.clientOrderId)
        const webhookId = callback.webhookId === undefined ? undefined : KeptText.of(callback.webhookId)
        earlyCallbacks.set(clientOrderId, { clientOrderId, webhookId })
      }),
    earlyCallbacks: Effect.sync(() => earlyCallbacks.values()),
    find: (clientOrderId) => Effect.sync(() => open.get(clientOrderId) ?? ended.get(clientOrderId)),
    expect: ({ clientOrderId, endpointId }, nowMs, statusAtMs) =>
      Effect.sync(() => {
        const early = takeEarly(clientOrderId)
        const before = open.get(clientOrderId)
        const order: ExpectedOrder = {
          clientOrderId,
          endpointId: endpointId ?? before?.endpointId,
          statusRequests: before?.statusRequests ?? 0,
          nextStatusAtMs: early === undefined ? (before?.nextStatusAtMs ?? statusAtMs) : nowMs
        }
        ended.delete(clientOrderId)
        open.set(clientOrderId, order)
        return order
      }),
    due: (nowMs, limit) =>
      Effect.sync(() =>
        [...open.values()]
          .filter(({ nextStatusAtMs }) => nextStatusAtMs <= nowMs)
          .sort((one, other) => one.nextStatusAtMs - other.nextStatusAtMs)
          .slice(0, limit)
      ),
    recordNext: (clientOrderId, next, webhookId) =>
      Effect.sync(() => {
        takeEarly(clientOrderId)
        recordDelivery(webhookId)
        const order = open.get(clientOrderId)
        if (order === undefined) return
        if (next !== "ended") return void open.set(clientOrderId, { ...order, ...next })
        open.delete(clientOrderId)
        ended.set(clientOrderId, order)
      }),
    postpone: (clientOrderId, next) =>
      Effect.sync(() => {
        const order = open.get(clientOrderId)
        if (order !== undefined) open.set(clientOrderId, { ...order, ...next })
      })
  }
}
