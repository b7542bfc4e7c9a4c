/** The outbox of callbacks: a final outcome that is due to the merchant, written in the commit that made it final. */
import * as Entity from "../../kernel/Entity.ts"
import * as LogText from "../../kernel/LogText.ts"
import type { CallbackFormat } from "../../merchants/Directory.ts"

export type Delivery = "pending" | "delivered" | "dead-lettered"

export const CallbackEvent = Entity.make("callbacks", {
  columns: {
    /** Also the `webhook-id`, which is the same in all attempts. */
    eventId: Entity.text(),
    merchantId: Entity.text(),
    orderId: Entity.text(),
    requestId: Entity.text(),
    /** Position among the events of one order. */
    sequence: Entity.integer,
    url: Entity.text(),
    format: Entity.text<CallbackFormat>(),
    /** The content: the encoded query without its `control`. */
    query: Entity.text(),
    delivery: Entity.text<Delivery>(),
    tries: Entity.integer,
    /** Time at which the event was last queued. `triesBefore` is the number of attempts up to then. */
    queuedAtMs: Entity.integer,
    triesBefore: Entity.integer,
    /** Result of the last attempt: `200`, `connect ECONNREFUSED`, … */
    lastResult: Entity.textOrNull(),
    createdAtMs: Entity.integer,
    deliveredAtMs: Entity.integerOrNull
  },
  key: ["eventId"],
  index: { order: ["orderId", "sequence"], delivery: ["delivery", "createdAtMs", "eventId"] },
  changing: ["delivery"]
})
export type CallbackEvent = Entity.Row<typeof CallbackEvent>

/** Returns the host that the callback goes to; empty if its address has none. */
export const serverOf = ({ url }: Pick<CallbackEvent, "url">): string => URL.parse(url)?.host ?? ""

/** Returns the merchant's number of the order, from the content of the callback. */
export const clientOrderIdOf = ({ query }: Pick<CallbackEvent, "query">): string =>
  LogText.of(new URLSearchParams(query).get("client_orderid") ?? "", 128)

/**
 * The delivery log: a row for each attempt to deliver a callback, and for each request of an operator to send it again. Rows are
 * deleted after a while.
 */
export const CallbackAttempt = Entity.make("callbackAttempts", {
  columns: {
    eventId: Entity.text(),
    /** Number of the attempt. The row of an operator's request has the number of the attempt before it. */
    number: Entity.integer,
    what: Entity.text<"attempt" | "resend">(),
    atMs: Entity.integer,
    /** Result of an attempt: `200`, `503`, `connection refused`, …; for an operator's request, the delivery state before it. */
    result: Entity.text()
  },
  key: ["eventId", "number", "what"],
  index: { at: ["atMs"] }
})
export type CallbackAttempt = Entity.Row<typeof CallbackAttempt>
