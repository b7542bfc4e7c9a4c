/**
 * The gate of a restored copy: closed until all bookings since the copy's last commit are listed. After that, an order and a recurring
 * payment are closed until their jobs are compared with bank and rail.
 */
import { Clock, Effect, Layer } from "effect"
import { Job } from "../kernel/Job.ts"
import { OrderGate } from "../kernel/OrderGate.ts"
import { Store } from "../kernel/Store.ts"
import { Occurrence, Subscription } from "../recurring/decide/Subscription.ts"
import * as SubscriptionLifecycle from "../recurring/decide/SubscriptionLifecycle.ts"
import * as Charges from "./Charges.ts"
import { HeldJob } from "./HeldJob.ts"
import * as MissingBookings from "./MissingBookings.ts"
import * as Start from "./Start.ts"

const shortestMs = 1000
const importMs = 60_000
/** Time after which to try again an order that is closed alone. */
const orderMs = 60_000
/** Highest number of jobs of one order or recurring payment. */
const mostJobs = 100

export const layer = Layer.effect(
  OrderGate,
  Effect.gen(function* () {
    const store = yield* Store
    const missingBookings = yield* MissingBookings.make
    const startedAtMs = yield* Start.make
    const atStart = yield* Effect.orDie(missingBookings.pending)
    let isListed = atStart === undefined
    if (atStart !== undefined) {
      const { lastCommitAtMs } = atStart
      yield* Effect.logWarning(
        "No orders are taken until the bookings of bank and rail since the copy's last commit are known: pay bookings status"
      ).pipe(Effect.annotateLogs({ lastCommitAtMs }))
    }
    const look = Effect.gen(function* () {
      const pending = yield* missingBookings.pending
      isListed = pending === undefined
      if (pending === undefined) return undefined
      const nowMs = yield* Clock.currentTimeMillis
      const ends = (yield* missingBookings.enumerations(pending)).filter(({ completedAtMs }) => completedAtMs === null)
      const waitMs = Math.max(...ends.map(({ toMs }) => toMs - nowMs), 0)
      return waitMs > 0 ? Math.max(waitMs, shortestMs) : importMs
    })
    /**
     * Whether a recurring payment is closed: while it begins, while a charge has not ended, and while its next occurrence may have been
     * charged. Its job may stay held for longer, until the next occurrence is due.
     */
    const isRecurringClosed = Effect.fnUntraced(function* (subscriptionId: string, firstStartAtMs: number) {
      const subscription = yield* store.load(Subscription, [subscriptionId])
      if (subscription === undefined || SubscriptionLifecycle.isOver(subscription.state)) return false
      const { next, state } = subscription
      if (!SubscriptionLifecycle.isScheduled(state) || Charges.isDueBefore(subscription, next, firstStartAtMs))
        return true
      return (yield* store.load(Occurrence, [subscriptionId, next])) !== undefined
    })
    const isHeld = Effect.fnUntraced(function* (subject: string, firstStartAtMs: number) {
      for (const { jobId, kind } of yield* store.find(HeldJob, "subject", { equals: [subject], limit: mostJobs })) {
        const isClosed =
          kind === "recurring"
            ? yield* isRecurringClosed(subject, firstStartAtMs)
            : (yield* store.load(Job, [jobId])) !== undefined
        if (isClosed) return true
      }
      return false
    })
    return OrderGate.of({
      mayBeOfAnother: (createdAtMs) => startedAtMs !== undefined && createdAtMs <= startedAtMs,
      closedForMs: Effect.fnUntraced(function* (subject) {
        if (startedAtMs === undefined) return undefined
        const waitMs = isListed ? undefined : yield* look
        if (waitMs !== undefined || subject === undefined) return waitMs
        return (yield* isHeld(subject, startedAtMs)) ? orderMs : undefined
      })
    })
  })
)
