/** Lets an operator send a callback again that was delivered or given up: same content, same `webhook-id`, new signature. */

import { Clock, Data, Effect } from "effect"
import type { Actor } from "../kernel/Audit.ts"
import * as Audit from "../kernel/Audit.ts"
import { Ids } from "../kernel/Ids.ts"
import { Scheduler } from "../kernel/Scheduler.ts"
import { Store } from "../kernel/Store.ts"
import * as Transact from "../kernel/Transact.ts"
import { CallbackEvent } from "./decide/CallbackEvent.ts"
import * as Delivery from "./decide/Delivery.ts"

export class CallbackUnknown extends Data.TaggedError("CallbackUnknown")<{ readonly eventId: string }> {}

/** The callback is still pending, so it is sent anyway. */
export class CallbackPending extends Data.TaggedError("CallbackPending")<{ readonly eventId: string }> {}

export const make = Effect.gen(function* () {
  const store = yield* Store
  const scheduler = yield* Scheduler
  const ids = yield* Ids
  /** Returns the event as it was queued. */
  return Effect.fn("ResendCallback")(function* (eventId: string, actor: Actor) {
    const callbackEvent = yield* store.load(CallbackEvent, [eventId])
    if (callbackEvent === undefined) return yield* new CallbackUnknown({ eventId })
    if (callbackEvent.delivery === "pending") return yield* new CallbackPending({ eventId })
    const atMs = yield* Clock.currentTimeMillis
    const { decision, event } = Delivery.resend(callbackEvent, atMs)
    const audited = Audit.entry({
      auditId: ids.next(),
      atMs,
      actor,
      action: "callback.resend",
      subject: { kind: "order", id: callbackEvent.orderId },
      detail: { callback: eventId, was: callbackEvent.delivery }
    })
    const whole = { ...decision, writes: [...decision.writes, audited] }
    yield* Transact.commitOr(store, whole, () => Effect.fail(new CallbackPending({ eventId })))
    yield* scheduler.wake
    return event
  })
})
