/** Opens connections when they are needed, and opens them again after they broke, one attempt at a time. */
import { Clock, Effect, Exit, Metric, Scope, Semaphore } from "effect"
import type * as Failure from "./Failure.ts"
import * as Numbers from "./Numbers.ts"
import * as Session from "./Session.ts"
import type { Target } from "./Target.ts"

export interface Connection {
  /** Returns the connection, opened again if it broke. After a failed attempt, calls fail with the same error for a moment. */
  readonly session: Effect.Effect<Session.Session, Failure.Failure>
}

/** Milliseconds between a failed attempt and the next one. */
const pauseMs = 100

export const make = Effect.fnUntraced(function* (
  target: () => Target,
  timeouts: Session.Timeouts,
  options: {
    /** Checks each new connection before it is used. */
    readonly verify?: (session: Session.Session) => Effect.Effect<void, Failure.Failure>
  } = {}
): Effect.fn.Return<Connection, never, Scope.Scope> {
  const scope = yield* Effect.scope
  const turn = Semaphore.makeUnsafe(1)
  let current: { readonly session: Session.Session; readonly scope: Scope.Closeable } | undefined
  let failed: { readonly failure: Failure.Failure; readonly atMs: number } | undefined

  const reopen = Effect.gen(function* () {
    if (current?.session.isOpen() === true) return current.session
    const nowMs = yield* Clock.currentTimeMillis
    if (failed !== undefined && nowMs >= failed.atMs && nowMs - failed.atMs < pauseMs)
      return yield* Effect.fail(failed.failure)
    if (current !== undefined) yield* Scope.close(current.scope, Exit.void)
    current = undefined
    const connectionScope = yield* Scope.fork(scope)
    const session = yield* Session.connect(target(), timeouts).pipe(
      Effect.tap((opened) => options.verify?.(opened) ?? Effect.void),
      Scope.provide(connectionScope),
      Effect.tapError((failure) =>
        Effect.gen(function* () {
          // Callers that waited for this attempt get the same failure.
          failed = { failure, atMs: yield* Clock.currentTimeMillis }
          yield* Scope.close(connectionScope, Exit.void)
          yield* Metric.update(Numbers.failedConnects, 1)
        })
      )
    )
    yield* Metric.update(Numbers.connects, 1)
    failed = undefined
    current = { session, scope: connectionScope }
    return session
  })

  return {
    session: Effect.suspend(() =>
      current?.session.isOpen() === true
        ? Effect.succeed(current.session)
        : Effect.uninterruptible(turn.withPermits(1)(reopen))
    )
  }
})
