/**
 * Commits decisions about rows that other writers may change at the same time, and handles failed guards: no other module reads
 * the failure of a guard or counts tries. A commit whose outcome is unknown fails with `StoreUnavailable` and is never repeated.
 */
import { Effect } from "effect"
import type { Decision, Guard, Write } from "./Decision.ts"
import { GuardFailed, type Store, type StoreUnavailable } from "./Store.ts"

type Committing = Pick<Store["Service"], "commit">

/** Largest number of tries of a decision when other writers are first each time. */
const maxTries = 5

/**
 * Largest number of tries of a decision that is made under a `KeyedLock`. It competes with one decision of each other process,
 * and this number is larger than the times that those can be first.
 */
export const triesUnderLock = 50

/** Commits once. Returns the guard that did not hold, in which case nothing was written. */
export const lostGuardOf = (
  store: Committing,
  decision: Decision
): Effect.Effect<Guard | undefined, StoreUnavailable> =>
  Effect.matchEffect(store.commit(decision), {
    onSuccess: () => Effect.undefined,
    onFailure: (error) => (error instanceof GuardFailed ? Effect.succeed(error.guard) : Effect.fail(error))
  })

/** Commits once. If a guard did not hold, fails with the error of `onLostGuard`. */
export const commitOr = <E, R>(
  store: Committing,
  decision: Decision,
  onLostGuard: (guard: Guard) => Effect.Effect<never, E, R>
): Effect.Effect<void, E | StoreUnavailable, R> =>
  Effect.flatMap(
    lostGuardOf(store, decision),
    (guard): Effect.Effect<void, E, R> => (guard === undefined ? Effect.void : onLostGuard(guard))
  )

/** Whether a commit failed because an account has no room for an amount; see `LedgerTable.room`. */
export const isWithoutRoom = (error: GuardFailed | StoreUnavailable): boolean =>
  error._tag === "GuardFailed" && error.guard._tag === "BalanceHasRoom"

/** Commits writes without guards: facts that are only added, and settings of the gateway itself. */
export const record = (store: Committing, writes: ReadonlyArray<Write>): Effect.Effect<void, StoreUnavailable> =>
  Effect.catchTag(store.commit({ guards: [], writes }), "GuardFailed", Effect.die)

/** Turns a failed guard into a defect. For effects that handle each failed guard themselves. */
export const noneLost = <A, E, R>(committing: Effect.Effect<A, E | GuardFailed, R>): Effect.Effect<A, E, R> =>
  Effect.catch(committing, (error) => (error instanceof GuardFailed ? Effect.die(error) : Effect.fail(error)))

/** The reaction to a failed guard. `again`: the decision is made again, on the current rows. */
export type LostGuardReaction<A, E, R> = "again" | Effect.Effect<A, E, R>

interface Transaction<A, E, R, B, E2, R2> {
  /**
   * Loads what the decision needs, decides, and commits once. Values that must be the same in every try are prepared outside the
   * attempt.
   */
  readonly attempt: Effect.Effect<A, E | GuardFailed, R>
  /**
   * Runs before each further try, and loads what the caller had loaded before. If left out, the attempt loads everything itself.
   */
  readonly reload?: Effect.Effect<void, E | GuardFailed, R>
  /** Default: `again`. */
  readonly onLostGuard?: (guard: Guard) => LostGuardReaction<B, E2, R2>
  /** Runs if other writers were first in every try. */
  readonly exhausted: (guard: Guard) => Effect.Effect<B, E2, R2>
  /** Default: 5. */
  readonly tries?: number
}

/** Runs the attempt until its commit succeeds, or until `onLostGuard` returns another effect, which is then run. */
export const transact = <A, E, R, B, E2, R2>({
  attempt,
  exhausted,
  onLostGuard = () => "again",
  reload = Effect.void,
  tries = maxTries
}: Transaction<A, E, R, B, E2, R2>): Effect.Effect<A | B, E | E2, R | R2> => {
  const again = Effect.andThen(reload, attempt)
  const run = (next: typeof attempt, left: number): Effect.Effect<A | B, E | E2, R | R2> =>
    Effect.catch(next, (error): Effect.Effect<A | B, E | E2, R | R2> => {
      if (!(error instanceof GuardFailed)) return Effect.fail(error)
      const instead = onLostGuard(error.guard)
      if (instead !== "again") return instead
      return left > 1 ? run(again, left - 1) : exhausted(error.guard)
    })
  return run(attempt, tries)
}
