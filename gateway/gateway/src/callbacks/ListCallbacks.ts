/** Lists callbacks for the operator, by order or by delivery state, each with its delivery log. */
import { Effect } from "effect"
import { Store, type StoreUnavailable } from "../kernel/Store.ts"
import { CallbackAttempt, CallbackEvent, type Delivery } from "./decide/CallbackEvent.ts"

export interface CallbackQuery {
  /** The gateway's identifier of the order. */
  readonly orderId: string | undefined
  readonly delivery: Delivery | undefined
  readonly limit: number
}

export interface CallbackWithLog {
  readonly event: CallbackEvent
  readonly log: ReadonlyArray<CallbackAttempt>
}

const logLines = 1000
const maxPerOrder = 1000

/** Lists callbacks. The callbacks of one order come in the order of its events; all others come newest first. */
export const make = Effect.map(Store, (store) => {
  const eventsOf = ({ delivery, limit, orderId }: CallbackQuery) =>
    orderId === undefined
      ? store.find(CallbackEvent, "delivery", {
          equals: delivery === undefined ? [] : [delivery],
          limit,
          descending: true
        })
      : Effect.map(store.find(CallbackEvent, "order", { equals: [orderId], limit: maxPerOrder }), (events) =>
          events.filter((event) => delivery === undefined || event.delivery === delivery).slice(0, limit)
        )

  const withLog = (event: CallbackEvent): Effect.Effect<CallbackWithLog, StoreUnavailable> =>
    Effect.map(store.find(CallbackAttempt, "key", { equals: [event.eventId], limit: logLines }), (log) => ({
      event,
      log
    }))

  return (question: CallbackQuery) =>
    Effect.flatMap(eventsOf(question), (events) => Effect.forEach(events, withLog, { concurrency: "unbounded" }))
})
