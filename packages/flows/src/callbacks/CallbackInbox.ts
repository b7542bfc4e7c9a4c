/**
 * Receives callbacks for a merchant, behind any HTTP server. It verifies the sender, drops repeats, and stores callbacks that
 * arrive before their order is expected. It never takes an outcome from a callback: it requests `status` from the gateway. A
 * callback wakes the flows that wait for the order, and `onOrder` gets the status of the order.
 */

import * as Callback from "@pay/schema/Callback"
import * as CallbackReceiver from "@pay/transport/CallbackReceiver"
import { PayClient } from "@pay/transport/PayClient"
import { Clock, Context, Duration, Effect, Layer, Result } from "effect"
import { FlowEngine } from "../engine/FlowEngine.ts"
import * as KeyedLock from "../engine/KeyedLock.ts"
import { lossy } from "../engine/Steps.ts"
import { orderSignalKey } from "../requests/AwaitFinal.ts"
import * as CallbackStore from "./CallbackStore.ts"
import type { Options } from "./StatusRequests.ts"
import * as StatusRequests from "./StatusRequests.ts"
import * as SweepOrders from "./SweepOrders.ts"

export type { CallbackStoreError, Expected } from "./CallbackStore.ts"
export type { Options } from "./StatusRequests.ts"

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

/** Makes the inbox of one merchant. See {@link layer}. */
export const make = Effect.fnUntraced(function* <E = never, R = never>(options: Options<E, R>) {
  const client = yield* PayClient
  const engine = yield* FlowEngine
  const { onOrder, store = CallbackStore.makeMemory() } = options
  const silenceMs = Math.max(1000, Duration.toMillis(options.silence ?? "15 minutes"))
  const { take: withOrderLock } = KeyedLock.make()
  const requests = yield* StatusRequests.make(options, store, silenceMs)
  const { findOrder, handle, nextStatusAfter } = requests
  const sweep = yield* SweepOrders.make(options, store, requests, withOrderLock)

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

  return CallbackInbox.of({ receive, expect, sweep })
})

/** Provides the inbox of one merchant. It requests `status` with the client of the context, and wakes flows on its engine. */
export const layer = <E = never, R = never>(
  options: Options<E, R>
): Layer.Layer<CallbackInbox, never, PayClient | FlowEngine | R> => Layer.effect(CallbackInbox, make(options))
