/**
 * The order of parallel steps on an engine that replays each step on its own. A result that ends parallel parts, such as a decline,
 * must not be replayed before these parts have reached the steps that they had reached. So each recorded result contains how many
 * steps the run had requested by then, and a replay waits until as many are requested.
 */
import { Effect, Schema } from "effect"

/** The steps that one run has requested. */
export interface ReplayOrder {
  /** Returns a result as it is recorded. */
  readonly mark: (result: Schema.Json) => Schema.Json
  /** Runs a step or a wait, and counts it. */
  readonly counted: <A, E, R>(name: string, step: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Returns a recorded result in its turn. */
  readonly inTurn: (recorded: Schema.Json) => Effect.Effect<Schema.Json>
}

/** An engine that replays all results in their order needs no other one. */
export const none: ReplayOrder = {
  mark: (result) => result,
  counted: (_name, step) => step,
  inTurn: Effect.succeed
}

/** Number of turns of the scheduler without a step, after which no further one is expected. */
const patience = 16

const Recorded = Schema.Struct({ requested: Schema.Int, result: Schema.Json })
const read = Schema.decodeUnknownEffect(Recorded)

/** Makes the order of one run. */
export const make = (): ReplayOrder => {
  const requested = new Set<string>()
  /** Number of steps that are executed or read. Those that wait for their turn are not among them. */
  let active = 0
  let changes = 0
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
  /** Waits until so many steps are requested, or no further one is expected. */
  const until = Effect.fnUntraced(function* (count: number) {
    let latest = changes
    for (let turn = 0; turn < patience && requested.size < count; turn += 1) {
      yield* active > 0 ? changed : Effect.yieldNow
      if (changes !== latest) turn = 0
      latest = changes
    }
  })
  const leave = Effect.sync(() => {
    active -= 1
    change()
  })
  return {
    mark: (result) => ({ requested: requested.size, result }),
    counted: (name, step) =>
      Effect.suspend(() => {
        requested.add(name)
        active += 1
        change()
        return Effect.ensuring(step, leave)
      }),
    inTurn: (recorded) =>
      Effect.flatMap(Effect.orDie(read(recorded)), (value) => Effect.as(until(value.requested), value.result))
  }
}
