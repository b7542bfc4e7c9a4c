/**
 * Sends the gateway's callbacks to the shop, and lets them meet the faults of callbacks. It calls this machine only. A callback
 * without a fault comes after the answer to the request before it.
 */
import { CallbackFailure, CallbackSender, Refused } from "@pay/gateway/CallbackSender"
import { AddressPolicy, CallbackSenderUndici, NameResolver } from "@pay/gateway/Gateway"
import * as Loopback from "@pay/schema/Loopback"
import { Clock, Effect, Layer } from "effect"
import * as CallbackActs from "./CallbackActs.ts"
import type { OpenOrders } from "./OpenOrders.ts"
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

type Sent = CallbackActs.Sent

/** Longest time that a callback waits for the answer to a request, in milliseconds. */
const longestTurnMs = 2000

/** The time of the machine. Callbacks are sent by fibers of the gateway, which live on business time. */
const wall = Clock.Clock.defaultValue()
const onWallTime = Effect.provideService(Clock.Clock, wall)

/** Resolves the names of this machine only. */
const loopbackNames = Layer.succeed(
  NameResolver,
  NameResolver.of({ resolve: (host) => Effect.succeed(host === "localhost" ? ["127.0.0.1", "::1"] : []) })
)

const notOfThisMachine = Effect.fail(
  new CallbackFailure({ reason: new Refused({ message: "address is not of this machine" }) })
)

/** Sends to this machine only. */
const sendingTo =
  (sender: CallbackSender["Service"]) =>
  (callback: SentCallback.Callback): Sent =>
    Loopback.isOn(callback.url) ? sender.send(callback) : notOfThisMachine

/** Sends a callback of an order, and tells what the shop answered. */
const tellingTo =
  (watched: Watched, sendTo: (callback: SentCallback.Callback) => Sent) =>
  (callback: SentCallback.Callback, says = ""): Sent => {
    const what = SentCallback.describe(SentCallback.parametersOf(callback)) + (says === "" ? "" : `, ${says}`)
    return sendTo(callback).pipe(
      Effect.tap(({ status }) => Effect.sync(() => watched.tell("gateway", `${what} -> ${status}`))),
      Effect.tapError(({ message }) => Effect.sync(() => watched.tell("gateway", `${what} -> ${message}`)))
    )
  }

/** Waits until the requests of the order are answered, and a moment longer, in which the shop stores the answer. */
const turn = (watched: Watched, behindMs: number): Effect.Effect<void> =>
  Effect.callback<void>((resume) => Effect.sync(watched.whenQuiet(() => resume(Effect.void)))).pipe(
    Effect.andThen(Effect.suspend(() => Effect.sleep(Math.max(0, behindMs - watched.quietMs)))),
    Effect.timeoutOption(longestTurnMs),
    Effect.asVoid,
    onWallTime
  )

const make = ({ behindMs, controlKey, inward, orders }: Options) =>
  Effect.gen(function* () {
    const sendTo = sendingTo(yield* CallbackSender)

    const deliver = (watched: Watched, callback: SentCallback.Callback, nowMs: number): Sent => {
      const at = watched.faultAt("callback", watched.callback(callback.headers["webhook-id"] ?? callback.url))
      const send = tellingTo(watched, sendTo)
      const inTurn = Effect.andThen(turn(watched, behindMs), send(callback))
      const nowSeconds = Math.floor(wall.currentTimeMillisUnsafe() / 1000)
      const sent =
        at === undefined
          ? inTurn
          : CallbackActs.meet({
              ...{ watched, at, callback, send, inTurn, nowMs, nowSeconds, controlKey },
              reached: onWallTime(watched.together.reached(watched.order, at))
            })
      const remember = Effect.sync(() => {
        watched.latestCallback = callback
      })
      return Effect.ensuring(sent, remember)
    }

    return CallbackSender.of({
      send: (sent) =>
        Effect.flatMap(Clock.currentTimeMillis, (nowMs) => {
          const callback = inward(sent)
          const watched = orders.of(SentCallback.factsOf(SentCallback.parametersOf(callback)))
          return watched === undefined ? sendTo(callback) : deliver(watched, callback, nowMs)
        })
    })
  })

export const layer = (options: Options): Layer.Layer<CallbackSender> =>
  Layer.effect(CallbackSender, make(options)).pipe(
    Layer.provide(CallbackSenderUndici.layer({ policy: AddressPolicy.withLoopback, timeoutMs: options.timeoutMs })),
    Layer.provide(loopbackNames)
  )
