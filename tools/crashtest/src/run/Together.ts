/** Orders that meet one fault together: a shop that is killed is killed for all of them at once. */
import { Deferred, Effect, Fiber } from "effect"

interface Options {
  /** Number of orders whose moment may come. */
  readonly count: number
  /** The longest time in milliseconds for which orders wait for the next one. A shop that serves one after another cannot bring it. */
  readonly longestGapMs: number
  /** Causes the fault. Once begun, it ends: a shop that was killed is started again. */
  readonly act: Effect.Effect<void>
}

/** An order that waits. */
interface Waiting {
  readonly leadMs: number | undefined
  readonly mayGoOn: Deferred.Deferred<void>
}

/**
 * Lets the orders with a lead go on, each so long before the end of the longest lead. Completes at this end, when the fault is to
 * happen.
 */
const leading = (all: ReadonlyArray<Waiting>): Effect.Effect<void> => {
  const longestMs = Math.max(0, ...all.map(({ leadMs = 0 }) => leadMs))
  const releases = all.flatMap(({ leadMs, mayGoOn }) =>
    leadMs === undefined ? [] : [Effect.delay(Deferred.succeed(mayGoOn, undefined), longestMs - leadMs)]
  )
  return Effect.all([Effect.sleep(longestMs), ...releases], { concurrency: "unbounded", discard: true })
}

/**
 * Makes `reached`, which each order runs at its moment and which completes when the order may go on, and `idle`, which completes
 * when it does not happen any more. An order with a lead goes on so many milliseconds before the fault, and every other one when it
 * has happened. After the scope has closed, `reached` completes at once: a moment that comes after its round must not disturb
 * another.
 */
export const make = Effect.fnUntraced(function* ({ act, count, longestGapMs }: Options) {
  const scope = yield* Effect.scope
  let left = count
  let waiting: Array<Waiting> = []
  let isActing = false
  let running: Fiber.Fiber<void> | undefined
  let isOver = false
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      isOver = true
      for (const { mayGoOn } of waiting) Deferred.doneUnsafe(mayGoOn, Effect.void)
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
      yield* leading(acting)
      yield* act
      yield* Effect.forEach(acting, ({ mayGoOn }) => Deferred.succeed(mayGoOn, undefined), { discard: true })
    }
    isActing = false
  }).pipe(Effect.uninterruptible)

  const reached = (leadMs?: number): Effect.Effect<void> =>
    Effect.suspend(() => {
      if (isOver) return Effect.void
      const mayGoOn = Deferred.makeUnsafe<void>()
      waiting.push({ leadMs, mayGoOn })
      if (isActing) return Deferred.await(mayGoOn)
      isActing = true
      return Effect.flatMap(Effect.forkIn(actOnAll, scope), (fiber) => {
        running = fiber
        return Deferred.await(mayGoOn)
      })
    })
  const idle: Effect.Effect<void> = Effect.suspend(() =>
    running === undefined ? Effect.void : Effect.asVoid(Fiber.await(running))
  )
  return { idle, reached }
})
