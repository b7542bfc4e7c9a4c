/** Requests the status of an order after a callback, or after a long time without one. */
import * as Status from "@pay/schema/Status"
import type * as CallbackReceiver from "@pay/transport/CallbackReceiver"
import { PayClient } from "@pay/transport/PayClient"
import { Clock, type Duration, Effect } from "effect"
import type * as KeyedLock from "../engine/KeyedLock.ts"
import * as OrderStatus from "../order/OrderStatus.ts"
import type * as CallbackStore from "./CallbackStore.ts"

/** The options of the inbox for callbacks of one merchant. */
export interface Options<E, R> {
  readonly keys: CallbackReceiver.Keys
  /**
   * Handles the status of an order. Leave it out if only flows wait for callbacks. Calls for one order run one after another, and
   * the latest status comes last. It may be called twice with the same status, because the gateway repeats the callback after a
   * failure or an end of the process.
   */
  readonly onOrder?: (order: OrderStatus.OrderStatus) => Effect.Effect<void, E, R>
  /** Whether the order exists at the merchant. Default: the orders that were passed to `expect`. */
  readonly isKnown?: (clientOrderId: string) => Effect.Effect<boolean, E, R>
  /**
   * The time without a callback after which `sweep` requests the status of an order. It doubles after each request that shows no final
   * status, up to a day. Default 15 minutes.
   */
  readonly silence?: Duration.Input
  /** Longest time for the status request and `onOrder` together. After it they count as failed. Default 1 minute. */
  readonly timeout?: Duration.Input
  /**
   * The store of expected orders and deliveries. Default: in memory. `WebFile` of `@pay/flows/durable/WebFile` keeps it in a
   * file.
   */
  readonly store?: CallbackStore.CallbackStore
}

const dayMs = 86_400_000

export type Order = Pick<CallbackStore.ExpectedOrder, "clientOrderId" | "endpointId">

export const make = Effect.fnUntraced(function* <E, R>(
  { isKnown: isKnownToMerchant, onOrder, timeout = "1 minute" }: Options<E, R>,
  store: CallbackStore.CallbackStore,
  silenceMs: number
) {
  const client = yield* PayClient
  const context = yield* Effect.context<R>()

  /** Returns the time of the next status request after a number of status requests without a callback. */
  const nextStatusAfter = (statusRequests: number) =>
    Effect.map(Clock.currentTimeMillis, (nowMs) => ({
      statusRequests,
      nextStatusAtMs: nowMs + Math.max(silenceMs, Math.min(silenceMs * 2 ** statusRequests, dayMs))
    }))

  /** Returns the order if it exists at the merchant. */
  const findOrder = Effect.fnUntraced(function* (clientOrderId: string) {
    const order = yield* store.find(clientOrderId)
    if (isKnownToMerchant === undefined) return order
    const isKnown = yield* Effect.provideContext(isKnownToMerchant(clientOrderId), context)
    return isKnown ? { clientOrderId, endpointId: order?.endpointId } : undefined
  })

  /**
   * Requests the status of the order, passes it to `onOrder`, and returns whether it is final. The request contains only
   * `client_orderid`. The control value of a callback covers the two identifiers without a separator, so a customer could move
   * digits from one to the other, and the `orderid` of a callback may be wrong.
   */
  const requestStatus = Effect.fnUntraced(function* ({ clientOrderId, endpointId }: Order) {
    const answer = yield* client.status(
      { client_orderid: clientOrderId },
      endpointId === undefined ? {} : { endpointId }
    )
    const order = OrderStatus.of(answer)
    if (onOrder !== undefined) yield* Effect.provideContext(onOrder(order), context)
    return Status.isFinal(order.status)
  }, Effect.timeout(timeout))

  /**
   * Handles a callback about the order. `webhookId` identifies its delivery, unless the callback is stored as early. A status request that
   * began after the callback arrived is not repeated.
   */
  const handle = Effect.fnUntraced(function* (order: Order, share: KeyedLock.Share, webhookId?: string) {
    const isFinal = yield* share(requestStatus(order))
    yield* store.recordNext(order.clientOrderId, isFinal ? "ended" : yield* nextStatusAfter(0), webhookId)
  })

  return { findOrder, handle, nextStatusAfter, requestStatus }
})

export type StatusRequests = Effect.Success<ReturnType<typeof make>>
