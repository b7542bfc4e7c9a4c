/**
 * The order of parallel steps on an engine that replays each step on its own. A result that ends parallel parts, such as a decline,
 * must not be replayed before these parts have reached the steps that they had reached. So each recorded result contains how many
 * steps the run had requested by then, and a replay waits until as many are requested.
 *
 * The wait of one part suspends the whole run. So no part waits before all others do: one that is between two steps would continue only
 * when that wait ends.
 */
import { Effect, Result, Schema } from "effect"

/** A wait of a part, which is stored. */
export interface Wait<A, R> {
  /** Wakes the run if the wait ends from now on. Returns whether it has ended before. */
  readonly watch: Effect.Effect<boolean, never, R>
  readonly unwatch: Effect.Effect<void>
  /** Suspends the run until the wait has ended. */
  readonly value: Effect.Effect<A, never, R>
}

/** The steps that one run has requested. */
export interface ReplayOrder {
  /** Returns a result as it is recorded. */
  readonly mark: (result: Schema.Json) => Schema.Json
  /** Runs a step, and counts it. */
  readonly counted: <A, E, R>(name: string, step: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Waits when all other parts wait. `begin` stores the wait, or returns its value if it has ended. */
  readonly waited: <A, R>(
    name: string,
    begin: Effect.Effect<Result.Result<A, Wait<A, R>>, never, R>
  ) => Effect.Effect<A, never, R>
  /** Returns a recorded result in its turn. */
  readonly inTurn: (recorded: Schema.Json) => Effect.Effect<Schema.Json>
}

/** An engine that replays all results in their order needs no other one. */
export const none: ReplayOrder = {
  mark: (result) => result,
  counted: (_name, step) => step,
  waited: (_name, begin) =>
    Effect.flatMap(begin, Result.match({ onSuccess: Effect.succeed, onFailure: ({ value }) => value })),
  inTurn: Effect.succeed
}

/** Number of turns of the scheduler without a step, after which no further one is expected. */
const patience = 16

const Recorded = Schema.Struct({ requested: Schema.Int, result: Schema.Json })
const read = Schema.decodeUnknownEffect(Recorded)

/** Makes the order of one run. */
export const make = (): ReplayOrder => {
  const requested = new Set<string>()
  /** Number of steps that are executed or read, and of results that wait for their turn. */
  const under = { way: 0, turn: 0 }
  let changes = 0
  /** Number of waits that had ended when their part looked. */
  let ended = 0
  const waiting = new Set<() => void>()
  const change = () => {
    changes += 1
    for (const resume of waiting) resume()
    waiting.clear()
  }
  // Also a finalizer ends here with its run.
  const changed = Effect.interruptible(
    Effect.callback<void>((resume) => {
      const wake = () => resume(Effect.void)
      waiting.add(wake)
      return Effect.sync(() => waiting.delete(wake))
    })
  )
  /** Completes at the first turns of the scheduler in which nothing is busy and nothing changes, or earlier if it is over. */
  const atRest = Effect.fnUntraced(function* (isBusy: () => boolean, isOver = () => false) {
    let latest = changes
    for (let turn = 0; turn < patience && !isOver(); turn += 1) {
      yield* isBusy() ? changed : Effect.yieldNow
      if (changes !== latest) turn = 0
      latest = changes
    }
  })
  const within = <A, E, R>(kind: keyof typeof under, effect: Effect.Effect<A, E, R>) =>
    Effect.suspend(() => {
      under[kind] += 1
      change()
      return Effect.ensuring(
        effect,
        Effect.sync(() => {
          under[kind] -= 1
          change()
        })
      )
    })
  const counted: ReplayOrder["counted"] = (name, step) =>
    Effect.suspend(() => {
      requested.add(name)
      return within("way", step)
    })
  const othersWait = Effect.suspend(() => atRest(() => under.way + under.turn > 0))

  /** Whether the wait has ended. It is asked when all parts wait, and again if one of them has continued. */
  const isOver = Effect.fnUntraced(function* <A, R>({ unwatch, watch }: Wait<A, R>) {
    for (;;) {
      yield* othersWait
      const before = ended + requested.size
      if (yield* within("way", watch)) {
        ended += 1
        return true
      }
      yield* othersWait
      if (ended + requested.size === before) return false
      yield* unwatch
    }
  })
  return {
    mark: (result) => ({ requested: requested.size, result }),
    counted,
    waited: (name, begin) =>
      Effect.flatMap(
        counted(name, begin),
        Result.match({
          onSuccess: Effect.succeed,
          onFailure: (wait) => Effect.ensuring(Effect.andThen(isOver(wait), wait.value), wait.unwatch)
        })
      ),
    inTurn: (recorded) =>
      Effect.flatMap(Effect.orDie(read(recorded)), ({ requested: count, result }) =>
        Effect.as(
          within(
            "turn",
            atRest(
              () => under.way > 0,
              () => requested.size >= count
            )
          ),
          result
        )
      )
  }
}
