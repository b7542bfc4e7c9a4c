/** Commits to rows that other processes change: lost guards, repeated decisions, and commits that are never repeated. */
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit } from "effect"
import * as Decision from "../src/kernel/Decision.ts"
import { Job } from "../src/kernel/Job.ts"
import { GuardFailed, StoreUnavailable } from "../src/kernel/Store.ts"
import * as Transact from "../src/kernel/Transact.ts"

const lease = Decision.leaseIs("bank:1", "mine")
const balance = Decision.balanceAtLeast("shop/7/USD/available", 1)
const decision = { guards: [lease], writes: [Decision.remove(Job, ["bank:1"])] }
const unknown = new StoreUnavailable({ outcomeUnknown: true })

/** A store with a scripted answer for each commit. */
const storeOf = (answers: ReadonlyArray<Decision.Guard | "done" | "unknown">) => {
  const committed: Array<Decision.Decision> = []
  return {
    committed,
    commit: (submitted: Decision.Decision) =>
      Effect.suspend((): Effect.Effect<void, GuardFailed | StoreUnavailable> => {
        const answer = answers[committed.length] ?? "done"
        committed.push(submitted)
        if (answer === "unknown") return Effect.fail(unknown)
        return answer === "done" ? Effect.void : Effect.fail(new GuardFailed({ guard: answer }))
      })
  }
}

const outcomeOf = (exit: Exit.Exit<unknown, unknown>): unknown =>
  Exit.isSuccess(exit) ? exit.value : Cause.hasDies(exit.cause) ? "defect" : Cause.squash(exit.cause)

describe("a transaction", () => {
  const cases: ReadonlyArray<
    readonly [
      what: string,
      answers: Parameters<typeof storeOf>[0],
      tries: number | undefined,
      expected: unknown,
      commits: number
    ]
  > = [
    ["commits once if its guards hold", ["done"], undefined, "done", 1],
    ["is decided again if another process committed first", [lease, lease, "done"], undefined, "done", 3],
    ["is tried five times by default", [lease, lease, lease, lease, lease, lease], undefined, "exhausted LeaseIs", 5],
    ["is tried as often as it requests", [lease, lease, lease], 2, "exhausted LeaseIs", 2],
    ["returns the result of its handler for the lost guard", [balance], undefined, "instead", 1],
    ["returns the result of its handler at a later attempt", [lease, balance], undefined, "instead", 2],
    ["is never repeated after an unknown outcome", ["unknown", "done"], undefined, unknown, 1]
  ]
  it.effect.each(cases)("%s", ([, answers, tries, expected, commits]) =>
    Effect.gen(function* () {
      const store = storeOf(answers)
      const exit = yield* Effect.exit(
        Transact.transact({
          attempt: Effect.as(store.commit(decision), "done"),
          onLostGuard: ({ _tag }) => (_tag === "BalanceAtLeast" ? Effect.succeed("instead") : "again"),
          exhausted: ({ _tag }) => Effect.succeed(`exhausted ${_tag}`),
          ...(tries === undefined ? {} : { tries })
        })
      )
      assert.deepStrictEqual([outcomeOf(exit), store.committed.length], [expected, commits])
    })
  )

  it.effect("is decided again after any lost guard without a handler", () =>
    Effect.gen(function* () {
      const store = storeOf([lease, balance])
      const attempt = Effect.as(store.commit(decision), "done")
      assert.strictEqual(yield* Transact.transact({ attempt, exhausted: () => Effect.die("exhausted") }), "done")
    })
  )

  it.effect("reloads before each further attempt, and not before the first", () =>
    Effect.gen(function* () {
      const store = storeOf([lease, lease, "done"])
      const order: Array<string> = []
      const attempt = Effect.suspend(() => {
        order.push("attempt")
        return store.commit(decision)
      })
      const reload = Effect.sync(() => void order.push("reload"))
      yield* Transact.transact({ attempt, reload, exhausted: () => Effect.die("exhausted") })
      assert.deepStrictEqual(order, ["attempt", "reload", "attempt", "reload", "attempt"])
    })
  )

  it.effect("fails with the error of its attempt", () =>
    Effect.gen(function* () {
      const exit = yield* Effect.exit(
        Transact.transact({ attempt: Effect.fail("refused"), exhausted: () => Effect.die("exhausted") })
      )
      assert.strictEqual(outcomeOf(exit), "refused")
    })
  )
})

describe("a single commit", () => {
  it.effect.each([
    ["succeeds if its guards hold", "done", undefined, undefined, undefined],
    ["returns, fails or is a defect if it loses a guard", lease, lease, "instead", "defect"],
    ["fails if its outcome is unknown", "unknown", unknown, unknown, unknown]
  ] as const)("%s", ([, answer, lost, or, recorded]) =>
    Effect.gen(function* () {
      const ask = <A, E>(commit: (store: ReturnType<typeof storeOf>) => Effect.Effect<A, E>) =>
        Effect.map(Effect.exit(commit(storeOf([answer]))), outcomeOf)
      assert.deepStrictEqual(
        [
          yield* ask((store) => Transact.lostGuardOf(store, decision)),
          yield* ask((store) => Transact.commitOr(store, decision, () => Effect.fail("instead"))),
          yield* ask((store) => Transact.record(store, decision.writes))
        ],
        [lost, or, recorded]
      )
    })
  )

  it.effect.each([
    ["a lost guard is a defect", new GuardFailed({ guard: lease }), "defect"],
    ["another failure stays a failure", unknown, unknown]
  ] as const)("whose guards cannot be lost: %s", ([, error, expected]) =>
    Effect.gen(function* () {
      assert.strictEqual(outcomeOf(yield* Effect.exit(Transact.noneLost(Effect.fail(error)))), expected)
    })
  )

  it.effect("that only records rows has no guards", () =>
    Effect.gen(function* () {
      const store = storeOf([])
      yield* Transact.record(store, decision.writes)
      assert.deepStrictEqual(store.committed, [{ guards: [], writes: decision.writes }])
    })
  )
})
