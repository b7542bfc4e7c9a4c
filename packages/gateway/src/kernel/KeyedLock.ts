/**
 * Runs one request at a time per name in this process. A name identifies an order or a card, for example. Requests with one name
 * wait in a queue, so that a burst does not lose its guards over and over. Correctness does not depend on the lock: between
 * processes the guards decide alone.
 */
import { Context, Effect, Layer, Semaphore } from "effect"

interface Line {
  readonly turn: Semaphore.Semaphore
  waiting: number
}

/** Runs the work when it reaches the head of the queue of one name. */
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
