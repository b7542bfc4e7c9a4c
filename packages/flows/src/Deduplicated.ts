/** Joins equal calls in one process: a call that equals a running one waits for it and gets its result. */
import { Cause, Deferred, Effect, Equal, Exit } from "effect"

interface Running<A, E> {
  readonly payload: object
  readonly exit: Deferred.Deferred<Exit.Exit<A, E>>
}

export interface Deduplicated<A, E> {
  /**
   * Runs `one`, or waits for the call that runs under the same `key` of the same `place` and returns its result. If that call has
   * another payload or was interrupted, `one` runs after it.
   */
  carryOut<R>(place: object, key: string, payload: object, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R>
}

export const make = <A, E>(): Deduplicated<A, E> => {
  const places = new WeakMap<object, Map<string, Running<A, E>>>()
  const carryOut = <R>(
    place: object,
    key: string,
    payload: object,
    effect: Effect.Effect<A, E, R>
  ): Effect.Effect<A, E, R> =>
    Effect.suspend(() => {
      const entries = places.get(place) ?? new Map<string, Running<A, E>>()
      places.set(place, entries)
      const other = entries.get(key)
      if (other !== undefined) {
        return Effect.flatMap(Deferred.await(other.exit), (exit) =>
          Equal.equals(other.payload, payload) && !(Exit.isFailure(exit) && Cause.hasInterrupts(exit.cause))
            ? exit
            : carryOut(place, key, payload, effect)
        )
      }
      const running = { payload, exit: Deferred.makeUnsafe<Exit.Exit<A, E>>() }
      entries.set(key, running)
      return Effect.onExit(effect, (exit) =>
        Effect.sync(() => {
          entries.delete(key)
          Deferred.doneUnsafe(running.exit, Effect.succeed(exit))
        })
      )
    })
  return { carryOut }
}
