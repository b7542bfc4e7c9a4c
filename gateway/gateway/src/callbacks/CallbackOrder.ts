/** Keeps the order of the callbacks about one order to one address: a callback waits until the earlier ones have ended. */

import { Effect } from "effect"
import { Job } from "../kernel/Job.ts"
import * as Jobs from "../kernel/Jobs.ts"
import { Store } from "../kernel/Store.ts"
import { CallbackEvent } from "./decide/CallbackEvent.ts"
import * as Delivery from "./decide/Delivery.ts"

/** Largest number of events of one order that are searched for an earlier undelivered one. */
const maxEvents = 1000
/** Largest number of events that are remembered because a later one waits for them. A forgotten one delays the later one by `behindMs`. */
const maxFollowed = 10_000

export const make = Effect.gen(function* () {
  const store = yield* Store
  /** Events for which a later one waits in this process. */
  const followed = new Set<CallbackEvent["eventId"]>()

  const events = (event: CallbackEvent) =>
    store.find(CallbackEvent, "order", { equals: [event.orderId], limit: maxEvents })

  /** Returns an earlier event that is not delivered yet. */
  const aheadOf = Effect.fnUntraced(function* (event: CallbackEvent) {
    if (event.sequence <= 1 || !Delivery.keepsTurn(event)) return undefined
    const ahead = (yield* events(event)).find(
      (other) => Delivery.keepsTurn(other) && other.url === event.url && other.sequence < event.sequence
    )
    if (ahead === undefined) return undefined
    if (followed.size >= maxFollowed) followed.clear()
    followed.add(ahead.eventId)
    return ahead
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

  return { aheadOf, behind }
})
