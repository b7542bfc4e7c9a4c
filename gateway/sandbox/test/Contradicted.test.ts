/** A bank that approves a request after it has reported a decline. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import * as SandboxAcquirer from "../src/SandboxAcquirer.ts"
import { SandboxControl } from "../src/SandboxControl.ts"
import { ask, authorize, followUp, inquire, textOf } from "./Inquiry.ts"

const afterMs = 30_000
const authorizeContradicted = Effect.fnUntraced(function* (onceRepeated: boolean) {
  const { next } = yield* SandboxControl
  yield* next("authorize", { delivery: { _tag: "Contradicted", afterMs, onceRepeated } })
  return yield* Effect.forkChild(authorize(), { startImmediately: true })
})
const authorizedMinor = Effect.flatMap(SandboxControl, ({ books }) =>
  Effect.map(books.totals("1"), (totals) => totals.authorizedMinor)
)
const bank = () => Effect.provide(SandboxAcquirer.layer(), { local: true })

describe("a request whose late approval contradicts the inquiry", () => {
  it.effect("is declined on inquiry and on repeat, and approved by its own late answer", () =>
    Effect.gen(function* () {
      const pending = yield* authorizeContradicted(false)
      const before = [textOf(yield* inquire()), textOf(yield* authorize()), yield* authorizedMinor]
      assert.deepStrictEqual(before, ["Declined 100", "Declined 100", 0])
      yield* TestClock.adjust(afterMs)
      const answer = yield* Fiber.join(pending)
      assert.deepStrictEqual(
        [textOf(answer), textOf(yield* inquire()), yield* authorizedMinor],
        ["Approved", "Approved", 1000]
      )
      assert.strictEqual(textOf(yield* ask("void", followUp("1-void-1", 1000))), "Approved")
    }).pipe(bank())
  )

  it.effect("is not found on inquiry until it is repeated, if the scenario says so", () =>
    Effect.gen(function* () {
      const pending = yield* authorizeContradicted(true)
      const before = [textOf(yield* inquire()), textOf(yield* authorize()), textOf(yield* inquire())]
      assert.deepStrictEqual(before, ["NotFound", "Declined 100", "Declined 100"])
      yield* TestClock.adjust(afterMs)
      assert.strictEqual(textOf(yield* Fiber.join(pending)), "Approved")
    }).pipe(bank())
  )

  it.effect("stays declined if its caller was interrupted", () =>
    Effect.gen(function* () {
      yield* Fiber.interrupt(yield* authorizeContradicted(true))
      yield* TestClock.adjust(afterMs)
      assert.deepStrictEqual([textOf(yield* inquire()), yield* authorizedMinor], ["Declined 100", 0])
    }).pipe(bank())
  )

  it.effect("stays declined if the remaining amount does not cover it", () =>
    Effect.gen(function* () {
      yield* authorize()
      const { forReference } = yield* SandboxControl
      yield* forReference("1-capture-1", { delivery: { _tag: "Contradicted", afterMs } })
      const pending = yield* Effect.forkChild(ask("capture", followUp("1-capture-1", 700)), { startImmediately: true })
      assert.strictEqual(textOf(yield* ask("capture", followUp("1-capture-2", 1000))), "Approved")
      yield* TestClock.adjust(afterMs)
      assert.strictEqual(textOf(yield* Fiber.join(pending)), "Declined 110")
    }).pipe(bank())
  )
})
