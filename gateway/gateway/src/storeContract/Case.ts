/** One promise of a store, as a program that runs on an empty store. */
import assert from "node:assert/strict"
import { Cause, Effect, Exit } from "effect"
import type { Decision, Write } from "../kernel/Decision.ts"
import { GuardFailed, Store } from "../kernel/Store.ts"

export interface Case {
  readonly name: string
  /** Needs an empty store of its own. Fails or dies if the store breaks the promise. */
  readonly run: Effect.Effect<void, unknown, Store>
}

export const make = (name: string, run: (store: Store["Service"]) => Effect.Effect<void, unknown>): Case => ({
  name,
  run: Effect.flatMap(Store, run)
})

export const write = (...writes: ReadonlyArray<Write>): Decision => ({ guards: [], writes })

/** Expects that the commit dies: the decision is a programming error. */
export const expectDefect = Effect.fnUntraced(function* (store: Store["Service"], decision: Decision) {
  const exit = yield* Effect.exit(store.commit(decision))
  assert.ok(Exit.isFailure(exit), "the commit succeeded")
  assert.ok(Cause.hasDies(exit.cause), `not a defect: ${Cause.pretty(exit.cause)}`)
})

/** Expects that the guard at this position of the decision fails. */
export const expectGuardFailed = Effect.fnUntraced(function* (store: Store["Service"], decision: Decision, at = 0) {
  const error = yield* Effect.flip(store.commit(decision))
  assert.ok(error instanceof GuardFailed, `not a guard: ${error}`)
  assert.strictEqual(error.guard, decision.guards[at])
})

/** Commits all decisions concurrently, and returns the number of those whose guards held. */
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

/** Compares rows by their columns. Stores differ in the prototype of the objects and the class of bytes that they return. */
export const assertRow = (actual: object | undefined, expected: object | undefined): void =>
  assert.deepStrictEqual(actual && plain(actual), expected && plain(expected))

export const assertRows = (actual: ReadonlyArray<object>, expected: ReadonlyArray<object>): void =>
  assert.deepStrictEqual(actual.map(plain), expected.map(plain))

const plain = (row: object): object =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, value instanceof Uint8Array ? Uint8Array.from(value) : value])
  )
