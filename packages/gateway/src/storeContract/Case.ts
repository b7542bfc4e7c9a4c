/** One promise of a store, as a program over an empty one. */
import assert from "node:assert/strict"
import { Cause, Effect, Exit } from "effect"
import type { Decision, Write } from "../kernel/Decision.ts"
import { GuardFailed, Store } from "../kernel/Store.ts"

export interface Case {
  readonly name: string
  /** Wants a store of its own, with nothing in it; fails or dies where the store breaks the promise. */
  readonly run: Effect.Effect<void, unknown, Store>
}

export const make = (name: string, run: (store: Store["Service"]) => Effect.Effect<void, unknown>): Case => ({
  name,
  run: Effect.flatMap(Store, run)
})

export const write = (...writes: ReadonlyArray<Write>): Decision => ({ guards: [], writes })

/** Expects that the commit is a mistake of the program, not something that can happen. */
export const expectDefect = Effect.fnUntraced(function* (store: Store["Service"], decision: Decision) {
  const exit = yield* Effect.exit(store.commit(decision))
  assert.ok(Exit.isFailure(exit), "the commit succeeded")
  assert.ok(Cause.hasDies(exit.cause), `not a defect: ${Cause.pretty(exit.cause)}`)
})

/** Expects the guard at this place of the decision to be the one that fails. */
export const expectGuardFailed = Effect.fnUntraced(function* (store: Store["Service"], decision: Decision, at = 0) {
  const error = yield* Effect.flip(store.commit(decision))
  assert.ok(error instanceof GuardFailed, `not a guard: ${error}`)
  assert.strictEqual(error.guard, decision.guards[at])
})

/** Commits all at once and counts those that passed their guards. */
export const race = Effect.fnUntraced(function* (store: Store["Service"], decisions: ReadonlyArray<Decision>) {
  const passed = yield* Effect.forEach(
    decisions,
    (decision) =>
      store.commit(decision).pipe(
        Effect.as(true),
        Effect.catchTag("GuardFailed", () => Effect.succeed(false))
      ),
    { concurrency: "unbounded" }
  )
  return passed.filter((each) => each).length
})

/** Rows compared by their columns: stores differ in the prototype of the objects and the class of bytes that they answer. */
export const assertRow = (actual: object | undefined, expected: object | undefined): void =>
  assert.deepStrictEqual(actual && plain(actual), expected && plain(expected))

export const assertRows = (actual: ReadonlyArray<object>, expected: ReadonlyArray<object>): void =>
  assert.deepStrictEqual(actual.map(plain), expected.map(plain))

const plain = (row: object): object =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, value instanceof Uint8Array ? Uint8Array.from(value) : value])
  )
