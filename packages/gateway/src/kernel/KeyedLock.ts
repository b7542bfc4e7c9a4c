/**
 * One request at a time per order in this process, so that a burst on one order waits in line instead of losing its
 * guard over and over. Nothing depends on it: between processes the guards alone decide.
 */
import { Context, Effect, Layer, Semaphore } from "effect"

interface Line {
  readonly turn: Semaphore.Semaphore
  waiting: number
}

type Locks = (orderId: string) => <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

const make = (): Locks => {
  const lines = new Map<string, Line>()
  return (orderId) => (work) =>
    Effect.suspend(() => {
      const line = lines.get(orderId) ?? { turn: Semaphore.makeUnsafe(1), waiting: 0 }
      lines.set(orderId, line)
      line.waiting += 1
      return Effect.ensuring(
        line.turn.withPermits(1)(work),
        Effect.sync(() => {
          line.waiting -= 1
          if (line.waiting === 0) lines.delete(orderId)
        })
      )
    })
}

export class KeyedLock extends Context.Service<KeyedLock, Locks>()("@pay/gateway/KeyedLock") {
  static readonly layer = Layer.sync(KeyedLock, make)
}
