/** Sends many callbacks of one merchant now, after the merchant's server was down: page by page, the oldest first. */
import { Clock, Effect } from "effect"
import type { Actor } from "../kernel/Audit.ts"
import * as CommitEach from "../kernel/CommitEach.ts"
import { Job } from "../kernel/Job.ts"
import * as Jobs from "../kernel/Jobs.ts"
import * as KeysetPage from "../kernel/KeysetPage.ts"
import { Store } from "../kernel/Store.ts"
import { CallbackEvent } from "./decide/CallbackEvent.ts"
import * as Delivery from "./decide/Delivery.ts"

/** Number of callbacks that one page reads. */
const pageSize = 500

export interface Choice {
  readonly merchantId: string
  readonly sinceMs: number
  readonly delivery: "pending" | "dead-lettered"
  readonly after: KeysetPage.Cursor | undefined
}

export const make = Effect.gen(function* () {
  const store = yield* Store
  const commitEach = yield* CommitEach.make

  const decisionOf = Effect.fnUntraced(function* (event: CallbackEvent) {
    const nowMs = yield* Clock.currentTimeMillis
    if (event.delivery === "dead-lettered") return Delivery.resend(event, nowMs).decision
    const job = yield* store.load(Job, [Jobs.id("callback", event.eventId)])
    return job && Jobs.dueNow(job, nowMs)
  })

  return Effect.fn("PushCallbacks")(function* ({ after, delivery, merchantId, sinceMs }: Choice, actor: Actor) {
    const page = yield* KeysetPage.oldest(store, CallbackEvent, "delivery", {
      equals: [delivery],
      fromMs: sinceMs,
      after,
      limit: pageSize
    })
    const own = page.filter((event) => event.merchantId === merchantId)
    const { begun } = yield* commitEach(own, decisionOf, {
      actor,
      action: "callback.resend",
      subject: { kind: "merchant", id: merchantId },
      detailOf: (callbacks) => ({ callbacks, was: delivery })
    })
    const next = KeysetPage.nextOf(page, pageSize, ({ createdAtMs, eventId }) => ({ atMs: createdAtMs, key: eventId }))
    return { begun, left: page.length - begun, next }
  })
})
