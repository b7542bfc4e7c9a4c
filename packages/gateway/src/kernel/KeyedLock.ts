/**
 * One request at a time per name in this process, such as an order's or a card's, so that a burst on one waits in line instead of
 * losing its guard over and over. Nothing depends on it: between processes the guards alone decide.
 */
import { Context, Effect, Layer, Semaphore } from "effect"

interface Line {
  readonly turn: Semaphore.Semaphore
  waiting: number
}

/** Does the work when it is its turn in the line of one name. */
export type InLine = <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

type Locks = (name: string) => InLine

const make = (): Locks => {
  const lines = new Map<string, Line>()
  return (name) => (work) =>
    Effect.suspend(() => {
      const line = lines.get(name) ?? { turn: Semaphore.makeUnsafe(1), waiting: 0 }
      lines.set(name, line)
      line.waiting += 1
      return Effect.ensuring(
        line.turn.withPermits(1)(work),
        Effect.sync(() => {
          line.waiting -= 1
          if (line.waiting === 0) lines.delete(name)
        })
      )
    })
}

export class KeyedLock extends Context.Service<KeyedLock, Locks>()("@pay/gateway/KeyedLock") {
  static readonly layer = Layer.sync(KeyedLock, make)
}
