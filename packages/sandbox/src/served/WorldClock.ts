/**
 * The business time of a bank world whose gateways are other processes: each follows the world's offset, and a move is over when
 * all of them have followed it.
 */
import * as PortShape from "@pay/gateway/PortShape"
import { Clock, Context, Effect, Layer, Schedule, Schema } from "effect"
import { SandboxClock } from "../SandboxClock.ts"

/** The world is not reachable, or its time does not go that far. */
export class WorldClockError extends Schema.TaggedError<WorldClockError>()("WorldClockError", {
  message: Schema.String
}) {}

export class WorldClock extends Context.Service<
  WorldClock,
  {
    /**
     * Takes note that the follower's time is at `offsetMs`, and returns the world's offset as soon as it is another one, or the same
     * one after {@link patienceMs}. Undefined: the follower begins.
     */
    readonly follow: (follower: string, offsetMs: number | undefined) => Effect.Effect<number, WorldClockError>
    /** Moves the world's time forward, and returns when those who follow it have moved theirs. */
    readonly move: (byMs: number) => Effect.Effect<void, WorldClockError>
    /** Sets the world's time back to wall time, and returns as `move` does. */
    readonly reset: () => Effect.Effect<void, WorldClockError>
  }
>()("@pay/sandbox/WorldClock") {}

export const shape: PortShape.PortShape<WorldClock["Service"]> = {
  methods: { follow: PortShape.method, move: PortShape.method, reset: PortShape.method },
  capabilities: {}
}

/** How long a follower waits for a change before it asks again. */
const patienceMs = 2_000

/** How long a move waits for a follower that was there a moment ago: it may have been killed. */
const followedWithinMs = 1_000

interface Follower {
  readonly offsetMs: number | undefined
  readonly seenAtMs: number
}

const make = Effect.gen(function* () {
  const clock = yield* SandboxClock
  const followers = new Map<string, Follower>()
  const wall = Clock.Clock.defaultValue()
  const onWallTime = Effect.provideService(Clock.Clock, wall)

  const areTogether = Effect.map(clock.offsetMs, (offsetMs) => {
    const sinceMs = wall.currentTimeMillisUnsafe() - patienceMs - followedWithinMs
    return [...followers.values()].every((one) => one.seenAtMs < sinceMs || one.offsetMs === offsetMs)
  })
  const followed = areTogether.pipe(
    Effect.repeat({ until: (together) => together, schedule: Schedule.spaced("5 millis") }),
    Effect.timeoutOption(followedWithinMs),
    Effect.asVoid,
    onWallTime
  )

  return WorldClock.of({
    follow: Effect.fnUntraced(function* (follower, offsetMs) {
      followers.set(follower, { offsetMs, seenAtMs: wall.currentTimeMillisUnsafe() })
      const changed = clock.offsetMs.pipe(
        Effect.repeat({ until: (current) => current !== offsetMs, schedule: Schedule.spaced("20 millis") }),
        Effect.timeoutOption(patienceMs)
      )
      yield* onWallTime(changed)
      return yield* clock.offsetMs
    }),
    move: (byMs) =>
      clock.advance(byMs, { nextDueMs: Effect.undefined, settled: Effect.void }).pipe(
        Effect.mapError(({ message }) => new WorldClockError({ message })),
        Effect.andThen(followed)
      ),
    reset: () =>
      clock.reset.pipe(
        Effect.mapError(({ message }) => new WorldClockError({ message })),
        Effect.andThen(followed)
      )
  })
})

export const layer = Layer.effect(WorldClock, make)
