/**
 * The number of a process that does not share its store. Each start takes the next number, which the store counts durably. A
 * number is used again only after all others, so identifiers differ even if the clock was set back between two starts.
 */
import { Effect, Latch, Option, Random } from "effect"
import * as Change from "./Change.ts"
import * as Decision from "./Decision.ts"
import { Revision } from "./Revision.ts"
import { Store, type StoreUnavailable } from "./Store.ts"
import * as Transact from "./Transact.ts"

export interface ProcessNumber {
  /** The number. None: the store has not given one yet. */
  readonly number: () => Option.Option<number>
  /** Takes a number if there is none yet. */
  readonly take: Effect.Effect<void, StoreUnavailable>
  /** Requests a number now. */
  readonly wake: () => void
}

/** Number of possible process numbers: 0 to 1023. */
export const count = 1024

const randomNumber = Random.nextIntBetween(0, count - 1)

export const random: Effect.Effect<ProcessNumber> = Effect.map(randomNumber, (number) => ({
  number: () => Option.some(number),
  take: Effect.void,
  wake: () => {}
}))

const subject = "processes"

/**
 * Takes the number after the latest one. The first number of a store is random. A number whose commit had an unknown outcome is
 * skipped.
 */
const next = Effect.gen(function* () {
  const store = yield* Store
  const attempt = Effect.gen(function* () {
    const row = yield* store.load(Revision, [subject])
    const nextRow: Revision = row === undefined ? { subject, version: yield* randomNumber } : Change.next(row)
    const guard =
      row === undefined
        ? Decision.absent(Revision, "key", [subject])
        : Decision.versionIs(Revision, [subject], row.version)
    yield* store.commit({ guards: [guard], writes: [Decision.put(Revision, nextRow)] })
    return nextRow.version % count
  })
  return yield* Transact.transact({
    attempt,
    exhausted: () => Effect.die(new Error("Another process takes numbers from a store that admits one process."))
  })
})

/**
 * Takes the next number of the store. If the store takes no commit, as on a full disk, the process starts without a number, and
 * each `wake` tries again.
 */
export const counted = Effect.gen(function* () {
  const store = yield* Store
  const due = yield* Latch.make(false)
  let number = Option.none<number>()
  const take = Effect.suspend(() =>
    Option.isSome(number)
      ? Effect.void
      : Effect.map(Effect.provideService(next, Store, store), (taken) => {
          number = Option.some(taken)
        })
  )
  const attempt = Effect.catch(take, (error) =>
    Effect.logWarning("This process cannot take its number from the store; it tries again", error)
  )
  const untilTaken: Effect.Effect<void> = Effect.suspend(() =>
    Option.isSome(number)
      ? Effect.void
      : Effect.andThen(due.await, () => {
          due.closeUnsafe()
          return Effect.andThen(attempt, untilTaken)
        })
  )
  yield* attempt
  yield* Effect.forkScoped(untilTaken)
  return { number: () => number, take, wake: () => due.openUnsafe() } satisfies ProcessNumber
})
