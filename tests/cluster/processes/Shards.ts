/** Reports how many shards a runner holds, so that a test begins when each runner has its share. */
import { Effect, Schedule, Schema } from "effect"
import { ShardId, Sharding } from "effect/cluster"
import * as Purchases from "../Purchases.ts"

/** The runner holds this number of shards now. */
export const Holds = Schema.TaggedStruct("Holds", { shards: Schema.Int })

/** Reports the number of shards that the runner holds, whenever it changes. */
export const report = <E, R>(print: (shards: number) => Effect.Effect<void, E, R>) =>
  Effect.gen(function* () {
    const { hasShardId } = yield* Sharding.Sharding
    let last = 0
    yield* Effect.suspend(() => {
      const shards = Array.from({ length: Purchases.shards }, (_, at) => ShardId.make("default", at + 1)).filter(
        hasShardId
      ).length
      if (shards === last) return Effect.void
      last = shards
      return print(shards)
    }).pipe(Effect.repeat({ schedule: Schedule.spaced("50 millis") }))
  })
