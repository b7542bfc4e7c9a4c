/**
 * Whether a gateway on a restored copy takes orders yet. It refuses them until all bookings since the copy's last commit are
 * listed.
 */
import { Clock, Context, Effect, Layer } from "effect"
import type { StoreUnavailable } from "../kernel/Store.ts"
import * as MissingBookings from "./MissingBookings.ts"

export class RestoreCheck extends Context.Service<
  RestoreCheck,
  {
    /** Milliseconds after which orders may be taken again; `undefined` if they are taken now. */
    readonly waitMs: Effect.Effect<number | undefined, StoreUnavailable>
  }
>()("@pay/gateway/RestoreCheck") {}

const shortestMs = 1000
const importMs = 60_000

export const layer = Layer.effect(
  RestoreCheck,
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
    return RestoreCheck.of({ waitMs: Effect.suspend(() => (isOver ? Effect.undefined : look)) })
  })
)
