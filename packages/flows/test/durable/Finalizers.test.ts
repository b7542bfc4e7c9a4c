import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Layer, Schema, type Scope } from "effect"
import { TestClock } from "effect/testing"
import { temporaryFile } from "../../../sqlite/test/TemporaryFolder.ts"
import * as Durable from "../../src/durable/Durable.ts"
import * as Flow from "../../src/engine/Flow.ts"
import { FlowEngine } from "../../src/engine/FlowEngine.ts"
import * as Steps from "../../src/engine/Steps.ts"
import { Book, lines, NoMoney, note, processWith, step } from "./Fixture.ts"

const flowOf = (run: Effect.Effect<string, NoMoney, Book>) =>
  Flow.make({
    name: "Held",
    summary: "For these tests.",
    payload: Schema.Struct({ id: Schema.String }),
    success: Schema.String,
    error: NoMoney,
    idempotencyKey: ({ id }) => id,
    run: () => run
  })

const noMoney = new NoMoney({ retryable: false })

/** A resource that is released by two steps with a pause between them. */
const scoped: Effect.Effect<string, never, Book | Scope.Scope> = Effect.gen(function* () {
  const { addFinalizer } = yield* Steps.Steps
  yield* addFinalizer((exit) =>
    Exit.isSuccess(exit)
      ? note("kept")
      : Effect.andThen(step("let go"), Effect.andThen(Steps.sleep("until it is gone", "1 hour"), step("gone")))
  )
  return yield* step("held")
})

/** Fails after a recorded step, beside a part that has recorded nothing and whose resource takes an hour to be released. */
const besideAnother = Effect.gen(function* () {
  const other = Effect.scoped(
    Effect.gen(function* () {
      const { addFinalizer } = yield* Steps.Steps
      yield* addFinalizer(() =>
        Effect.andThen(step("let go"), Effect.andThen(Steps.sleep("until it is gone", "1 hour"), step("gone")))
      )
      return yield* Effect.never
    })
  )
  yield* Effect.all([Effect.andThen(step("one"), noMoney), other], { concurrency: 2 })
  return "both"
})

const rows: ReadonlyArray<
  readonly [scenario: string, run: Effect.Effect<string, NoMoney, Book>, did: string, end: string]
> = [
  [
    "succeeds, and keeps its resource although the flow fails later",
    Effect.andThen(Effect.scoped(scoped), noMoney),
    "held, kept",
    "Failed"
  ],
  [
    "fails with the flow, and releases its resource",
    Effect.scoped(Effect.andThen(scoped, noMoney)),
    "held, let go, gone",
    "Failed"
  ],
  [
    "fails, and releases its resource before the flow continues",
    Effect.catch(Effect.scoped(Effect.andThen(scoped, noMoney)), () => step("after")),
    "held, let go, gone, after",
    "Succeeded"
  ],
  [
    "is interrupted, and releases its resource at the end of the flow",
    Effect.catchCause(Effect.scoped(Effect.andThen(scoped, Effect.interrupt)), () => step("after")),
    "held, after, let go, gone",
    "Succeeded"
  ],
  [
    "belongs to a part that had recorded nothing when another one failed, and releases its resource",
    besideAnother,
    "one, let go, gone",
    "Failed"
  ],
  [
    "has a defect, and releases nothing until it is resumed",
    Effect.scoped(Effect.andThen(scoped, Effect.die("bug"))),
    "held",
    "Stuck"
  ]
]

describe("the scope of a durable flow", () => {
  for (const [scenario, run, did, end] of rows) {
    it.effect(scenario, () =>
      Effect.gen(function* () {
        const flow = flowOf(run)
        const path = yield* temporaryFile
        const on = processWith(flow.layer.pipe(Layer.provideMerge(Durable.layer({ path }))))
        const start = Effect.flatMap(FlowEngine, (durable) => Effect.andThen(flow.start({ id: "1" }), durable.settled))
        yield* on(start)
        yield* TestClock.adjust("1 hour")
        yield* on(Effect.andThen(start, flow.poll("1"))).pipe(
          Effect.tap((flowStatus) => Effect.sync(() => assert.strictEqual(flowStatus._tag, end)))
        )
        assert.strictEqual((yield* lines).join(", "), did)
      }).pipe(Effect.provide(Book.layer))
    )
  }

  it.effect("ends with its process, releases nothing, and continues in the next process", () =>
    Effect.gen(function* () {
      const reached = yield* Deferred.make<void>()
      let isSlow = true
      const slow = Steps.step(
        "slow",
        { success: Schema.String, error: Schema.Never },
        Effect.suspend(() =>
          isSlow ? Effect.andThen(Deferred.succeed(reached, undefined), Effect.never) : Effect.succeed("done")
        )
      )
      const flow = flowOf(Effect.scoped(Effect.andThen(scoped, slow)))
      const path = yield* temporaryFile
      const on = processWith(flow.layer.pipe(Layer.provideMerge(Durable.layer({ path }))))
      yield* on(Effect.suspend(() => Effect.andThen(flow.start({ id: "1" }), Deferred.await(reached))))
      isSlow = false
      const ended = yield* on(Effect.suspend(() => flow.execute({ id: "1" })))
      assert.strictEqual(ended, "done")
      assert.deepStrictEqual(yield* lines, ["held", "kept"])
    }).pipe(Effect.provide(Book.layer))
  )
})
