/**
 * Ends the pauses of a cluster when they are due. The cluster stores a pause as a message that is due later, and looks for due messages
 * only at its poll interval, which is 10 seconds by default. So a runner whose execution begins to wait looks when its pauses end, too.
 */
import { Clock, Effect, FiberMap } from "effect"
import { Sharding } from "effect/cluster"
import type * as ClusterTables from "./ClusterTables.ts"

/** Waits that end later are left to the poll interval. The timers of shorter ones are in memory. */
const longestMs = 3_600_000

/** Waits until the time has come. A timer may end a little too early. */
const until = Effect.fnUntraced(function* (dueAtMs: number) {
  for (;;) {
    const leftMs = dueAtMs - (yield* Clock.currentTimeMillis)
    if (leftMs <= 0) return
    yield* Effect.sleep(leftMs)
  }
})

/** Returns a function for the end of a run that waits. The timer of an earlier run of the execution ends. */
export const make = Effect.fnUntraced(function* ({ waitsOf }: Pick<ClusterTables.Tables, "waitsOf">) {
  const { pollStorage } = yield* Sharding.Sharding
  const timers = yield* FiberMap.make<string>()
  return (flow: string, storedId: string): Effect.Effect<void> =>
    Effect.asVoid(
      FiberMap.run(
        timers,
        storedId,
        Effect.gen(function* () {
          const nowMs = yield* Clock.currentTimeMillis
          for (const { dueAtMs } of yield* waitsOf(flow, storedId)) {
            if (dueAtMs - nowMs > longestMs) return
            yield* until(dueAtMs)
            yield* pollStorage
          }
        }).pipe(Effect.ignoreCause({ log: "Warn" }))
      )
    )
})
