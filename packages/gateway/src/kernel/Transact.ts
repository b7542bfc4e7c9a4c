/**
 * Commits what was decided on rows that others may change meanwhile, and says what a lost guard means: nothing else looks at
 * the failure of a guard, or counts tries. A commit whose outcome is unknown fails with `StoreUnavailable` and is never repeated.
 */
import { Effect } from "effect"
import type { Decision, Guard, Write } from "./Decision.ts"
import { GuardFailed, type Store, type StoreUnavailable } from "./Store.ts"

type Committing = Pick<Store["Service"], "commit">

/** So often a decision is made where others are first each time. */
const mostTries = 5

/**
 * The tries of a decision that waits for its turn in the line of what it changes: it competes with one other of
 * each process that runs, and this is more than those could be first each time.
 */
export const triesInLine = 50

/** Commits once, and returns the guard that did not hold: then nothing was written. */
export const lostOf = (store: Committing, decision: Decision): Effect.Effect<Guard | undefined, StoreUnavailable> =>
  Effect.matchEffect(store.commit(decision), {
    onSuccess: () => Effect.undefined,
    onFailure: (error) => (error instanceof GuardFailed ? Effect.succeed(error.guard) : Effect.fail(error))
  })

/** Commits once; fails as `lost` says where a guard did not hold. */
export const commitOr = <E, R>(
  store: Committing,
  decision: Decision,
  lost: (guard: Guard) => Effect.Effect<never, E, R>
): Effect.Effect<void, E | StoreUnavailable, R> =>
  Effect.flatMap(
    lostOf(store, decision),
    (guard): Effect.Effect<void, E, R> => (guard === undefined ? Effect.void : lost(guard))
  )

/** Commits what no guard protects: facts that are only added, and settings of the gateway itself. */
export const record = (store: Committing, writes: ReadonlyArray<Write>): Effect.Effect<void, StoreUnavailable> =>
  Effect.catchTag(store.commit({ guards: [], writes }), "GuardFailed", Effect.die)

/** What commits through this has said itself what a lost guard means: one that is lost nevertheless is a defect. */
export const noneLost = <A, E, R>(committing: Effect.Effect<A, E | GuardFailed, R>): Effect.Effect<A, E, R> =>
  Effect.catch(committing, (error) => (error instanceof GuardFailed ? Effect.die(error) : Effect.fail(error)))

/** What the loss of a guard means. `again`: the decision is made anew, on what is there now. */
export type Lost<A, E, R> = "again" | Effect.Effect<A, E, R>

interface Transaction<A, E, R, B, E2, R2> {
  /** Loads what the decision needs, decides, and commits once. What must stay the same when it is made anew is prepared before. */
  readonly attempt: Effect.Effect<A, E | GuardFailed, R>
  /** Runs before the attempt is made again, and loads anew what the caller had at hand. Left out: the attempt loads all itself. */
  readonly reload?: Effect.Effect<void, E | GuardFailed, R>
  /** Left out: `again`. */
  readonly lost?: (guard: Guard) => Lost<B, E2, R2>
  /** Others were first each time. */
  readonly exhausted: (guard: Guard) => Effect.Effect<B, E2, R2>
  /** Left out: 5. */
  readonly tries?: number
}

/** Runs the attempt until its commit holds, or what `lost` says is done instead. */
export const transact = <A, E, R, B, E2, R2>({
  attempt,
  exhausted,
  lost = () => "again",
  reload = Effect.void,
  tries = mostTries
}: Transaction<A, E, R, B, E2, R2>): Effect.Effect<A | B, E | E2, R | R2> => {
  const again = Effect.andThen(reload, attempt)
  const run = (next: typeof attempt, left: number): Effect.Effect<A | B, E | E2, R | R2> =>
    Effect.catch(next, (error): Effect.Effect<A | B, E | E2, R | R2> => {
      if (!(error instanceof GuardFailed)) return Effect.fail(error)
      const instead = lost(error.guard)
      if (instead !== "again") return instead
      return left > 1 ? run(again, left - 1) : exhausted(error.guard)
    })
  return run(attempt, tries)
}
