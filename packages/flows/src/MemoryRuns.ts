/** The runs of one flow in the memory of a process: equal calls are joined, and the latest outcomes are remembered. */
import { Cause, Deferred, Effect, Exit, Option } from "effect"
import { Recent } from "./Recent.ts"

/** Number of outcomes of a flow that are remembered. Beyond it the oldest are dropped. */
const mostRemembered = 10_000

interface Run<A, E> {
  readonly payload: object
  readonly end: Deferred.Deferred<Exit.Exit<A, E>>
  readonly stop: Deferred.Deferred<never>
}

/** The runs of one flow. `place`: the engine that runs it. */
export interface MemoryRuns<A, E> {
  /**
   * Runs the effect, or waits for the run that has begun under the same id and returns its result. If that run was interrupted,
   * the effect runs after it. `join` fails if the payload of the other run differs.
   */
  readonly execute: <E2, R>(
    place: object,
    id: string,
    payload: object,
    options: { readonly join: (payload: object) => Effect.Effect<void, E2>; readonly run: Effect.Effect<A, E, R> }
  ) => Effect.Effect<A, E | E2, R>
  /** Returns how the latest run ended, `undefined` while it runs, or `None` if there is none. */
  readonly latest: (place: object, id: string) => Option.Option<Exit.Exit<A, E> | undefined>
  /** Waits for the end of a run. Completes at once if none runs. */
  readonly wait: (place: object, id: string) => Effect.Effect<void>
  readonly interrupt: (place: object, id: string) => Effect.Effect<void>
}

export const make = <A, E>(): MemoryRuns<A, E> => {
  const places = new WeakMap<object, { running: Map<string, Run<A, E>>; ended: Recent<Exit.Exit<A, E>> }>()
  const at = (place: object) => {
    const entries = places.get(place) ?? { running: new Map<string, Run<A, E>>(), ended: new Recent(mostRemembered) }
    places.set(place, entries)
    return entries
  }
  const isInterrupted = (exit: Exit.Exit<A, E>): boolean => Exit.isFailure(exit) && Cause.hasInterrupts(exit.cause)

  const execute: MemoryRuns<A, E>["execute"] = (place, id, payload, options) =>
    Effect.suspend(() => {
      const { ended, running } = at(place)
      const other = running.get(id)
      if (other !== undefined) {
        return options.join(other.payload).pipe(
          Effect.andThen(Deferred.await(other.end)),
          Effect.flatMap((exit) => (isInterrupted(exit) ? execute(place, id, payload, options) : exit))
        )
      }
      const run: Run<A, E> = { payload, end: Deferred.makeUnsafe(), stop: Deferred.makeUnsafe() }
      running.set(id, run)
      return Effect.raceFirst(options.run, Deferred.await(run.stop)).pipe(
        Effect.onExit((exit) =>
          Effect.sync(() => {
            running.delete(id)
            ended.set(id, exit)
            Deferred.doneUnsafe(run.end, Effect.succeed(exit))
          })
        )
      )
    })

  return {
    execute,
    latest: (place, id) => {
      const { ended, running } = at(place)
      return running.has(id) ? Option.some(undefined) : Option.fromUndefinedOr(ended.get(id))
    },
    wait: (place, id) =>
      Effect.suspend(() => {
        const run = at(place).running.get(id)
        return run === undefined ? Effect.void : Effect.asVoid(Deferred.await(run.end))
      }),
    interrupt: (place, id) =>
      Effect.suspend(() => {
        const run = at(place).running.get(id)
        return run === undefined ? Effect.void : Effect.andThen(Deferred.interrupt(run.stop), Deferred.await(run.end))
      }).pipe(Effect.asVoid)
  }
}
