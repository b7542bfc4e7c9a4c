/**
 * The store of a `CallbackInbox`: expected orders, callbacks that arrived before their order was expected, and deliveries that
 * were handled. This module keeps it in memory. `@pay/flows/durable/WebFile` keeps it in a file. Implement it to use your own database.
 */
import { Effect, Schema } from "effect"
import * as Recent from "./Recent.ts"

/** The store could not be read or written. No callback was acknowledged, and the call can be repeated. */
export class CallbackStoreError extends Schema.TaggedError<CallbackStoreError>()("CallbackStoreError", {
  cause: Schema.Defect()
}) {
  override get message(): string {
    return `what came of callbacks could not be kept: ${this.cause}`
  }
}

/** An order of the merchant whose outcome the merchant waits for. */
export interface Expected {
  readonly clientOrderId: string
  readonly endpointId?: string | undefined
}

/** An expected order as it is stored. */
export interface Awaited extends Expected {
  /** Number of status requests about the order since its last news. */
  readonly asks: number
  /** Time of the next status request, in milliseconds since 1970. */
  readonly askAtMs: number
}

/** A callback about an order that is not yet expected. */
export interface Parked {
  readonly clientOrderId: string
  /** The gateway's order identifier, as the callback states it. Do not rely on it. */
  readonly orderId: string
  readonly webhookId?: string | undefined
}

/** The number of status requests so far and the time of the next one, or `ended` if the order is final. */
export type Next = "ended" | Pick<Awaited, "asks" | "askAtMs">

/** Storage for callbacks. Each method is one commit: once it succeeds, all that it wrote is stored. */
export interface CallbackStore {
  /** Whether a delivery with this `webhook-id` was handled. */
  readonly isTaken: (webhookId: string) => Effect.Effect<boolean, CallbackStoreError>
  /** Stores a callback that arrived before its order was expected. */
  readonly park: (callback: Parked) => Effect.Effect<void, CallbackStoreError>
  readonly parked: Effect.Effect<ReadonlyArray<Parked>, CallbackStoreError>
  /** Returns the order if it was ever expected and is still stored. */
  readonly find: (clientOrderId: string) => Effect.Effect<Awaited | undefined, CallbackStoreError>
  /**
   * Records that the order is expected. `askAtMs` is the time of the first status request; an order that is already expected keeps
   * its time. If a callback is parked for the order, that callback counts as handled and the order is due at `nowMs`.
   */
  readonly expect: (order: Expected, nowMs: number, askAtMs: number) => Effect.Effect<Awaited, CallbackStoreError>
  /** Returns the orders that are not final and whose `askAtMs` is reached, the longest overdue first. */
  readonly due: (nowMs: number, limit: number) => Effect.Effect<ReadonlyArray<Awaited>, CallbackStoreError>
  /** Records that the order was handled, and `next`. Its parked callback and the delivery `webhookId` count as handled. */
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
 * - `parked`: early callbacks. If the callback of an order was dropped, `sweep` requests the order's status later.
 * - `ended`: final orders. Without `isKnown`, a callback about a dropped order counts as early.
 */
export interface Bounds {
  readonly deliveries: number
  readonly parked: number
  readonly ended: number
}

/** The default numbers of entries. */
export const bounds: Bounds = { deliveries: 10_000, parked: 1_000, ended: 100_000 }

/** Makes a store in memory. Its content is lost when the process ends. */
export const makeMemory = (most: Bounds = bounds): CallbackStore => {
  const deliveries = new Recent.Recent<true>(most.deliveries)
  const parked = new Recent.Recent<Parked>(most.parked)
  const ended = new Recent.Recent<Awaited>(most.ended)
  const open = new Map<string, Awaited>()

  const take = (webhookId: string | undefined) => {
    if (webhookId !== undefined) deliveries.set(webhookId, true)
  }
  const unpark = (clientOrderId: string): Parked | undefined => {
    const callback = parked.get(clientOrderId)
    parked.delete(clientOrderId)
    take(callback?.webhookId)
    return callback
  }

  return {
    isTaken: (webhookId) => Effect.sync(() => deliveries.has(webhookId)),
    park: (callback) =>
      Effect.sync(() => {
        parked.set(callback.clientOrderId, callback)
      }),
    parked: Effect.sync(() => parked.values()),
    find: (clientOrderId) => Effect.sync(() => open.get(clientOrderId) ?? ended.get(clientOrderId)),
    expect: ({ clientOrderId, endpointId }, nowMs, askAtMs) =>
      Effect.sync(() => {
        const early = unpark(clientOrderId)
        const before = open.get(clientOrderId)
        const order: Awaited = {
          clientOrderId,
          endpointId: endpointId ?? before?.endpointId,
          asks: before?.asks ?? 0,
          askAtMs: early === undefined ? (before?.askAtMs ?? askAtMs) : nowMs
        }
        ended.delete(clientOrderId)
        open.set(clientOrderId, order)
        return order
      }),
    due: (nowMs, limit) =>
      Effect.sync(() =>
        [...open.values()]
          .filter(({ askAtMs }) => askAtMs <= nowMs)
          .sort((one, other) => one.askAtMs - other.askAtMs)
          .slice(0, limit)
      ),
    recordNext: (clientOrderId, next, webhookId) =>
      Effect.sync(() => {
        unpark(clientOrderId)
        take(webhookId)
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
