import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { names } from "../src/plan/Faults.ts"
import * as Run from "../src/run/Run.ts"
import type { Progress } from "../src/run/Tally.ts"
import * as Model from "./Model.ts"

const options: Run.Options = {
  ...{ command: ["shop"], currency: "USD", payments: 400, seed: 7 },
  onProgress: () => Effect.void
}

const run = (mistakes: Parameters<typeof Model.make>[0], changes: Partial<Run.Options> = {}) => {
  const { counts, layer } = Model.make(mistakes)
  return Effect.gen(function* () {
    const running = yield* Effect.forkChild(Run.run({ ...options, ...changes }))
    while (running.pollUnsafe() === undefined) yield* TestClock.adjust("1 minute")
    return { counts, result: yield* Fiber.join(running) }
  }).pipe(Effect.provide(layer))
}

describe("a run of a crash test", () => {
  it.effect("of a shop without mistakes finds nothing, and meets every fault that the shop can meet", () =>
    Effect.gen(function* () {
      const { counts, result } = yield* run({}, { payments: 800 })
      assert.deepStrictEqual(result.findings, [])
      assert.strictEqual(result.payments, 800)
      assert.deepStrictEqual(
        names.filter((name) => result.met[name] === undefined),
        ["disorderedCallback", "neverReturns", "returnsTwice", "returnsWithoutResult"]
      )
      assert.isAtLeast(counts.kills, 4)
      assert.isAtLeast(counts.restarts, 1)
    })
  )

  it.effect("names one fault for each finding, also where it was found with a pair", () =>
    Effect.gen(function* () {
      const { result } = yield* run({ twice: ["lostAnswer"] }, { payments: 600 })
      assert.isAbove(result.findings.length, 5)
      for (const { case: own, kind } of result.findings) {
        assert.strictEqual(kind, "chargedTwice")
        assert.deepStrictEqual(
          own.faults.map(({ fault }) => fault),
          ["lostAnswer"]
        )
      }
    })
  )

  it.effect("repeats one case by its number", () =>
    Effect.gen(function* () {
      const { result } = yield* run({ twice: ["lostAnswer"] })
      const only = result.findings[0]?.case.number
      const { counts, result: again } = yield* run({ twice: ["lostAnswer"] }, { only })
      assert.strictEqual(counts.bought, 1)
      assert.deepStrictEqual(
        again.findings.map(({ case: own }) => own.number),
        [only]
      )
    })
  )

  it.effect("ends at once if payments without a fault show a difference", () =>
    Effect.gen(function* () {
      const { counts, result } = yield* run({ isBroken: true })
      assert.match(result.ended ?? "", /without any fault/)
      assert.strictEqual(counts.bought, 3)
    })
  )

  it.effect("notes that the shop ended, and starts it again", () =>
    Effect.gen(function* () {
      const { counts, result } = yield* run({ ends: "htmlBefore" })
      assert.include(result.findings[0]?.difference ?? "", "its last words")
      assert.isAtLeast(counts.starts, 2)
    })
  )

  it.effect("gives what it has so far when it is stopped", () =>
    Effect.gen(function* () {
      const stop = yield* Deferred.make<void>()
      const reports: Array<Progress> = []
      const onProgress = (progress: Progress) => {
        reports.push(progress)
        return progress.done === 150 ? Effect.asVoid(Deferred.succeed(stop, undefined)) : Effect.void
      }
      const { result } = yield* run({}, { onProgress, stop })
      assert.strictEqual(result.ended, "It was stopped.")
      assert.isAtLeast(result.payments, 150)
      assert.isBelow(result.payments, 400)
      assert.deepInclude(reports.at(-1), { planned: 400 })
    })
  )

  it.effect("says when it is stopped what differs in the orders that the shop could still have repaired", () =>
    Effect.gen(function* () {
      const stop = yield* Deferred.make<void>()
      const onProgress = ({ done }: Progress) =>
        done === 150 ? Effect.asVoid(Deferred.succeed(stop, undefined)) : Effect.void
      const { result } = yield* run({ twice: ["lostAnswer"] }, { onProgress, stop })
      assert.isBelow(result.payments, 400)
      assert.isAbove(result.findings.length, 0)
    })
  )

  it.effect.each([
    ["twice to one that acts in its time: what the gateway does then is news for it", () => 1.5, true, []],
    ["once to one that only waits", () => 1.5, false, ["stuck"]],
    ["once for each order that it repairs in it", (index: number) => 0.8 * ((index % 3) + 1), false, []],
    ["longer on a machine on which its answers take long", () => 1.5, false, [], 200],
    ["and no more than five times as much", () => 5.5, false, ["stuck"], 2_000]
  ] as const)("gives a shop its time %s", ([, after, acts, kinds, answerMs = 0]) =>
    Effect.gen(function* () {
      const knowsLate = { patienceMs: 20_000, acts, after, answerMs }
      const { result } = yield* run({ knowsLate }, { payments: 3, kinds: ["lostAnswer"] })
      assert.deepStrictEqual(new Set(result.findings.map(({ kind }) => kind)), new Set(kinds))
    })
  )

  it.effect("begins with a new gateway after some thousand payments: the orders of one take its memory", () =>
    Effect.gen(function* () {
      const { counts } = yield* run({}, { payments: 2_200, kinds: ["declined", "lostAnswer"] })
      assert.strictEqual(counts.renewals, 1)
    })
  )

  it.effect("ends when its minutes are over", () =>
    Effect.gen(function* () {
      const { result } = yield* run({}, { minutes: 0 })
      assert.match(result.ended ?? "", /^The time is over: 0 minutes\.$/)
    })
  )

  it.effect("says that a case does not exist", () =>
    Effect.gen(function* () {
      const { result } = yield* run({}, { only: 9_999 })
      assert.strictEqual(result.ended, "There is no case 9999.")
    })
  )
})
