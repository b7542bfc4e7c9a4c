/** An operator sends a callback again that was delivered or given up: same content, same `webhook-id`, signed anew. */
import { Clock, Data, Effect } from "effect"
import { Agenda } from "../Agenda.ts"
import * as Delivery from "../domain/Delivery.ts"
import { CallbackEvent } from "../domain/entities/CallbackEvent.ts"
import { Store } from "../ports/Store.ts"

export class CallbackUnknown extends Data.TaggedError("CallbackUnknown")<{ readonly eventId: string }> {}

/** It is being tried anyway. */
export class CallbackPending extends Data.TaggedError("CallbackPending")<{ readonly eventId: string }> {}

export const make = Effect.gen(function* () {
  const store = yield* Store
  const agenda = yield* Agenda
  /** The event as it is queued. */
  return Effect.fn("ResendCallback")(function* (eventId: string) {
    const found = yield* store.load(CallbackEvent, [eventId])
    if (found === undefined) return yield* new CallbackUnknown({ eventId })
    if (found.delivery === "pending") return yield* new CallbackPending({ eventId })
    const { decision, event } = Delivery.again(found, yield* Clock.currentTimeMillis)
    yield* Effect.catchTag(store.commit(decision), "GuardFailed", () => Effect.fail(new CallbackPending({ eventId })))
    yield* agenda.wake
    return event
  })
})
