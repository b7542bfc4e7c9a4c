/**
 * The gate of a restored copy: closed until all bookings since the copy's last commit are listed.
 */
import { Clock, Effect, Layer } from "effect"
import { OrderGate } from "../kernel/OrderGate.ts"
import * as MissingBookings from "./MissingBookings.ts"

const shortestMs = 1000
const importMs = 60_000

export const layer = Layer.effect(
  OrderGate,
  Effect.gen(function* () {
    const missingBookings = yield* MissingBookings.make
    const atStart = yield* Effect.orDie(missingBookings.pending)
    let isOver = atStart === undefined
    if (atStart !== undefined) {
      const { lastCommitAtMs } = atStart
      yield* Effect.logWarning(
        "No orders are taken until the bookings of bank and rail since the copy's last commit are known: pay bookings status"
      ).pipe(Effect.annotateLogs({ lastCommitAtMs }))
    }
    const look = Effect.gen(function* () {
      const pending = yield* missingBookings.pending
      isOver = pending === undefined
      if (pending === undefined) return undefined
      const nowMs = yield* Clock.currentTimeMillis
      const ends = (yield* missingBookings.enumerations(pending)).filter(({ completedAtMs }) => completedAtMs === null)
      const waitMs = Math.max(...ends.map(({ toMs }) => toMs - nowMs), 0)
      return waitMs > 0 ? Math.max(waitMs, shortestMs) : importMs
    })
    return OrderGate.of({ closedForMs: Effect.suspend(() => (isOver ? Effect.undefined : look)) })
  })
)
