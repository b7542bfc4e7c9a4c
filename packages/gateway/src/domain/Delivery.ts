/** What a try to deliver a callback makes of its event: delivered, to be tried at the next offset, or parked. */
import * as Decision from "./Decision.ts"
import { AgendaItem } from "./entities/AgendaItem.ts"
import { CallbackEvent } from "./entities/CallbackEvent.ts"

export interface Tried {
  readonly delivered: boolean
  /** `200`, `503`, `connection refused`, … */
  readonly result: string
  readonly nowMs: number
}

/** `next` is the event that waits behind this one for the same address, if any: it may go now. */
export const decide = (
  event: CallbackEvent,
  item: AgendaItem,
  tried: Tried,
  offsetsMs: ReadonlyArray<number>,
  next: AgendaItem | undefined
): Decision.Decision => {
  const tries = event.tries + 1
  const offsetMs = offsetsMs[event.tries]
  const moved: CallbackEvent = {
    ...event,
    tries,
    lastResult: tried.result,
    delivery: tried.delivered ? "delivered" : offsetMs === undefined ? "parked" : "pending",
    deliveredAtMs: tried.delivered ? tried.nowMs : null
  }
  const guards = [Decision.leaseIs(item.itemId, item.token ?? "")]
  if (moved.delivery === "pending") {
    return {
      guards,
      writes: [
        Decision.put(CallbackEvent, moved),
        Decision.put(AgendaItem, waiting(item, Math.max(tried.nowMs, event.createdAtMs + (offsetMs ?? 0))))
      ]
    }
  }
  return {
    guards,
    writes: [
      Decision.put(CallbackEvent, moved),
      Decision.remove(AgendaItem, [item.itemId]),
      ...(next === undefined ? [] : [Decision.put(AgendaItem, { ...next, dueAtMs: tried.nowMs })])
    ]
  }
}

/** The item, free again and due later. */
export const waiting = (item: AgendaItem, dueAtMs: number): AgendaItem => ({
  ...item,
  tries: item.tries + 1,
  openAttempts: 0,
  startedAtMs: null,
  token: null,
  leaseUntilMs: 0,
  dueAtMs
})
