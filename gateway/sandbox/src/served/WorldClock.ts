/**
 * The business time of a bank world whose gateways are other processes: each follows the world's offset, and a move is over when
 * all of them have followed it.
 */
import { PortShape } from "@pay/gateway/Gateway"
import { Clock, Context, Effect, Layer, Schedule, Schema } from "effect"
import { SandboxClock } from "../SandboxClock.ts"

/** The world is not reachable, or refuses to move its time. */
export class WorldClockError extends Schema.TaggedError<WorldClockError>()("WorldClockError", {
  message: Schema.String
}) {}

/** The clock of a bank world, for the gateways that follow it. */
export class WorldClock extends Context.Service<
  WorldClock,
  {
    /**
     * Records that the follower's time is at `offsetMs`. Returns the world's offset as soon as it differs, or the same one after
     * {@link patienceMs}. A follower that begins has no `offsetMs`.
     */
    readonly follow: (follower: string, offsetMs: number | undefined) => Effect.Effect<number, WorldClockError>
    /** Moves the world's time forward. Returns when all followers have moved theirs, or after {@link followedWithinMs}. */
    readonly move: (byMs: number) => Effect.Effect<void, WorldClockError>
    /** Sets the world's time back to wall time. Returns as `move` does. */
    readonly reset: () => Effect.Effect<void, WorldClockError>
  }
>()("@pay/sandbox/WorldClock") {}

export const shape: PortShape.PortShape<WorldClock["Service"]> = {
  methods: { follow: PortShape.method, move: PortShape.method, reset: PortShape.method },
  capabilities: {}
}

/** Milliseconds that a follower waits for a change before it calls again. */
const patienceMs = 2_000

/** Milliseconds that a move waits for its followers, one of which may have been killed. */
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
