/**
 * The merchant's side of callbacks, whatever HTTP server receives them: proves who sent one, drops repeats, keeps those that
 * come before their order is known, and believes none of them: the outcome is what `status` says. Flows are woken; a
 * merchant's own code is told how the order stands.
 */

import * as Status from "@pay/schema/Status"
import * as CallbackReceiver from "@pay/transport/CallbackReceiver"
import { PayClient } from "@pay/transport/PayClient"
import { Clock, Context, Deferred, Duration, Effect, Layer, Result } from "effect"
import { newsKey } from "./AwaitFinal.ts"
import * as OrderStatus from "./OrderStatus.ts"
import * as Recent from "./Recent.ts"
import { Steps } from "./Steps.ts"

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
   * What the shop does with how an order stands; nothing where only flows wait. May be told the same twice: a failure makes
   * the gateway call again.
   */
  readonly onOrder?: (order: OrderStatus.OrderStatus) => Effect.Effect<void, E, R>
  /** Whether the shop knows the order; by default those that were expected since the start. */
  readonly isKnown?: (clientOrderId: string) => Effect.Effect<boolean, E, R>
  /** Without news for so long, `sweep` asks about an order. Default 15 minutes. */
  readonly silence?: Duration.Input
}

export interface Expected {
  readonly clientOrderId: string
  readonly endpointId?: string
}

export class CallbackInbox extends Context.Service<
  CallbackInbox,
  {
    /** Takes one callback. Never fails: what went wrong is an answer too. */
    readonly receive: (request: Request) => Effect.Effect<Reply>
    /** The shop knows the order from now on; a callback that came before is handled now. */
    readonly expect: (order: Expected) => Effect.Effect<void>
    /** Asks about every expected order that is not final and has been silent; how many had news. */
    readonly sweep: Effect.Effect<number>
  }
>()("@pay/flows/CallbackInbox") {}

/** Bounds of what is kept: repeats, early callbacks, and orders that are waited for. */
const most = { seen: 10_000, parked: 1_000, expected: 100_000 }

interface Waiting extends Expected {
  readonly newsAtMs: number
}

const acknowledged: Reply = { status: 200, body: "OK" }
const notGet: Reply = { status: 405, body: "callbacks are GET requests" }
const later: Reply = { status: 503, body: "try again later" }

export const make = Effect.fnUntraced(function* <E = never, R = never>(options: Options<E, R>) {
  const client = yield* PayClient
  const steps = yield* Steps
  const context = yield* Effect.context<R>()
  const silenceMs = Duration.toMillis(options.silence ?? "15 minutes")
  const seen = new Recent.Recent<Deferred.Deferred<Reply>>(most.seen)
  const parked = new Recent.Recent<string>(most.parked)
  const known = new Recent.Recent<true>(most.expected)
  const waiting = new Recent.Recent<Waiting>(most.expected)

  const isKnown = (clientOrderId: string) =>
    options.isKnown === undefined
      ? Effect.succeed(known.has(clientOrderId))
      : Effect.provideContext(options.isKnown(clientOrderId), context)

  /** Asks, tells the shop, and wakes flows. */
  const handle = Effect.fnUntraced(function* ({ clientOrderId, endpointId }: Expected, orderid?: string) {
    const answer = yield* client.status(
      { client_orderid: clientOrderId, ...(orderid === undefined ? {} : { orderid }) },
      endpointId === undefined ? {} : { endpointId }
    )
    const order = OrderStatus.of(answer)
    if (options.onOrder !== undefined) yield* Effect.provideContext(options.onOrder(order), context)
    const entry = waiting.get(clientOrderId)
    if (Status.isFinal(order.status)) waiting.delete(clientOrderId)
    else if (entry !== undefined) waiting.set(clientOrderId, { ...entry, newsAtMs: yield* Clock.currentTimeMillis })
    return order
  })

  const take = Effect.fnUntraced(function* ({ client_orderid, orderid }: CallbackReceiver.Proved) {
    yield* steps.signal(newsKey(client_orderid), "callback")
    if (options.onOrder === undefined) return acknowledged
    if (!(yield* isKnown(client_orderid))) {
      parked.set(client_orderid, orderid)
      return acknowledged
    }
    const endpointId = waiting.get(client_orderid)?.endpointId
    yield* handle({ clientOrderId: client_orderid, ...(endpointId === undefined ? {} : { endpointId }) }, orderid)
    return acknowledged
  })

  /** The same delivery twice, one after the other or at once, is taken once. */
  const once = Effect.fnUntraced(function* (proved: CallbackReceiver.Proved) {
    const { webhookId } = proved
    const taken = Effect.catchCause(take(proved), (cause) => Effect.as(Effect.logWarning("callback", cause), later))
    if (webhookId === undefined) return yield* taken
    const before = seen.get(webhookId)
    if (before !== undefined) return yield* Deferred.await(before)
    const done = Deferred.makeUnsafe<Reply>()
    seen.set(webhookId, done)
    const conclude = (reply: Reply) =>
      Effect.suspend(() => {
        if (reply.status !== 200) seen.delete(webhookId)
        return Deferred.succeed(done, reply)
      })
    return yield* taken.pipe(
      Effect.tap(conclude),
      Effect.onInterrupt(() => conclude(later))
    )
  })

  const receive = Effect.fnUntraced(function* ({ headers, method, url }: Request) {
    if (method !== "GET") return notGet
    const proved = yield* Effect.result(CallbackReceiver.verify({ url, headers }, options.keys))
    if (Result.isSuccess(proved)) return yield* once(proved.success)
    const { message, reason } = proved.failure
    const reply: Reply = { status: reason === "Malformed" ? 400 : 403, body: message }
    return reply
  })

  const expect = Effect.fnUntraced(function* (order: Expected) {
    const { clientOrderId } = order
    known.set(clientOrderId, true)
    const newsAtMs = yield* Clock.currentTimeMillis
    waiting.set(clientOrderId, { ...order, newsAtMs })
    const orderid = parked.get(clientOrderId)
    if (orderid === undefined) return
    parked.delete(clientOrderId)
    // What fails here is found by the sweep.
    yield* Effect.ignoreCause(handle(order, orderid), { log: "Warn" })
  })

  const sweep = Effect.gen(function* () {
    const nowMs = yield* Clock.currentTimeMillis
    const silent = waiting.values().filter(({ newsAtMs }) => nowMs - newsAtMs >= silenceMs)
    const told = yield* Effect.forEach(
      silent,
      (order) =>
        handle(order).pipe(
          Effect.tap(() => steps.signal(newsKey(order.clientOrderId), "sweep")),
          Effect.map(({ status }) => Status.isFinal(status)),
          Effect.catchCause(() => Effect.succeed(false))
        ),
      { concurrency: 4 }
    )
    return told.filter(Boolean).length
  })

  return CallbackInbox.of({ receive, expect, sweep })
})

/** The inbox of one merchant. It asks with the client of the context. */
export const layer = <E = never, R = never>(options: Options<E, R>): Layer.Layer<CallbackInbox, never, PayClient | R> =>
  Layer.effect(CallbackInbox, make(options))
