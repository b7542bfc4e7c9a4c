/** The outbox: a final outcome on its way to the merchant, written in the commit that made it final. */
import * as Entity from "../kernel/Entity.ts"

export type Delivery = "pending" | "delivered" | "parked"

export const CallbackEvent = Entity.make("callbacks", {
  columns: {
    /** Also the `webhook-id`: the same over all tries. */
    eventId: Entity.text(),
    merchantId: Entity.text(),
    orderId: Entity.text(),
    requestId: Entity.text(),
    /** Order of events of one order. */
    sequence: Entity.integer,
    url: Entity.text(),
    /** What is told: the encoded query without its `control`. */
    query: Entity.text(),
    delivery: Entity.text<Delivery>(),
    tries: Entity.integer,
    /** When its tries began, at first or again, and how many it had by then. */
    queuedAtMs: Entity.integer,
    triesBefore: Entity.integer,
    /** What the last try met: `200`, `connect ECONNREFUSED`, … */
    lastResult: Entity.textOrNull(),
    createdAtMs: Entity.integer,
    deliveredAtMs: Entity.integerOrNull
  },
  key: ["eventId"],
  index: { order: ["orderId", "sequence"], delivery: ["delivery", "createdAtMs"] }
})
export type CallbackEvent = Entity.Row<typeof CallbackEvent>

/** The delivery log: each time a callback was sent, and each time an operator asked for it again. Forgotten after a while. */
export const CallbackAttempt = Entity.make("callbackTries", {
  columns: {
    eventId: Entity.text(),
    /** Counts the event's tries. The entry for an operator's request carries the number of the try before it. */
    number: Entity.integer,
    what: Entity.text<"attempt" | "resend">(),
    atMs: Entity.integer,
    /** `200`, `503`, `connection refused`, …; of what an operator asks for: what the event was until then. */
    result: Entity.text()
  },
  key: ["eventId", "number", "what"],
  index: { at: ["atMs"] }
})
export type CallbackAttempt = Entity.Row<typeof CallbackAttempt>
