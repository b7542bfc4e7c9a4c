/**
 * What a try to deliver a callback makes of its event: delivered, to be tried at the next offset, or parked; and what an
 * operator makes of one that is no longer tried. Each leaves a line in the delivery log.
 */

import * as Decision from "../kernel/Decision.ts"
import { Job } from "../kernel/Job.ts"
import * as Jobs from "../kernel/Jobs.ts"
import { CallbackAttempt, CallbackEvent } from "./CallbackEvent.ts"

export interface Tried {
  readonly delivered: boolean
  /** `200`, `503`, `connection refused`, … */
  readonly result: string
  readonly nowMs: number
}

/** `next` is the event that waits behind this one for the same address, if any: it may go now. */
export const decide = (
  event: CallbackEvent,
  item: Job,
  tried: Tried,
  offsetsMs: ReadonlyArray<number>,
  next: Job | undefined
): Decision.Decision => {
  const tries = event.tries + 1
  const offsetMs = nextOffsetMs(event, offsetsMs)
  const moved: CallbackEvent = {
    ...event,
    tries,
    lastResult: tried.result,
    delivery: tried.delivered ? "delivered" : offsetMs === undefined ? "parked" : "pending",
    deliveredAtMs: tried.delivered ? tried.nowMs : null
  }
  const guards = [Decision.leaseOf(item)]
  const logged = Decision.append(CallbackAttempt, {
    eventId: event.eventId,
    number: tries,
    what: "attempt",
    atMs: tried.nowMs,
    result: tried.result
  })
  if (moved.delivery === "pending") {
    return {
      guards,
      writes: [
        Decision.put(CallbackEvent, moved),
        logged,
        Decision.put(Job, Jobs.waiting(item, Math.max(tried.nowMs, event.queuedAtMs + (offsetMs ?? 0))))
      ]
    }
  }
  return {
    guards,
    writes: [
      Decision.put(CallbackEvent, moved),
      logged,
      Decision.remove(Job, [item.itemId]),
      ...(next === undefined ? [] : [Decision.put(Job, { ...next, dueAtMs: tried.nowMs })])
    ]
  }
}

/** How long after it was queued the try after the next one is due; undefined: the next one is the last. */
export const nextOffsetMs = (
  { tries, triesBefore }: CallbackEvent,
  offsetsMs: ReadonlyArray<number>
): number | undefined => offsetsMs[tries - triesBefore]

/**
 * An event that waits keeps later ones of its order and address waiting. One that was sent again out of its turn does not:
 * they have overtaken it before.
 */
export const keepsTurn = ({ delivery, triesBefore }: CallbackEvent): boolean =>
  delivery === "pending" && triesBefore === 0

/** Starts the tries of a delivered or parked event anew; the guards fail where somebody has done so meanwhile. */
export const again = (
  event: CallbackEvent,
  nowMs: number
): { readonly decision: Decision.Decision; readonly event: CallbackEvent } => {
  const item = Jobs.make({ kind: "callback", subject: event.eventId, merchantId: event.merchantId, nowMs })
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
        Decision.absent(Job, "key", [item.itemId]),
        Decision.absent(CallbackAttempt, "key", [resend.eventId, resend.number, resend.what])
      ],
      writes: [Decision.put(CallbackEvent, queued), Decision.append(CallbackAttempt, resend), Decision.put(Job, item)]
    }
  }
}
