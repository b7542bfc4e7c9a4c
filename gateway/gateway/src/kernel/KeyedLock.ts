/**
 * Runs one request at a time per name in this process. A name identifies an order or a card, for example. Requests with one name
 * wait in a queue, so that a burst does not lose its guards over and over. Correctness does not depend on the lock: between
 * processes the guards decide alone.
 */
import { Context, Effect, Layer, Semaphore } from "effect"

interface Queue {
  readonly semaphore: Semaphore.Semaphore
  waiting: number
}

/** Runs the work when it reaches the head of the queue of one name. */
export type Locked = <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

type Locks = (name: string) => Locked

const make = (): Locks => {
  const queues = new Map<string, Queue>()
  return (name) => (work) =>
    Effect.suspend(() => {
      const queue = queues.get(name) ?? { semaphore: Semaphore.makeUnsafe(1), waiting: 0 }
      queues.set(name, queue)
      queue.waiting += 1
      return Effect.ensuring(
        queue.semaphore.withPermits(1)(work),
        Effect.sync(() => {
          queue.waiting -= 1
          if (queue.waiting === 0) queues.delete(name)
        })
      )
    })
}

export class KeyedLock extends Context.Service<KeyedLock, Locks>()("@pay/gateway/KeyedLock") {
  static readonly layer = Layer.sync(KeyedLock, make)
}
