/** A gate at which calls wait while it is closed, so that a test can act in between. */
import { Effect, Latch } from "effect"

export interface Gate {
  readonly shut: Effect.Effect<unknown>
  readonly open: Effect.Effect<unknown>
  /** Completes when a call waits at the closed gate. */
  readonly reached: Effect.Effect<void>
  /** The effect, and after it the gate. */
  readonly before: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** The gate, and after it the effect. */
  readonly after: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

/** Open, to begin with. */
export const make = (): Gate => {
  const way = Latch.makeUnsafe(true)
  const reached = Latch.makeUnsafe(false)
  const pass = Effect.suspend(() => {
    if (!Latch.isOpen(way)) reached.openUnsafe()
    return way.await
  })
  return {
    shut: way.close,
    open: way.open,
    reached: reached.await,
    before: (effect) => Effect.tap(effect, () => pass),
    after: (effect) => Effect.andThen(pass, effect)
  }
}
