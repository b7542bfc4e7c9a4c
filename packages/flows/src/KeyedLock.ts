/** One at a time for each key. */
import { Effect, Semaphore } from "effect"

interface Turn {
  readonly lock: Semaphore.Semaphore
  users: number
  /** When that began which last succeeded. */
  askedAt: number
}

/** Carries the effect out, unless somebody else's began and succeeded while this turn was waited for. */
export type Share = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A | undefined, E, R>

/** Turns under their keys; a key without users costs nothing. */
export const make = () => {
  const turns = new Map<string, Turn>()
  let moments = 0

  const enter = (key: string): Turn => {
    const turn = turns.get(key) ?? { lock: Semaphore.makeUnsafe(1), users: 0, askedAt: 0 }
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
        moments += 1
        return { turn: enter(key), cameAt: moments }
      }),
      ({ cameAt, turn }) =>
        turn.lock.withPermit(
          work((effect) =>
            Effect.suspend(() => {
              if (turn.askedAt > cameAt) return Effect.undefined
              moments += 1
              const beganAt = moments
              return Effect.tap(effect, () =>
                Effect.sync(() => {
                  turn.askedAt = beganAt
                })
              )
            })
          )
        ),
      ({ turn }) => Effect.sync(() => leave(key, turn))
    )

  return {
    take,
    /** Keys that somebody uses or waits for. */
    size: () => turns.size
  }
}
