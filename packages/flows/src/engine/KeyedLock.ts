/** Mutual exclusion under a key: work under one key runs one after another. */
import { Effect, Semaphore } from "effect"

interface Turn {
  readonly lock: Semaphore.Semaphore
  users: number
  /** Logical time at which the latest successful effect began. */
  startedAt: number
}

/** Runs the effect, unless the effect of another caller began and succeeded while this caller waited for the lock. */
export type Share = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A | undefined, E, R>

/** Makes a set of locks by key. A key that is not in use takes no memory. */
export const make = () => {
  const turns = new Map<string, Turn>()
  let logicalTime = 0

  const enter = (key: string): Turn => {
    const turn = turns.get(key) ?? { lock: Semaphore.makeUnsafe(1), users: 0, startedAt: 0 }
    turn.users += 1
    turns.set(key, turn)
    return turn
  }

  const leave = (key: string, turn: Turn): void => {
    turn.users -= 1
    if (turn.users === 0) turns.delete(key)
  }

  const take = <A, E, R>(key: string, work: (share: Share) => Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.acquireUseRelease(
      Effect.sync(() => {
        logicalTime += 1
        return { turn: enter(key), waitingSince: logicalTime }
      }),
      ({ waitingSince, turn }) =>
        turn.lock.withPermit(
          work((effect) =>
            Effect.suspend(() => {
              if (turn.startedAt > waitingSince) return Effect.undefined
              logicalTime += 1
              const now = logicalTime
              return Effect.tap(effect, () =>
                Effect.sync(() => {
                  turn.startedAt = now
                })
              )
            })
          )
        ),
      ({ turn }) => Effect.sync(() => leave(key, turn))
    )

  return {
    take,
    /** Returns the number of keys that are in use or waited for. */
    size: () => turns.size
  }
}
