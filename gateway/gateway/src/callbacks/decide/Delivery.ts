/**
 * Decides what follows from an attempt to deliver a callback: it is delivered, tried again at the next offset, or dead-lettered
 *. Also decides on an operator's request to send it again. Each decision adds a row to the delivery log.
 */

import * as Decision from "../../kernel/Decision.ts"
import { Job } from "../../kernel/Job.ts"
import * as Jobs from "../../kernel/Jobs.ts"
import { CallbackAttempt, CallbackEvent } from "./CallbackEvent.ts"

export interface AttemptResult {
  readonly delivered: boolean
  /** Result for the delivery log: `200`, `503`, `connection refused`, … */
  readonly result: string
  readonly nowMs: number
}

/**
 * Decides after an attempt. `next` is the job of the event that waits behind this one for the same address, if any. It becomes
 * due when this event is delivered or given up.
 */
export const decide = (
  event: CallbackEvent,
  job: Job,
  outcome: AttemptResult,
  offsetsMs: ReadonlyArray<number>,
  next: Job | undefined
): Decision.Decision => {
  const tries = event.tries + 1
  const offsetMs = nextOffsetMs(event, offsetsMs)
  const moved: CallbackEvent = {
    ...event,
    tries,
    lastResult: outcome.result,
    delivery: outcome.delivered ? "delivered" : offsetMs === undefined ? "dead-lettered" : "pending",
    deliveredAtMs: outcome.delivered ? outcome.nowMs : null
  }
  const guards = [Decision.leaseOf(job)]
  const logged = Decision.append(CallbackAttempt, {
    eventId: event.eventId,
    number: tries,
    what: "attempt",
    atMs: outcome.nowMs,
    result: outcome.result
  })
  if (moved.delivery === "pending") {
    return {
      guards,
      writes: [
        Decision.put(CallbackEvent, moved),
        logged,
        Decision.put(Job, Jobs.waiting(job, Math.max(outcome.nowMs, event.queuedAtMs + (offsetMs ?? 0))))
      ]
    }
  }
  return {
    guards,
    writes: [
      Decision.put(CallbackEvent, moved),
      logged,
      Decision.remove(Job, [job.jobId]),
      ...(next === undefined ? [] : [Decision.put(Job, { ...next, dueAtMs: outcome.nowMs })])
    ]
  }
}

/**
 * Returns the offset from `queuedAtMs` at which the attempt after the next one is due. `undefined`: the next attempt is the last.
 */
export const nextOffsetMs = (
  { tries, triesBefore }: CallbackEvent,
  offsetsMs: ReadonlyArray<number>
): number | undefined => offsetsMs[tries - triesBefore]

/**
 * Whether later events of the same order and address must wait for this event. They do not wait for an event that is sent again,
 * because its turn ended when it was first delivered or given up.
 */
export const keepsTurn = ({ delivery, triesBefore }: CallbackEvent): boolean =>
  delivery === "pending" && triesBefore === 0

/** Queues a delivered or dead-lettered event again. The guards fail if another request has done so meanwhile. */
export const resend = (
  event: CallbackEvent,
  nowMs: number
): { readonly decision: Decision.Decision; readonly event: CallbackEvent } => {
  const job = Jobs.make({ kind: "callback", subject: event.eventId, merchantId: event.merchantId, nowMs })
  const resend: CallbackAttempt = {
    eventId: event.eventId,
    number: event.tries,
    what: "resend",
    atMs: nowMs,
    result: event.delivery
  }
  const queued: CallbackEvent = { ...event, delivery: "pending", queuedAtMs: nowMs, triesBefore: event.tries }
  return {
    event: queued,
    decision: {
      guards: [
        Decision.absent(Job, "key", [job.jobId]),
        Decision.absent(CallbackAttempt, "key", [resend.eventId, resend.number, resend.what])
      ],
      writes: [Decision.put(CallbackEvent, queued), Decision.append(CallbackAttempt, resend), Decision.put(Job, job)]
    }
  }
}
