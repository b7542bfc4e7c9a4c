/**
 * What a `CallbackInbox` has to remember: orders that are waited for, callbacks that came before their order, and deliveries
 * that were taken. In memory here; `@pay/flows/durable/WebFile` keeps the same in a file.
 */
import { Effect, Schema } from "effect"
import * as Recent from "./Recent.ts"

/** It could not be read or written: nothing was acknowledged, and the same may be asked again. */
export class CallbackStoreError extends Schema.TaggedError<CallbackStoreError>()("CallbackStoreError", {
  cause: Schema.Defect()
}) {
  override get message(): string {
    return `what came of callbacks could not be kept: ${this.cause}`
  }
}

/** An order of the shop's, whose outcome it waits for. */
export interface Expected {
  readonly clientOrderId: string
  readonly endpointId?: string | undefined
}

/** An expected order as it is stored. */
export interface Awaited extends Expected {
  /** How often it was asked about since there was news. */
  readonly asks: number
  /** When to ask next. */
  readonly askAtMs: number
}

/** A callback whose order nobody knows yet. */
export interface Parked {
  readonly clientOrderId: string
  /** The gateway's order identifier, as the callback states it. Do not rely on it. */
  readonly orderId: string
  readonly webhookId?: string | undefined
}

/** When to ask about an order again; `ended`: never. */
export type Next = "ended" | Pick<Awaited, "asks" | "askAtMs">

/** Each method is one commit: what it wrote is kept when it succeeds, as a whole. */
export interface CallbackStore {
  /** Whether a delivery with this `webhook-id` was taken. */
  readonly isTaken: (webhookId: string) => Effect.Effect<boolean, CallbackStoreError>
  /** Keeps an early callback. */
  readonly park: (callback: Parked) => Effect.Effect<void, CallbackStoreError>
  readonly parked: Effect.Effect<ReadonlyArray<Parked>, CallbackStoreError>
  /** The order, if it was ever expected. */
  readonly find: (clientOrderId: string) => Effect.Effect<Awaited | undefined, CallbackStoreError>
  /**
   * From now on the order is expected; one that is already keeps its time. A callback that is parked for it counts as taken,
   * and the order is due at once.
   */
  readonly expect: (order: Expected, nowMs: number, askAtMs: number) => Effect.Effect<Awaited, CallbackStoreError>
  /** Orders that have not ended and are due, the longest overdue first. */
  readonly due: (nowMs: number, limit: number) => Effect.Effect<ReadonlyArray<Awaited>, CallbackStoreError>
  /** The shop was told: what is parked for the order, and the delivery that brought the news, count as taken. */
  readonly recordNext: (
    clientOrderId: string,
    next: Next,
    webhookId?: string | undefined
  ) => Effect.Effect<void, CallbackStoreError>
  /** The shop could not be told: the order is due again then. */
  readonly postpone: (clientOrderId: string, next: Exclude<Next, "ended">) => Effect.Effect<void, CallbackStoreError>
}

/**
 * How much is kept; the oldest give way. An order that is expected never does.
 * - `deliveries`: one that was forgotten and comes again only asks `status` once more.
 * - `parked`: an order that is expected later is asked about when it has been silent.
 * - `ended`: without `isKnown`, a callback about an order that is forgotten counts as an early one.
 */
export interface Bounds {
  readonly deliveries: number
  readonly parked: number
  readonly ended: number
}

export const bounds: Bounds = { deliveries: 10_000, parked: 1_000, ended: 100_000 }

/** Kept as long as the process lives. */
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
