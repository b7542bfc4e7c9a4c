/** Orders that meet one fault together: a shop that is killed is killed for all of them at once. */
import { Deferred, Effect } from "effect"

interface Options {
  /** Number of orders whose moment may come. */
  readonly count: number
  /** The longest time in milliseconds for which orders wait for the next one. A shop that serves one after another cannot bring it. */
  readonly longestGapMs: number
  /** Causes the fault. */
  readonly act: Effect.Effect<void>
}

/** Makes an effect that each order runs at its moment. It completes when the fault has happened. */
export const make = Effect.fnUntraced(function* ({ act, count, longestGapMs }: Options) {
  const scope = yield* Effect.scope
  let left = count
  let waiting: Array<Deferred.Deferred<void>> = []
  let isActing = false

  const actOnAll = Effect.gen(function* () {
    while (waiting.length > 0) {
      for (let former = 0; former < waiting.length && waiting.length < left; ) {
        former = waiting.length
        yield* Effect.sleep(longestGapMs)
      }
      const present = waiting
      waiting = []
      left -= present.length
      yield* act
      for (const each of present) Deferred.doneUnsafe(each, Effect.void)
    }
    isActing = false
  })

  return Effect.suspend(() => {
    const happened = Deferred.makeUnsafe<void>()
    waiting.push(happened)
    if (isActing) return Deferred.await(happened)
    isActing = true
    return Effect.andThen(Effect.forkIn(actOnAll, scope), Deferred.await(happened))
  })
})
