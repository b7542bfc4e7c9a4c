/** Sends many callbacks of one merchant now, after the merchant's server was down: page by page, the oldest first. */
import { Clock, Effect } from "effect"
import type { Actor } from "../kernel/Audit.ts"
import * as Audit from "../kernel/Audit.ts"
import { Ids } from "../kernel/Ids.ts"
import { Job } from "../kernel/Job.ts"
import * as Jobs from "../kernel/Jobs.ts"
import * as KeysetPage from "../kernel/KeysetPage.ts"
import { Scheduler } from "../kernel/Scheduler.ts"
import { Store } from "../kernel/Store.ts"
import * as Transact from "../kernel/Transact.ts"
import { CallbackEvent } from "./decide/CallbackEvent.ts"
import * as Delivery from "./decide/Delivery.ts"

/** Number of callbacks that one page reads. */
const pageSize = 500
/** Number of callbacks that are changed at the same time, so that they share a sync of the disk. */
const concurrency = 32

export interface Choice {
  readonly merchantId: string
  readonly sinceMs: number
  readonly delivery: "pending" | "dead-lettered"
  readonly after: KeysetPage.Cursor | undefined
}

export const make = Effect.gen(function* () {
  const store = yield* Store
  const scheduler = yield* Scheduler
  const ids = yield* Ids

  const decisionOf = Effect.fnUntraced(function* (event: CallbackEvent) {
    const nowMs = yield* Clock.currentTimeMillis
    if (event.delivery === "dead-lettered") return Delivery.resend(event, nowMs).decision
    const job = yield* store.load(Job, [Jobs.id("callback", event.eventId)])
    return job && Jobs.dueNow(job, nowMs)
  })

  /** Whether the callback is sent now. */
  const push = Effect.fnUntraced(function* (event: CallbackEvent) {
    const decision = yield* decisionOf(event)
    return decision !== undefined && (yield* Transact.lostGuardOf(store, decision)) === undefined
  })

  return Effect.fn("PushCallbacks")(function* ({ after, delivery, merchantId, sinceMs }: Choice, actor: Actor) {
    const page = yield* KeysetPage.oldest(store, CallbackEvent, "delivery", {
      equals: [delivery],
      fromMs: sinceMs,
      after,
      limit: pageSize
    })
    const own = page.filter((event) => event.merchantId === merchantId)
    const results = yield* Effect.forEach(own, push, { concurrency })
    const begun = results.filter((isSent) => isSent).length
    if (begun > 0) {
      const atMs = yield* Clock.currentTimeMillis
      const subject = { kind: "merchant", id: merchantId }
      const detail = { callbacks: begun, was: delivery }
      yield* Transact.record(store, [
        Audit.entry({ auditId: ids.next(), atMs, actor, action: "callback.resend", subject, detail })
      ])
      yield* scheduler.wake
    }
    const next = KeysetPage.nextOf(page, pageSize, ({ createdAtMs, eventId }) => ({ atMs: createdAtMs, key: eventId }))
    return { begun, left: page.length - begun, next }
  })
})
