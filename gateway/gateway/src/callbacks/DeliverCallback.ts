/**
 * Delivers callbacks about final outcomes to the merchant: in order per order and address, at least once, signed again for each
 * attempt.
 */

import { Clock, Effect, Metric } from "effect"
import { Job } from "../kernel/Job.ts"
import * as Jobs from "../kernel/Jobs.ts"
import type { Rows } from "../kernel/Rows.ts"
import { Scheduler } from "../kernel/Scheduler.ts"
import { callbackOffsetsMs, Settings } from "../kernel/Settings.ts"
import { Store } from "../kernel/Store.ts"
import { Directory } from "../merchants/Directory.ts"
import * as CallbackOrder from "./CallbackOrder.ts"
import * as CallbackTurns from "./CallbackTurns.ts"
import { CallbackEvent, clientOrderIdOf, serverOf } from "./decide/CallbackEvent.ts"
import * as Delivery from "./decide/Delivery.ts"
import * as SendCallback from "./SendCallback.ts"

const deadLettered = Metric.counter("pay_callbacks_parked_total", {
  description: "Callbacks given up after the last delivery attempt",
  incremental: true
})

const behindMs = 1000
/**
 * A slow server may have one eighth of all callbacks under way. Further callbacks to it wait longer each time, up to a minute.
 */
const slowShare = 8
const longestWaitMs = 60_000

export const make = Effect.gen(function* () {
  const store = yield* Store
  const send = yield* SendCallback.make
  const { aheadOf, behind } = yield* CallbackOrder.make
  const directory = yield* Directory
  const scheduler = yield* Scheduler
  const { callbackConcurrency } = yield* Settings
  const turns = CallbackTurns.make({
    limit: callbackConcurrency - 1,
    callsToSlow: Math.ceil(callbackConcurrency / slowShare)
  })
  /** Sends the callback if this process still holds its job. A call that takes long gives its place to others. */
  const attempt = Effect.fnUntraced(function* (job: Job, event: CallbackEvent, call: CallbackTurns.Call) {
    if (!(yield* scheduler.holds(job))) return undefined
    const merchant = directory.merchant(event.merchantId)
    if (merchant === undefined) return { delivered: false, result: "the merchant is no longer configured" }
    const isSlow = Effect.map(Effect.sleep(CallbackTurns.slowMs), () => turns.isSlow(call))
    return yield* Effect.raceFirst(send(event, merchant), Effect.andThen(isSlow, Effect.never))
  })

  const deliver = Effect.fnUntraced(function* (job: Job, rows: Rows) {
    const event = yield* rows.load(CallbackEvent, [job.subject])
    if (event === undefined || event.delivery !== "pending") {
      return yield* store.commit(Jobs.ended(job))
    }
    const ahead = yield* aheadOf(event)
    if (ahead !== undefined) {
      const before = yield* store.load(Job, [Jobs.id("callback", ahead.eventId)])
      const nowMs = yield* Clock.currentTimeMillis
      return yield* store.commit(Jobs.postponed(job, Math.max(nowMs, before?.dueAtMs ?? 0) + behindMs))
    }
    const about = { merchant: event.merchantId, orderId: event.orderId, clientOrderId: clientOrderIdOf(event) }
    yield* Effect.annotateLogs(take(job, event), { ...about, eventId: event.eventId })
  })

  const take = Effect.fnUntraced(function* (job: Job, event: CallbackEvent) {
    const call = { merchantId: event.merchantId, server: serverOf(event) }
    const isTurn = yield* turns.enter(call)
    const startedMs = yield* Clock.currentTimeMillis
    if (!isTurn) {
      const dueAtMs = startedMs + Math.min(longestWaitMs, behindMs * (1 + job.tries))
      return yield* store.commit(Jobs.postponed(job, dueAtMs))
    }
    const outcome = yield* Effect.onExit(attempt(job, event, call), () =>
      Effect.map(Clock.currentTimeMillis, (endedMs) => turns.leave(call, endedMs - startedMs))
    )
    if (outcome === undefined) return
    const nowMs = yield* Clock.currentTimeMillis
    const isLast = Delivery.nextOffsetMs(event, callbackOffsetsMs) === undefined
    const next = outcome.delivered || isLast ? yield* behind(event) : undefined
    const decision = Delivery.decide(event, job, { ...outcome, nowMs }, callbackOffsetsMs, next)
    yield* store.commit(decision)
    const { delivered, result } = outcome
    const log = delivered ? Effect.logDebug : isLast ? Effect.logWarning : Effect.logInfo
    const ended = isLast ? "A callback was given up" : "A callback was not accepted; it is tried again"
    yield* Effect.annotateLogs(log(delivered ? "A callback was delivered" : ended), { result })
    if (!delivered && isLast) yield* Metric.update(deadLettered, 1)
    if (next !== undefined) yield* scheduler.wake
  })

  /**
   * Delivers the callback of a job. If the commit fails, the job stays leased and is repeated when the lease ends, which "at
   * least once" allows.
   */
  return (job: Job, rows: Rows): Effect.Effect<void> =>
    Effect.catch(deliver(job, rows), (error) =>
      Effect.logDebug("A callback's outcome could not be recorded; it is sent again", error)
    )
})
