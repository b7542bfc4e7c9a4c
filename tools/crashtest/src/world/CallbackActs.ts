/** What each fault of a callback does, exactly as its sentence in the table says. */
import { CallbackFailure, Unreachable } from "@pay/gateway/CallbackSender"
import { Effect } from "effect"
import type { Fault } from "../plan/Faults.ts"
import type { FaultAt } from "../plan/Payment.ts"
import * as Forgery from "./Forgery.ts"
import * as SentCallback from "./SentCallback.ts"
import type { Watched } from "./Watched.ts"

/** The delivery of a callback: the status of the shop's answer. */
export type Sent = Effect.Effect<{ readonly status: number }, CallbackFailure>

/** One delivery of a callback that meets a fault. */
export interface Delivery {
  readonly watched: Watched
  readonly at: FaultAt
  readonly callback: SentCallback.Callback
  readonly send: (callback: SentCallback.Callback, says?: string) => Sent
  /** Sends in the order of things: after the answer to the request before it. */
  readonly inTurn: Sent
  /** Completes when a shared fault may happen. */
  readonly reached: Effect.Effect<void>
  /** Business time. */
  readonly nowMs: number
  /** Wall time, by which callbacks are signed. */
  readonly nowSeconds: number
  readonly controlKey: string
}

/** How late a callback is: a repetition of the gateway comes after a day. */
const lateMs = 23 * 3_600_000
const withheld = Effect.fail(
  new CallbackFailure({ reason: new Unreachable({ message: "held back by the crash test" }) })
)

type Act = (delivery: Delivery) => Sent

const early: Act = ({ at, callback, inTurn, send, watched }) => {
  if (!watched.holdsAnswer) return inTurn
  watched.meet(at)
  return Effect.ensuring(
    send(callback),
    Effect.sync(() => watched.releaseAnswers())
  )
}

const late: Act = ({ at, inTurn, nowMs, watched }) => {
  const sinceMs = watched.lateSinceMs.get(at) ?? nowMs
  watched.lateSinceMs.set(at, sinceMs)
  watched.meet(at)
  return nowMs - sinceMs >= lateMs ? inTurn : withheld
}

const repeated: Act = ({ at, callback, inTurn, send, watched }) => {
  const both = Effect.all([send(callback), send(callback)], { concurrency: 2 })
  watched.meet(at)
  return Effect.flatMap(Effect.andThen(Effect.ignore(inTurn), both), ([first]) => Effect.succeed(first))
}

/** The gateway believes that the callback has arrived, and does not repeat it. */
const lost: Act = ({ at, watched }) => {
  watched.meet(at)
  return Effect.succeed({ status: 200 })
}

const disordered: Act = ({ at, inTurn, send, watched }) => {
  const earlier = watched.latestCallback
  if (earlier === undefined) return inTurn
  watched.meet(at)
  return Effect.tap(inTurn, () => Effect.ignore(send(earlier, "again")))
}

const forged: Act = ({ at, callback, controlKey, inTurn, nowSeconds, send, watched }) => {
  // A second attempt of the shop can be approved, and then there is nothing to forge.
  if (SentCallback.isApproved(callback)) return inTurn
  const { number } = watched.order.case
  const [says, forgery] = Forgery.forge(number, { genuine: callback, controlKey, nowSeconds })
  const sendForgery = Effect.ignore(send(forgery, `forged ${says}`))
  watched.meet(at)
  // Half of the forgers are first.
  return number % 2 === 0 ? Effect.andThen(sendForgery, inTurn) : Effect.tap(inTurn, () => sendForgery)
}

/** What the shop answered before it was killed counts: the gateway repeats the callback only if that was nothing. */
const killed: Act = ({ at, callback, reached, send, watched }) => {
  if (watched.hasMet(at)) return send(callback)
  watched.meet(at)
  return Effect.andThen(reached, send(callback))
}

const acts: Readonly<Partial<Record<Fault, Act>>> = {
  earlyCallback: early,
  lateCallback: late,
  repeatedCallback: repeated,
  lostCallback: lost,
  disorderedCallback: disordered,
  forgedCallback: forged,
  killedByCallback: killed
}

/** Lets a callback meet its fault. */
export const meet = (delivery: Delivery): Sent => acts[delivery.at.fault]?.(delivery) ?? delivery.inTurn
