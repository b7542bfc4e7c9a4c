/** The arguments of `npm run soak`, and its counts. The result of a run is in docs/operators/soak.md. */
import { assert, describe, it } from "@effect/vitest"
import { NotSent, OutcomeUnknown, Refused } from "@pay/transport/PayError"
import { Effect, Result } from "effect"
import * as Arguments from "./soak/Arguments.ts"
import * as Tally from "./soak/Tally.ts"

const message = (...args: ReadonlyArray<string>) =>
  Effect.map(Effect.flip(Arguments.read(args)), (error) => error.message)

describe("npm run soak", () => {
  it.effect("runs for five minutes by default", () =>
    Effect.gen(function* () {
      const plain = { minutes: 5, seed: 1, recurring: undefined, writes: false }
      assert.deepStrictEqual(yield* Arguments.read([]), plain)
      assert.deepStrictEqual(yield* Arguments.read(["--minutes", "0.5", "--seed", "7", "--write"]), {
        ...plain,
        ...{ minutes: 0.5, seed: 7, writes: true }
      })
      assert.strictEqual((yield* Arguments.read(["--recurring", "100000"])).recurring, 100_000)
    })
  )

  it.effect("reports which argument is wrong, and why", () =>
    Effect.gen(function* () {
      assert.include(yield* message("--hours", "3"), "'--hours'")
      assert.strictEqual(yield* message("--minutes", "soon"), '--minutes must be a number above 0, not "soon"')
      assert.strictEqual(yield* message("--minutes", "0"), '--minutes must be a number above 0, not "0"')
      assert.strictEqual(yield* message("--seed", "1.5"), '--seed must be a whole number, not "1.5"')
      assert.strictEqual(yield* message("--recurring", "0"), '--recurring must be a whole number above 0, not "0"')
    })
  )

  it("counts answers by operation, and records the reasons of refusals", () => {
    const tally = Tally.make()
    tally.add("SALE", Result.succeed({}))
    tally.add("SALE", Result.fail(new NotSent({ operation: "SALE", reason: "Unreachable", code: "ECONNREFUSED" })))
    const lost = { reason: "Deadline", code: "deadline", retryable: false } as const
    tally.add("VOID", Result.fail(new OutcomeUnknown({ operation: "VOID", ...lost })))
    tally.add("VOID", Result.fail(new Refused({ operation: "VOID", status: 400, errors: [] })))
    const counts = [...tally.byOperation].map(([name, byAnswer]) => [name, Object.fromEntries(byAnswer)])
    assert.deepStrictEqual(counts, [
      ["SALE", { accepted: 1, notSent: 1 }],
      ["VOID", { unknown: 1, refused: 1 }]
    ])
    assert.strictEqual(Tally.total(tally, "accepted"), 1)
    assert.deepStrictEqual(
      tally.refusals.map(({ message }) => message),
      ["VOID was refused (400): no reason given"]
    )
  })

  it.each([
    ["within the period", 5, 35, 30],
    ["from the beginning of the period", 15, 30, 25],
    ["until after the period", 50, 60, 50],
    ["without an end", 95, 125, 25]
  ])("measures the longest time without an accepted request: %s", (_, fromMs, untilMs, longest) => {
    const tally = { ...Tally.make(), acceptedAtMs: [0, 10, 40, 100] }
    assert.strictEqual(Tally.longestGapMs(tally, fromMs, untilMs), longest)
  })
})
