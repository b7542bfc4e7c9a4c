/**
 * Receives callbacks for a merchant, behind any HTTP server. It verifies the sender, drops repeats, and stores callbacks that
 * arrive before their order is expected. It never takes an outcome from a callback: it requests `status` from the gateway. A
 * callback wakes the flows that wait for the order, and `onOrder` gets the status of the order.
 */

import * as Callback from "@pay/schema/Callback"
import * as Status from "@pay/schema/Status"
import * as CallbackReceiver from "@pay/transport/CallbackReceiver"
import { PayClient } from "@pay/transport/PayClient"
import { Clock, Context, Duration, Effect, Layer, Result } from "effect"
import { FlowEngine } from "../engine/FlowEngine.ts"
import * as KeyedLock from "../engine/KeyedLock.ts"
import { lossy } from "../engine/Steps.ts"
import * as OrderStatus from "../order/OrderStatus.ts"
import { orderSignalKey } from "../requests/AwaitFinal.ts"
import * as CallbackStore from "./CallbackStore.ts"

export type { CallbackStoreError, Expected } from "./CallbackStore.ts"

/** An HTTP request to the path of `server_callback_url`, from any server. */
export interface Request {
  readonly method: string
  /** Path and query, or the complete URL. */
  readonly url: string
  /** The headers of the request. Their names may be in upper or lower case. */
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  /** The body of a POST, as it was received: the gateway posts JSON if the endpoint's `callbackFormat` is `json`. */
  readonly body?: string | undefined
}

/** The answer to the gateway. 200 acknowledges the callback; after any other status the gateway sends it again. */
export interface Reply {
  readonly status: 200 | 400 | 403 | 405 | 503
  /** Plain text for logs. */
  readonly body: string
}

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

/** The inbox for callbacks of one merchant. */
export class CallbackInbox extends Context.Service<
  CallbackInbox,
  {
    /** Handles one callback and returns the answer to it. Never fails: errors become answers. */
    readonly receive: (request: Request) => Effect.Effect<Reply>
    /** Records that the order exists at the merchant. A callback that arrived earlier is handled at once. */
    readonly expect: (order: CallbackStore.Expected) => Effect.Effect<void, CallbackStore.CallbackStoreError>
    /** Requests the status of each expected order without a callback, and returns the number of orders that have become final. */
    readonly sweep: Effect.Effect<number>
  }
>()("@pay/flows/CallbackInbox") {}

const acknowledged: Reply = { status: 200, body: "OK" }
const notCallback: Reply = { status: 405, body: "callbacks are GET requests, or POST requests with JSON" }
const later: Reply = { status: 503, body: "try again later" }
const unknownOrder: Reply = { status: 503, body: "the order is not known yet, try again later" }

const dayMs = 86_400_000

/** Number of orders that a sweep reads from the store at once. */
const page = 100

type Order = Pick<CallbackStore.ExpectedOrder, "clientOrderId" | "endpointId">

/** Makes the inbox of one merchant. See {@link layer}. */
export const make = Effect.fnUntraced(function* <E = never, R = never>(options: Options<E, R>) {
  const client = yield* PayClient
  const engine = yield* FlowEngine
  const context = yield* Effect.context<R>()
  const { onOrder, store = CallbackStore.makeMemory(), timeout = "1 minute" } = options
  const silenceMs = Math.max(1000, Duration.toMillis(options.silence ?? "15 minutes"))
  const { take: withOrderLock } = KeyedLock.make()

  /** Returns the time of the next status request after a number of status requests without a callback. */
  const nextStatusAfter = (statusRequests: number) =>
    Effect.map(Clock.currentTimeMillis, (nowMs) => ({
      statusRequests,
      nextStatusAtMs: nowMs + Math.max(silenceMs, Math.min(silenceMs * 2 ** statusRequests, dayMs))
    }))

  /** Returns the order if it exists at the merchant. */
  const findOrder = Effect.fnUntraced(function* (clientOrderId: string) {
    const order = yield* store.find(clientOrderId)
    if (options.isKnown === undefined) return order
    const isKnown = yield* Effect.provideContext(options.isKnown(clientOrderId), context)
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

  const handleCallback = Effect.fnUntraced(function* (
    callback: CallbackReceiver.VerifiedCallback,
    share: KeyedLock.Share
  ) {
    const { client_orderid: clientOrderId, webhookId } = callback
    if (webhookId !== undefined && (yield* store.isHandled(webhookId))) return acknowledged
    yield* lossy(engine.signal(orderSignalKey(client.merchant, clientOrderId), "callback"))
    if (onOrder === undefined) {
      yield* store.recordNext(clientOrderId, yield* nextStatusAfter(0), webhookId)
      return acknowledged
    }
    let order = yield* findOrder(clientOrderId)
    if (order === undefined) {
      yield* store.addEarly({ clientOrderId, webhookId })
      // The order may have become expected before the callback was stored. In that case `expect` did not handle the callback.
      order = yield* findOrder(clientOrderId)
      if (order === undefined) return store.isDurable ? acknowledged : unknownOrder
    }
    yield* handle(order, share, webhookId)
    return acknowledged
  })

  const receive = Effect.fnUntraced(function* ({ body = "", headers, method, url }: Request) {
    const isPosted = method === "POST" && Callback.isJson(body)
    if (method !== "GET" && !isPosted) return notCallback
    const received = isPosted ? { url, headers, body } : { url, headers }
    const verified = yield* Effect.result(CallbackReceiver.verify(received, options.keys))
    if (Result.isFailure(verified)) {
      const { message, reason } = verified.failure
      const refused: Reply = { status: reason === "Malformed" ? 400 : 403, body: message }
      return refused
    }
    const callback = verified.success
    return yield* withOrderLock(callback.client_orderid, (share) => handleCallback(callback, share)).pipe(
      Effect.catchCause((cause) => Effect.as(Effect.logWarning("callback", cause), later))
    )
  })

  const expect = Effect.fnUntraced(function* (expected: CallbackStore.Expected) {
    const nowMs = yield* Clock.currentTimeMillis
    const order = yield* store.expect(expected, nowMs, nowMs + silenceMs)
    if (order.nextStatusAtMs > nowMs) return
    // If this fails, the next sweep handles the order.
    yield* Effect.ignoreCause(
      withOrderLock(order.clientOrderId, (share) => handle(order, share)),
      { log: "Warn" }
    )
  })

  /** Requests the status of an order without a callback, and returns whether it is final. */
  const requestStatusOf = (order: CallbackStore.ExpectedOrder) =>
    withOrderLock(order.clientOrderId, (share) =>
      Effect.gen(function* () {
        const { clientOrderId } = order
        const isFinal = (yield* share(requestStatus(order))) === true
        yield* lossy(engine.signal(orderSignalKey(client.merchant, clientOrderId), "sweep"))
        yield* store.recordNext(clientOrderId, isFinal ? "ended" : yield* nextStatusAfter(order.statusRequests + 1))
        return isFinal
      })
    ).pipe(
      Effect.catchCause((cause) =>
        Effect.gen(function* () {
          yield* Effect.logWarning("sweep", cause)
          yield* store.postpone(order.clientOrderId, yield* nextStatusAfter(order.statusRequests + 1))
          return false
        })
      )
    )

  /** Handles early callbacks whose orders now exist at the merchant, although `expect` was not called for them. */
  const handleEarlyCallbacks = Effect.gen(function* () {
    if (options.isKnown === undefined) return
    yield* Effect.forEach(
      yield* store.earlyCallbacks,
      ({ clientOrderId }) =>
        Effect.flatMap(findOrder(clientOrderId), (order) =>
          order === undefined ? Effect.void : withOrderLock(clientOrderId, (share) => handle(order, share))
        ).pipe(Effect.ignoreCause({ log: "Warn" })),
      { concurrency: 4, discard: true }
    )
  })

  const sweep = Effect.gen(function* () {
    yield* Effect.ignoreCause(handleEarlyCallbacks, { log: "Warn" })
    const nowMs = yield* Clock.currentTimeMillis
    for (let ended = 0; ; ) {
      const dueOrders = yield* store.due(nowMs, page)
      const areFinal = yield* Effect.forEach(dueOrders, requestStatusOf, { concurrency: 4 })
      ended += areFinal.filter(Boolean).length
      if (dueOrders.length < page) return ended
    }
  }).pipe(Effect.catchCause((cause) => Effect.as(Effect.logWarning("sweep", cause), 0)))

  return CallbackInbox.of({ receive, expect, sweep })
})

/** Provides the inbox of one merchant. It requests `status` with the client of the context, and wakes flows on its engine. */
export const layer = <E = never, R = never>(
  options: Options<E, R>
): Layer.Layer<CallbackInbox, never, PayClient | FlowEngine | R> => Layer.effect(CallbackInbox, make(options))
