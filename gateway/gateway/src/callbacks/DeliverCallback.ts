/**
 * Delivers callbacks about final outcomes to the merchant: in order per order and address, at least once, signed again for each
 * attempt.
 */

import * as CallbackContent from "@pay/schema/Callback"
import * as CallbackAddress from "@pay/schema/CallbackAddress"
import * as Callback from "@pay/signing/Callback"
import * as Form from "@pay/signing/Form"
import * as StandardWebhooks from "@pay/signing/StandardWebhooks"
import { Clock, Effect, Metric, Redacted } from "effect"
import { AuthClock } from "../kernel/AuthClock.ts"
import * as Decision from "../kernel/Decision.ts"
import * as ForeignText from "../kernel/ForeignText.ts"
import { Job } from "../kernel/Job.ts"
import * as Jobs from "../kernel/Jobs.ts"
import type { Rows } from "../kernel/Rows.ts"
import { Scheduler } from "../kernel/Scheduler.ts"
import { callbackOffsetsMs, Settings } from "../kernel/Settings.ts"
import * as Spans from "../kernel/Spans.ts"
import { Store } from "../kernel/Store.ts"
import { Directory, type Merchant } from "../merchants/Directory.ts"
import { CallbackSender } from "./CallbackSender.ts"
import * as CallbackTurns from "./CallbackTurns.ts"
import { CallbackEvent } from "./decide/CallbackEvent.ts"
import * as Delivery from "./decide/Delivery.ts"

const attempts = Metric.counter("pay_callback_tries_total", {
  description: "Tries to deliver a callback",
  incremental: true
})
const deadLettered = Metric.counter("pay_callbacks_parked_total", {
  description: "Callbacks given up after the last delivery attempt",
  incremental: true
})

/** Largest number of events of one order that are searched for an earlier undelivered one. */
const maxEvents = 1000
const behindMs = 1000
/** Largest number of events that are remembered because a later one waits for them. A forgotten one delays the later one by `behindMs`. */
const maxFollowed = 10_000
/**
 * A slow server may have one eighth of all callbacks under way. Further callbacks to it wait longer each time, up to a minute.
 */
const slowShare = 8
const longestWaitMs = 60_000

/** What is sent, and the texts that `webhook-signature` covers. */
interface Outgoing {
  readonly url: string
  readonly body?: string
  readonly signed: ReadonlyArray<string>
}

/** Returns the content with `control`: in the query of the merchant's address, after its own one, or as JSON. */
const complete = (event: CallbackEvent, newest: Redacted.Redacted<string>): Outgoing | undefined => {
  const parsed = Form.parse(event.query)
  const parameters = parsed.ok ? parsed.parameters : []
  const value = (parameter: string) => parameters.find(([name]) => name === parameter)?.[1] ?? ""
  const signed = { status: value("status"), orderid: value("orderid"), client_orderid: value("client_orderid") }
  const whole = [...parameters, ["control", Callback.sign(signed, Redacted.value(newest))] as const]
  const called = CallbackAddress.complete(event.url, event.format === "json" ? [] : whole)
  if (called === undefined) return undefined
  if (event.format === "query") return { url: called.url, signed: Callback.signedForms(called.query) }
  const body = CallbackContent.json(whole)
  return { url: called.url, body, signed: [body] }
}

export const make = Effect.gen(function* () {
  const store = yield* Store
  const sender = yield* CallbackSender
  const directory = yield* Directory
  const scheduler = yield* Scheduler
  const authClock = yield* AuthClock
  const { callbackConcurrency } = yield* Settings
  const withSpan = yield* Spans.make
  const turns = CallbackTurns.make({
    limit: callbackConcurrency - 1,
    callsToSlow: Math.ceil(callbackConcurrency / slowShare)
  })
  /** Events for which a later one waits in this process. */
  const followed = new Set<CallbackEvent["eventId"]>()
  const secrets = new WeakMap<Merchant, ReadonlyArray<Uint8Array>>()

  const secretsOf = (merchant: Merchant): ReadonlyArray<Uint8Array> => {
    const existing =
      secrets.get(merchant) ?? merchant.controlKeys.map((key) => StandardWebhooks.secret(Redacted.value(key)))
    secrets.set(merchant, existing)
    return existing
  }

  const events = (event: CallbackEvent) =>
    store.find(CallbackEvent, "order", { equals: [event.orderId], limit: maxEvents })

  const send = Effect.fnUntraced(function* (event: CallbackEvent, merchant: Merchant) {
    const [newest] = merchant.controlKeys
    if (newest === undefined) return { delivered: false, result: "the merchant has no control key" }
    const target = complete(event, newest)
    if (target === undefined) return { delivered: false, result: "not an address" }
    const headers = StandardWebhooks.sign(
      {
        id: event.eventId,
        timestampSeconds: Math.floor(authClock.nowMs() / 1000),
        content: target.signed
      },
      secretsOf(merchant)
    )
    yield* Metric.update(attempts, 1)
    const { body, url } = target
    const type = body === undefined ? {} : { "content-type": "application/json" }
    const attempt = sender.send({ url, headers: { ...type, ...headers }, body }).pipe(
      Effect.map(({ status }) => ({ delivered: status === 200, result: String(status) })),
      Effect.catch((failure) => Effect.succeed({ delivered: false, result: ForeignText.line(failure.message) }))
    )
    return yield* withSpan(attempt, "callback.deliver", () => ({ "pay.order_id": event.orderId }))
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
    const lease = Decision.leaseOf(job)
    const event = yield* rows.load(CallbackEvent, [job.subject])
    if (event === undefined || event.delivery !== "pending") {
      return yield* store.commit({ guards: [lease], writes: [Decision.remove(Job, [job.jobId])] })
    }
    if (event.sequence > 1 && Delivery.keepsTurn(event)) {
      const ahead = (yield* events(event)).find(
        (other) => Delivery.keepsTurn(other) && other.url === event.url && other.sequence < event.sequence
      )
      if (ahead !== undefined) {
        if (followed.size >= maxFollowed) followed.clear()
        followed.add(ahead.eventId)
        const before = yield* store.load(Job, [Jobs.id("callback", ahead.eventId)])
        const nowMs = yield* Clock.currentTimeMillis
        const dueAtMs = Math.max(nowMs, before?.dueAtMs ?? 0) + behindMs
        return yield* store.commit({
          guards: [lease],
          writes: [Decision.put(Job, Jobs.waiting(job, dueAtMs))]
        })
      }
    }
    const call = { merchantId: event.merchantId, server: URL.parse(event.url)?.host ?? "" }
    const isTurn = yield* turns.enter(call)
    const startedMs = yield* Clock.currentTimeMillis
    if (!isTurn) {
      const dueAtMs = startedMs + Math.min(longestWaitMs, behindMs * (1 + job.tries))
      return yield* store.commit({
        guards: [lease],
        writes: [Decision.put(Job, Jobs.waiting(job, dueAtMs))]
      })
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
    if (!outcome.delivered) {
      const log = isLast ? Effect.logWarning : Effect.logInfo
      yield* log(isLast ? "A callback was given up" : "A callback was not accepted; it is tried again").pipe(
        Effect.annotateLogs({ eventId: event.eventId, orderId: event.orderId, result: outcome.result })
      )
      if (isLast) yield* Metric.update(deadLettered, 1)
    }
    if (next !== undefined) yield* scheduler.wake
  })

  /**
   * Returns the job of the next undelivered event of the same order and address, if no process has claimed it. After a first attempt,
   * only an event that waits in this process is found. One that waits in another process looks again within `behindMs`.
   */
  const behind = Effect.fnUntraced(function* (event: CallbackEvent) {
    if (!followed.delete(event.eventId) && event.tries === 0) return undefined
    const waiting = (yield* events(event)).find(
      ({ delivery, sequence, url }) => delivery === "pending" && url === event.url && sequence > event.sequence
    )
    if (waiting === undefined) return undefined
    // Whatever waits behind this event waits behind that one now.
    followed.add(waiting.eventId)
    const job = yield* store.load(Job, [Jobs.id("callback", waiting.eventId)])
    return job?.token === null ? job : undefined
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
