/**
 * The gate of a restored copy: closed until all bookings since the copy's last commit are listed. After that, an order and a recurring
 * payment are closed until their jobs are compared with bank and rail.
 */
import { Clock, Effect, Layer } from "effect"
import { Job } from "../kernel/Job.ts"
import { OrderGate } from "../kernel/OrderGate.ts"
import { Store } from "../kernel/Store.ts"
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
    /** A recurring payment is held also while its charge is in flight, and has no job. */
    const isHeld = Effect.fnUntraced(function* (subject: string) {
      for (const { jobId, kind } of yield* store.find(HeldJob, "subject", { equals: [subject], limit: mostJobs }))
        if (kind === "recurring" || (yield* store.load(Job, [jobId])) !== undefined) return true
      return false
    })
    return OrderGate.of({
      mayBeOfAnother: (createdAtMs) => startedAtMs !== undefined && createdAtMs <= startedAtMs,
      closedForMs: Effect.fnUntraced(function* (subject) {
        if (startedAtMs === undefined) return undefined
        const waitMs = isListed ? undefined : yield* look
        if (waitMs !== undefined || subject === undefined) return waitMs
        return (yield* isHeld(subject)) ? orderMs : undefined
      })
    })
  })
)
