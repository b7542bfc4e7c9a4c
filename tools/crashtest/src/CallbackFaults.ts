/**
 * Sends the gateway's callbacks to the shop, and lets them meet the faults of callbacks. It calls this machine only. A callback
 * without a fault comes after the answer to the request before it.
 */

import { CallbackFailure, CallbackSender, Refused, Unreachable } from "@pay/gateway/CallbackSender"
import { AddressPolicy, CallbackSenderUndici, NameResolver } from "@pay/gateway/Gateway"
import { Clock, Effect, FiberSet, Layer } from "effect"
import type { Fault } from "./Faults.ts"
import * as Forgery from "./Forgery.ts"
import type { OpenOrders } from "./OpenOrders.ts"
import type { FaultAt } from "./Payment.ts"
import * as SentCallback from "./SentCallback.ts"
import type { Watched } from "./Watched.ts"

export interface Options {
  readonly orders: OpenOrders
  /** The control key of the shop. */
  readonly controlKey: string
  /** Milliseconds that a callback comes after the answer to the last request of its order, unless a fault says otherwise. */
  readonly behindMs: number
  /** Milliseconds after which a shop that does not answer a callback has not got it. */
  readonly timeoutMs: number
  /** Makes the callback one of the name that the shop gave the order. */
  readonly inward: (callback: SentCallback.Callback) => SentCallback.Callback
}

type Sent = Effect.Effect<{ readonly status: number }, CallbackFailure>

/** One delivery of a callback that meets a fault. */
interface Delivery {
  readonly watched: Watched
  readonly at: FaultAt
  readonly callback: SentCallback.Callback
  readonly send: (callback: SentCallback.Callback, says?: string) => Sent
  /** Sends in the order of things: after the answer to the request before it. */
  readonly inTurn: Sent
  /** Business time. */
  readonly nowMs: number
  readonly key: string
}

/** How late a callback is: a repetition of the gateway comes after a day. */
const lateMs = 23 * 3_600_000
/** Longest time that a callback waits for the answer to a request, in milliseconds. */
const longestTurnMs = 2000
/** Time in which a callback is sent whole, before the shop is killed that processes it. */
const sendingMs = 25

const withheld = Effect.fail(
  new CallbackFailure({ reason: new Unreachable({ message: "held back by the crash test" }) })
)

/** Resolves the names of this machine only. */
const loopbackNames = Layer.succeed(
  NameResolver,
  NameResolver.of({ resolve: (host) => Effect.succeed(host === "localhost" ? ["127.0.0.1", "::1"] : []) })
)

const isLoopback = (url: string): boolean => {
  const host = URL.parse(url)?.hostname ?? ""
  return host === "localhost" || host === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(host)
}

export const layer = ({ behindMs, controlKey, inward, orders, timeoutMs }: Options): Layer.Layer<CallbackSender> =>
  Layer.effect(
    CallbackSender,
    Effect.gen(function* () {
      const wall = Clock.Clock.defaultValue()
      const sender = yield* CallbackSender
      const run = yield* FiberSet.makeRuntime<never>()
      /** Business time at which each late callback was sent first, by its id. */
      const heldSince = new WeakMap<Watched, Map<string, number>>()
      const latest = new WeakMap<Watched, SentCallback.Callback>()

      const plain = (callback: SentCallback.Callback): Sent =>
        isLoopback(callback.url)
          ? sender.send(callback)
          : Effect.fail(new CallbackFailure({ reason: new Refused({ message: "address is not of this machine" }) }))

      const sending =
        (watched: Watched) =>
        (callback: SentCallback.Callback, says = ""): Sent => {
          const what = SentCallback.describe(SentCallback.parametersOf(callback)) + (says === "" ? "" : `, ${says}`)
          return plain(callback).pipe(
            Effect.tap(({ status }) => Effect.sync(() => watched.tell("gateway", `${what} -> ${status}`))),
            Effect.tapError(({ message }) => Effect.sync(() => watched.tell("gateway", `${what} -> ${message}`)))
          )
        }

      const turn = (watched: Watched): Effect.Effect<void> =>
        Effect.callback<void>((resume) => Effect.sync(watched.whenQuiet(() => resume(Effect.void)))).pipe(
          Effect.andThen(Effect.suspend(() => Effect.sleep(Math.max(0, behindMs - watched.quietMs)))),
          Effect.timeoutOption(longestTurnMs),
          Effect.asVoid,
          Effect.provideService(Clock.Clock, wall)
        )

      const late = ({ at, callback, inTurn, nowMs, watched }: Delivery): Sent => {
        const since = heldSince.get(watched) ?? new Map<string, number>()
        heldSince.set(watched, since)
        const id = callback.headers["webhook-id"] ?? ""
        const firstMs = since.get(id) ?? nowMs
        since.set(id, firstMs)
        watched.meet(at)
        return nowMs - firstMs >= lateMs ? inTurn : withheld
      }

      const forged = ({ at, callback, inTurn, key, send, watched }: Delivery): Sent => {
        // A second attempt of the shop can be approved, and then there is nothing to forge.
        if (SentCallback.isApproved(callback)) return inTurn
        const { number } = watched.order.case
        const nowSeconds = Math.floor(wall.currentTimeMillisUnsafe() / 1000)
        const [says, forgery] = Forgery.forge(number, { genuine: callback, controlKey: key, nowSeconds })
        const sendForgery = Effect.ignore(send(forgery, `forged ${says}`))
        watched.meet(at)
        // Half of the forgers are first.
        return number % 2 === 0 ? Effect.andThen(sendForgery, inTurn) : Effect.tap(inTurn, () => sendForgery)
      }

      const acts: Readonly<Partial<Record<Fault, (delivery: Delivery) => Sent>>> = {
        earlyCallback: ({ at, callback, inTurn, send, watched }) => {
          if (!watched.holdsAnswer) return inTurn
          watched.meet(at)
          return Effect.ensuring(
            send(callback),
            Effect.sync(() => watched.releaseAnswers())
          )
        },
        lateCallback: late,
        repeatedCallback: ({ at, callback, inTurn, send, watched }) => {
          const both = Effect.all([send(callback), send(callback)], { concurrency: 2 })
          watched.meet(at)
          return Effect.flatMap(Effect.andThen(Effect.ignore(inTurn), both), ([first]) => Effect.succeed(first))
        },
        // The gateway believes that it has arrived, and does not repeat it.
        lostCallback: ({ at, watched }) => {
          watched.meet(at)
          return Effect.succeed({ status: 200 })
        },
        disorderedCallback: ({ at, inTurn, send, watched }) => {
          const earlier = latest.get(watched)
          if (earlier === undefined) return inTurn
          watched.meet(at)
          return Effect.tap(inTurn, () => Effect.ignore(send(earlier, "again")))
        },
        forgedCallback: forged,
        killedByCallback: ({ at, callback, send, watched }) => {
          if (watched.hasMet(at)) return send(callback)
          watched.meet(at)
          run(Effect.ignore(send(callback)))
          const reaching = Effect.delay(
            Effect.suspend(() => watched.together.reached(watched.order, at)),
            sendingMs
          )
          run(Effect.provideService(reaching, Clock.Clock, wall))
          return withheld
        }
      }

      const deliver = (watched: Watched, callback: SentCallback.Callback, nowMs: number): Sent => {
        const index = watched.callback(callback.headers["webhook-id"] ?? callback.url)
        const at = watched.faultAt("callback", index)
        const send = sending(watched)
        const inTurn = Effect.andThen(turn(watched), send(callback))
        const act = at === undefined ? undefined : acts[at.fault]
        const sent =
          at === undefined || act === undefined
            ? inTurn
            : act({ watched, at, callback, send, inTurn, nowMs, key: controlKey })
        return Effect.ensuring(
          sent,
          Effect.sync(() => latest.set(watched, callback))
        )
      }

      return CallbackSender.of({
        send: (sent) =>
          Effect.flatMap(Clock.currentTimeMillis, (nowMs) => {
            const callback = inward(sent)
            const watched = orders.of(SentCallback.factsOf(SentCallback.parametersOf(callback)))
            return watched === undefined ? plain(callback) : deliver(watched, callback, nowMs)
          })
      })
    })
  ).pipe(
    Layer.provide(CallbackSenderUndici.layer({ policy: AddressPolicy.withLoopback, timeoutMs })),
    Layer.provide(loopbackNames)
  )
