/**
 * The merchant's side of callbacks, whatever HTTP server receives them: proves who sent one, drops repeats, keeps those that
 * come before their order is known, and believes none of them: the outcome is what `status` says. Flows are woken; a
 * merchant's own code is told how the order stands.
 */

import * as Status from "@pay/schema/Status"
import * as CallbackReceiver from "@pay/transport/CallbackReceiver"
import { PayClient } from "@pay/transport/PayClient"
import { Clock, Context, Duration, Effect, Layer, Result } from "effect"
import { newsKey } from "./AwaitFinal.ts"
import * as CallbackStore from "./CallbackStore.ts"
import * as KeyedLock from "./KeyedLock.ts"
import * as OrderStatus from "./OrderStatus.ts"
import { Steps } from "./Steps.ts"

export type { CallbackStoreError, Expected } from "./CallbackStore.ts"

export interface Request {
  readonly method: string
  /** Path and query, or the whole address. */
  readonly url: string
  /** Names in any case. */
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
}

/** 200 acknowledges; after anything else the gateway calls again. */
export interface Reply {
  readonly status: 200 | 400 | 403 | 405 | 503
  /** Plain text for whoever reads a log. */
  readonly body: string
}

export interface Options<E, R> {
  readonly keys: CallbackReceiver.Keys
  /**
   * What the shop does with how an order stands; nothing where only flows wait. One at a time for each order, the latest
   * state last. May be told the same twice: a failure, or an end of the process, makes the gateway call again.
   */
  readonly onOrder?: (order: OrderStatus.OrderStatus) => Effect.Effect<void, E, R>
  /** Whether the shop knows the order; by default those that were expected. */
  readonly isKnown?: (clientOrderId: string) => Effect.Effect<boolean, E, R>
  /**
   * Without news for so long, `sweep` asks about an order; where it has none either, after twice as long, and so on up to
   * a day. Default 15 minutes.
   */
  readonly silence?: Duration.Input
  /** Question and `onOrder` may take so long together; then they have failed, and the order's next news is taken. 1 minute. */
  readonly timeout?: Duration.Input
  /**
   * The store of expected orders and deliveries. Default: in memory. `WebFile` of `@pay/flows/durable/WebFile` keeps it in a
   * file.
   */
  readonly store?: CallbackStore.CallbackStore
}

export class CallbackInbox extends Context.Service<
  CallbackInbox,
  {
    /** Takes one callback. Never fails: what went wrong is an answer too. */
    readonly receive: (request: Request) => Effect.Effect<Reply>
    /** The shop knows the order from now on; a callback that came before is handled now. */
    readonly expect: (order: CallbackStore.Expected) => Effect.Effect<void, CallbackStore.CallbackStoreError>
    /** Asks about every expected order that is not final and has been silent; how many have become final. */
    readonly sweep: Effect.Effect<number>
  }
>()("@pay/flows/CallbackInbox") {}

const acknowledged: Reply = { status: 200, body: "OK" }
const notGet: Reply = { status: 405, body: "callbacks are GET requests" }
const later: Reply = { status: 503, body: "try again later" }

const dayMs = 86_400_000

/** Orders that a sweep reads at once. */
const page = 100

type Order = Pick<CallbackStore.Awaited, "clientOrderId" | "endpointId">

export const make = Effect.fnUntraced(function* <E = never, R = never>(options: Options<E, R>) {
  const client = yield* PayClient
  const steps = yield* Steps
  const context = yield* Effect.context<R>()
  const { onOrder, store = CallbackStore.makeMemory(), timeout = "1 minute" } = options
  const silenceMs = Math.max(1000, Duration.toMillis(options.silence ?? "15 minutes"))
  const { take: inTurn } = KeyedLock.make()

  /** When to ask again about an order that was asked about so often without news. */
  const after = (asks: number) =>
    Effect.map(Clock.currentTimeMillis, (nowMs) => ({
      asks,
      askAtMs: nowMs + Math.max(silenceMs, Math.min(silenceMs * 2 ** asks, dayMs))
    }))

  /** The order as the shop knows it, if it does. */
  const awaitedBy = Effect.fnUntraced(function* (clientOrderId: string) {
    const order = yield* store.find(clientOrderId)
    if (options.isKnown === undefined) return order
    const isKnown = yield* Effect.provideContext(options.isKnown(clientOrderId), context)
    return isKnown ? { clientOrderId, endpointId: order?.endpointId } : undefined
  })

  /**
   * Asks how the order stands and tells the shop; whether it is final. By the shop's own name only: who knows the control of an
   * order of their own can move digits between the gateway's number and the name, and so prove a wrong number for another order.
   */
  const ask = Effect.fnUntraced(function* ({ clientOrderId, endpointId }: Order) {
    const answer = yield* client.status(
      { client_orderid: clientOrderId },
      endpointId === undefined ? {} : { endpointId }
    )
    const order = OrderStatus.of(answer)
    if (onOrder !== undefined) yield* Effect.provideContext(onOrder(order), context)
    return Status.isFinal(order.status)
  }, Effect.timeout(timeout))

  /** Because of a callback, which `webhookId` names; what was asked since it came need not be asked again. */
  const handle = Effect.fnUntraced(function* (order: Order, share: KeyedLock.Share, webhookId?: string) {
    const isFinal = yield* share(ask(order))
    yield* store.recordNext(order.clientOrderId, isFinal ? "ended" : yield* after(0), webhookId)
  })

  const take = Effect.fnUntraced(function* (proved: CallbackReceiver.Proved, share: KeyedLock.Share) {
    const { client_orderid: clientOrderId, orderid: orderId, webhookId } = proved
    if (webhookId !== undefined && (yield* store.isTaken(webhookId))) return
    yield* steps.signal(newsKey(clientOrderId), "callback")
    if (onOrder === undefined) return yield* store.recordNext(clientOrderId, yield* after(0), webhookId)
    let order = yield* awaitedBy(clientOrderId)
    if (order === undefined) {
      yield* store.park({ clientOrderId, orderId, webhookId })
      // The shop may have come to know it meanwhile, and have found nothing parked.
      order = yield* awaitedBy(clientOrderId)
      if (order === undefined) return
    }
    yield* handle(order, share, webhookId)
  })

  const receive = Effect.fnUntraced(function* ({ headers, method, url }: Request) {
    if (method !== "GET") return notGet
    const verified = yield* Effect.result(CallbackReceiver.verify({ url, headers }, options.keys))
    if (Result.isFailure(verified)) {
      const { message, reason } = verified.failure
      const refused: Reply = { status: reason === "Malformed" ? 400 : 403, body: message }
      return refused
    }
    const proved = verified.success
    return yield* inTurn(proved.client_orderid, (share) => take(proved, share)).pipe(
      Effect.as(acknowledged),
      Effect.catchCause((cause) => Effect.as(Effect.logWarning("callback", cause), later))
    )
  })

  const expect = Effect.fnUntraced(function* (expected: CallbackStore.Expected) {
    const nowMs = yield* Clock.currentTimeMillis
    const order = yield* store.expect(expected, nowMs, nowMs + silenceMs)
    if (order.askAtMs > nowMs) return
    // What fails here is found by the sweep.
    yield* Effect.ignoreCause(
      inTurn(order.clientOrderId, (share) => handle(order, share)),
      { log: "Warn" }
    )
  })

  /** Because of silence; whether the order is final. */
  const look = (order: CallbackStore.Awaited) =>
    inTurn(order.clientOrderId, (share) =>
      Effect.gen(function* () {
        const { clientOrderId } = order
        const isFinal = (yield* share(ask(order))) === true
        yield* steps.signal(newsKey(clientOrderId), "sweep")
        yield* store.recordNext(clientOrderId, isFinal ? "ended" : yield* after(order.asks + 1))
        return isFinal
      })
    ).pipe(
      Effect.catchCause((cause) =>
        Effect.gen(function* () {
          yield* Effect.logWarning("sweep", cause)
          yield* store.postpone(order.clientOrderId, yield* after(order.asks + 1))
          return false
        })
      )
    )

  /** Callbacks that came before their order, which the shop has come to know without saying so. */
  const overtaken = Effect.gen(function* () {
    if (options.isKnown === undefined) return
    yield* Effect.forEach(
      yield* store.parked,
      ({ clientOrderId }) =>
        Effect.flatMap(awaitedBy(clientOrderId), (order) =>
          order === undefined ? Effect.void : inTurn(clientOrderId, (share) => handle(order, share))
        ).pipe(Effect.ignoreCause({ log: "Warn" })),
      { concurrency: 4, discard: true }
    )
  })

  const sweep = Effect.gen(function* () {
    yield* Effect.ignoreCause(overtaken, { log: "Warn" })
    const nowMs = yield* Clock.currentTimeMillis
    for (let ended = 0; ; ) {
      const silent = yield* store.due(nowMs, page)
      const looked = yield* Effect.forEach(silent, look, { concurrency: 4 })
      ended += looked.filter(Boolean).length
      if (silent.length < page) return ended
    }
  }).pipe(Effect.catchCause((cause) => Effect.as(Effect.logWarning("sweep", cause), 0)))

  return CallbackInbox.of({ receive, expect, sweep })
})

/** The inbox of one merchant. It asks with the client of the context. */
export const layer = <E = never, R = never>(options: Options<E, R>): Layer.Layer<CallbackInbox, never, PayClient | R> =>
  Layer.effect(CallbackInbox, make(options))
