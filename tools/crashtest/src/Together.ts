/** Orders that meet one fault together: a shop that is killed is killed for all of them at once. */
import { Deferred, Effect, Fiber } from "effect"

interface Options {
  /** Number of orders whose moment may come. */
  readonly count: number
  /** The longest time in milliseconds for which orders wait for the next one. A shop that serves one after another cannot bring it. */
  readonly longestGapMs: number
  /** Causes the fault. Once begun, it ends: a shop that was killed is started again. */
  readonly act: Effect.Effect<void>
  /** Lets the orders go on first, and waits so long until the fault. Absent: they go on when it has happened. */
  readonly after?: Effect.Effect<void> | undefined
}

/**
 * Makes `reached`, which each order runs at its moment and which completes when the order may go on, and `idle`, which completes
 * when it does not happen any more. After the scope has closed, `reached` completes at once: a moment that comes after its round
 * must not disturb another.
 */
export const make = Effect.fnUntraced(function* ({ act, after, count, longestGapMs }: Options) {
  const scope = yield* Effect.scope
  let left = count
  let waiting: Array<Deferred.Deferred<void>> = []
  let isActing = false
  let running: Fiber.Fiber<void> | undefined
  let isOver = false
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      isOver = true
      for (const each of waiting) Deferred.doneUnsafe(each, Effect.void)
    })
  )

  const actOnAll = Effect.gen(function* () {
    while (waiting.length > 0) {
      for (let former = 0; former < waiting.length && waiting.length < left; ) {
        former = waiting.length
        yield* Effect.sleep(longestGapMs)
      }
      const acting = waiting
      waiting = []
      left -= acting.length
      const release = Effect.forEach(acting, (each) => Deferred.succeed(each, undefined), { discard: true })
      yield* after === undefined
        ? Effect.andThen(act, release)
        : release.pipe(Effect.andThen(after), Effect.andThen(act))
    }
    isActing = false
  }).pipe(Effect.uninterruptible)

  const reached: Effect.Effect<void> = Effect.suspend(() => {
    if (isOver) return Effect.void
    const happened = Deferred.makeUnsafe<void>()
    waiting.push(happened)
    if (isActing) return Deferred.await(happened)
    isActing = true
    return Effect.flatMap(Effect.forkIn(actOnAll, scope), (fiber) => {
      running = fiber
      return Deferred.await(happened)
    })
  })
  const idle: Effect.Effect<void> = Effect.suspend(() =>
    running === undefined ? Effect.void : Effect.asVoid(Fiber.await(running))
  )
  return { idle, reached }
})
