/**
 * Why the gateway takes no new orders now. The front refuses orders for these reasons, `/readyz` answers 503 with them, and
 * `pay_not_ready` has a value for each.
 */
import type { FieldTexts, Operation } from "@pay/schema/Operation"
import { Context, Effect, Layer, Metric } from "effect"
import { type RequestRefused, refuse } from "../kernel/Answer.ts"
import { Ids } from "../kernel/Ids.ts"
import { OrderGate } from "../kernel/OrderGate.ts"
import { Store, type StoreUnavailable } from "../kernel/Store.ts"
import * as Acts from "../orders/decide/Acts.ts"

const reasons = ["stopping", "number", "restoring", "space", "store"] as const
export type Reason = (typeof reasons)[number]

/** What operators read at `/readyz`. */
const explanations: Readonly<Record<Reason, string>> = {
  stopping: "the gateway is stopping",
  number:
    "this process has no number: it was stopped, cannot reach its store, or has other keys than another process (the log has the reason)",
  restoring:
    "the store is a restored copy, and the bookings of bank and rail since its last commit are not known yet (pay bookings status)",
  space: "the disk of the store has no room but its reserve, with which orders that exist are finished",
  store: "a write to the store failed or took too long (the log has the reason)"
}

/** What merchants read. Without an entry, the general message of an unavailable gateway. */
const messages: Readonly<Partial<Record<Reason, string>>> = {
  restoring: "The gateway was restored and first learns what the bank has booked since: send the request again later",
  space: "The gateway takes no new orders at the moment, and nothing of this one has happened: send it again later"
}

/** A reason for which new orders are refused. */
export interface Closed {
  readonly reason: Reason
  /** Milliseconds after which a merchant should send an order again. */
  readonly retryAfterMs: number
}

const notReady = Metric.gauge("pay_not_ready", {
  description: "1: the gateway takes no new orders for this reason, as its /readyz says; else 0"
})

/** The body of `/readyz`. */
export const describe = (closed: Closed | undefined): string =>
  closed === undefined ? "ready\n" : `not ready: ${closed.reason}: ${explanations[closed.reason]}\n`

const followUps: ReadonlySet<string> = new Set(Acts.names)

/** Which of the operations that change something are refused for a reason. */
const stopped: Readonly<Record<Reason, "all" | "movesMoney" | "creates">> = {
  stopping: "movesMoney",
  number: "movesMoney",
  restoring: "all",
  space: "creates",
  store: "movesMoney"
}

/** Whether an operation that changes something is refused for the reason. */
export const stops = ({ reason }: Closed, { acts, name }: Pick<Operation, "acts" | "name">): boolean => {
  const what = stopped[reason]
  return what === "all" || acts === "creates" || (what === "movesMoney" && followUps.has(name))
}

/** Refuses such an operation. Nothing of it has happened. */
export const refusal = ({ reason, retryAfterMs }: Closed, clientOrderId: string | undefined): RequestRefused =>
  refuse("unavailable", {
    clientOrderId,
    message: messages[reason],
    headers: { "retry-after": String(Math.ceil(retryAfterMs / 1000)) }
  })

/** Updates the metric. */
export const measure = (closed: Closed | undefined): Effect.Effect<void> =>
  Effect.forEach(
    reasons,
    (why) => Metric.update(Metric.withAttributes(notReady, { why }), why === closed?.reason ? 1 : 0),
    { discard: true }
  )

const shortestMs = 1000
/** A disk is seldom given room within seconds. */
const spaceMs = 10_000

export const stopping: Closed = { reason: "stopping", retryAfterMs: shortestMs }
export const unwritable: Closed = { reason: "store", retryAfterMs: shortestMs }

/** Makes what returns the first reason for which new orders are refused now. `undefined`: they are taken if the store can write. */
export const makeCurrent = Effect.gen(function* () {
  const ids = yield* Ids
  const gate = yield* OrderGate
  const store = yield* Store
  return Effect.gen(function* (): Effect.fn.Return<Closed | undefined, StoreUnavailable> {
    if (!ids.isReady()) return { reason: "number", retryAfterMs: shortestMs }
    const closedForMs = yield* gate.closedForMs()
    if (closedForMs !== undefined) return { reason: "restoring", retryAfterMs: closedForMs }
    return store.isShort?.() === true ? { reason: "space", retryAfterMs: spaceMs } : undefined
  })
})

export class NewOrders extends Context.Service<
  NewOrders,
  {
    /** The first reason for which new orders are refused. `undefined`: they are taken if the store can write. */
    readonly closed: Effect.Effect<Closed | undefined, StoreUnavailable>
    /** The first reason for which a request is refused: its order or recurring payment may be closed alone. */
    readonly closedFor: (fields: FieldTexts) => Effect.Effect<Closed | undefined, StoreUnavailable>
  }
>()("@pay/gateway/NewOrders") {
  static readonly layer = Layer.effect(
    NewOrders,
    Effect.gen(function* () {
      const gate = yield* OrderGate
      const current = yield* makeCurrent
      let last: Reason | undefined
      /** Logs each change of the reason once. */
      const log = (closed: Closed | undefined) =>
        Effect.suspend(() => {
          if (closed?.reason === last) return Effect.void
          last = closed?.reason
          return closed === undefined
            ? Effect.logWarning("New orders are taken again")
            : Effect.logWarning(`New orders are refused: ${closed.reason}: ${explanations[closed.reason]}`)
        })
      const closed = Effect.tap(current, log)
      const closedFor = Effect.fnUntraced(function* (fields: FieldTexts) {
        const reason = yield* closed
        const subject = fields.orderid ?? fields["recurring-payment-id"]
        if (reason !== undefined || subject === undefined) return reason
        const retryAfterMs = yield* gate.closedForMs(subject)
        return retryAfterMs === undefined ? undefined : ({ reason: "restoring", retryAfterMs } as const)
      })
      return NewOrders.of({ closed, closedFor })
    })
  )
}
