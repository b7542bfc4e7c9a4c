import { assert, describe, it } from "@effect/vitest"
import type * as Database from "@pay/sqlite/Database"
import { Effect, Option, Schema } from "effect"
import { TestClock } from "effect/testing"
import { Activity, DurableClock, Workflow } from "effect/workflow"
import { temporaryFile } from "../../sqlite/test/TemporaryFolder.ts"
import { Executions } from "../src/Executions.ts"
import { DefinitionChanged } from "../src/engine/Run.ts"
import { StrictReplay } from "../src/WorkflowEngine.ts"
import { ActivityLog, activity, record, withEngine } from "./Fixture.ts"

const Order = Workflow.make("Order", {
  payload: { id: Schema.String },
  success: Schema.String,
  idempotencyKey: ({ id }) => id
})
  .annotate(StrictReplay, true)
  .annotate(Workflow.SuspendOnFailure, true)

const pause = DurableClock.sleep({ name: "pause", duration: "1 hour" })

/** The definition under which the execution reached its pause. */
const previous = Effect.all([activity("a"), activity("b"), pause, activity("c")])

const settled = Effect.flatMap(Executions, (executions) => executions.settled)

/** Starts an execution under the previous definition, restarts it under another one, and returns its state and the activities of the second run. */
const changedDefinition = (changed: Effect.Effect<unknown, never, Effect.Services<typeof previous>>) =>
  Effect.gen(function* () {
    const path = yield* temporaryFile
    const id = yield* withEngine(
      path,
      Order.toLayer(() => Effect.as(previous, "previous"))
    )(Effect.tap(Order.execute({ id: "1" }, { discard: true }), settled))
    yield* TestClock.adjust("1 hour")
    const result = yield* withEngine(
      path,
      Order.toLayer(() => Effect.as(changed, "changed"))
    )(
      Effect.gen(function* () {
        yield* settled
        return Option.getOrThrow(yield* (yield* Executions).find(id))
      })
    )
    const { performed } = yield* ActivityLog
    return { path, id, state: result.state, stuckOn: result.stuckOn, done: performed.slice(2).join(" ") }
  })

const table: ReadonlyArray<
  readonly [
    change: string,
    definition: Parameters<typeof changedDefinition>[0],
    stuck: RegExp | undefined,
    done: string
  ]
> = [
  ["no change", previous, undefined, "c"],
  ["a step added at the end", Effect.all([previous, activity("d")]), undefined, "c d"],
  [
    "sequential steps made concurrent",
    Effect.all([activity("b"), activity("a"), pause, activity("c")], { concurrency: 3 }),
    undefined,
    "c"
  ],
  [
    "a step renamed",
    Effect.all([activity("a"), activity("b2"), pause, activity("c")]),
    /has recorded "b", the clock "pause", and its definition now requests "b2" instead/,
    ""
  ],
  [
    "a step inserted before the others",
    Effect.all([activity("new"), activity("a"), activity("b"), pause, activity("c")]),
    /now requests "new" instead/,
    ""
  ],
  [
    "a step removed",
    Effect.all([activity("a"), pause, activity("c")]),
    /has recorded "b", and its definition now requests "c" instead/,
    ""
  ],
  [
    "a pause removed",
    Effect.all([activity("a"), activity("b"), activity("c")]),
    /has recorded the clock "pause", and its definition now requests "c" instead/,
    ""
  ],
  [
    "a renamed pause",
    Effect.all([activity("a"), activity("b"), DurableClock.sleep({ name: "rest", duration: "1 hour" }), activity("c")]),
    /now requests the clock "rest" instead/,
    ""
  ],
  ["an earlier end", activity("a"), /has recorded "b", the clock "pause", and its definition now ends without them/, ""]
]

describe("a changed definition with an open execution", () => {
  for (const [change, definition, stuck, done] of table) {
    const outcome = stuck === undefined ? "the execution continues" : "the execution is stuck, and no activity runs"
    it.effect(`${change}: ${outcome}`, () =>
      Effect.gen(function* () {
        const result = yield* changedDefinition(definition)
        if (stuck === undefined) assert.strictEqual(result.state, "finished")
        else assert.match(result.stuckOn ?? "", stuck)
        assert.strictEqual(result.done, done)
      }).pipe(Effect.provide(ActivityLog.layer))
    )
  }

  it("is described by three recorded steps and the number of the others", () => {
    const recorded = ["a", "b", "c", "d", "e"]
    const { message } = new DefinitionChanged({ workflow: "Order", executionId: "1", recorded, requestedStep: "x" })
    assert.include(message, "has recorded a, b, c and 2 more, and its definition now requests x instead")
  })

  it.effect("the previous definition, deployed again: the execution resumes and ends", () =>
    Effect.gen(function* () {
      const { id, path } = yield* changedDefinition(activity("other"))
      yield* withEngine(
        path,
        Order.toLayer(() => Effect.as(previous, "previous"))
      )(
        Effect.gen(function* () {
          yield* (yield* Executions).resume(id)
          assert.strictEqual(yield* Order.execute({ id: "1" }), "previous")
        })
      )
    }).pipe(Effect.provide(ActivityLog.layer))
  )
})

const aDay = DurableClock.sleep({ name: "a day", duration: "1 day" })
const slowly = (steps: number) =>
  Effect.andThen(
    Effect.forEach(
      Array.from({ length: steps }, (_, index) => `b${index}`),
      (name) => activity(name)
    ),
    aDay
  )

describe("concurrent branches, one of which ends the others", () => {
  for (const steps of [0, 1, 100]) {
    const rows = [
      ["by being first", Effect.race(pause, slowly(steps))],
      [
        "by failing",
        Effect.exit(Effect.all([Effect.andThen(pause, Effect.fail("no")), slowly(steps)], { concurrency: 2 }))
      ]
    ] as const
    for (const [cause, parts] of rows) {
      it.effect(`${cause}, after ${steps} steps of another: a restart replays the same result`, () =>
        Effect.gen(function* () {
          const path = yield* temporaryFile
          const on = withEngine(
            path,
            Order.toLayer(() => Effect.andThen(parts, activity("after")))
          )
          const id = yield* on(Effect.tap(Order.execute({ id: "1" }, { discard: true }), settled))
          yield* TestClock.adjust("1 hour")
          const result = yield* on(
            Effect.andThen(
              settled,
              Effect.flatMap(Executions, ({ find }) => find(id))
            )
          )
          const { state, stuckOn } = Option.getOrThrow(result)
          assert.deepStrictEqual([state, stuckOn], ["finished", undefined])
          const { performed } = yield* ActivityLog
          assert.strictEqual(performed.length, steps + 1)
          assert.strictEqual(performed.at(-1), "after")
        }).pipe(Effect.provide(ActivityLog.layer))
      )
    }
  }
})

describe("a finalizer that waits", () => {
  it.effect("continues where it stopped, after a restart", () =>
    Effect.gen(function* () {
      const path = yield* temporaryFile
      const closing = Order.toLayer(() =>
        Effect.gen(function* () {
          yield* Workflow.addFinalizer(() =>
            Effect.all([activity("undo"), pause, activity("undone")], { discard: true })
          )
          return yield* activity("a")
        })
      )
      const id = yield* withEngine(path, closing)(Effect.tap(Order.execute({ id: "1" }, { discard: true }), settled))
      yield* TestClock.adjust("1 hour")
      yield* withEngine(
        path,
        closing
      )(
        Effect.gen(function* () {
          yield* settled
          const { state, stuckOn } = Option.getOrThrow(yield* (yield* Executions).find(id))
          assert.deepStrictEqual([state, stuckOn], ["finished", undefined])
        })
      )
      const { performed } = yield* ActivityLog
      assert.deepStrictEqual(performed, ["a", "undo", "undone"])
    }).pipe(Effect.provide(ActivityLog.layer))
  )
})

const Three = Workflow.make("Three", {
  payload: { id: Schema.String },
  success: Schema.Int,
  idempotencyKey: ({ id }) => id
})

const ThreeLayer = Three.toLayer(
  Effect.fnUntraced(function* () {
    for (const name of ["1", "2", "3"]) yield* Activity.make({ name, execute: record(name) })
    return 42
  })
)

describe("a failing disk", () => {
  /** The first commit begins the execution, three record its activities, the last its end. */
  for (const failing of [2, 3, 4, 5]) {
    it.live(`at commit ${failing}: the execution runs again from its journal, and ends once`, () =>
      Effect.gen(function* () {
        const path = yield* temporaryFile
        let commits: number | undefined
        const intercept: Database.Intercept = (sql, run) => {
          if (commits !== undefined && sql === "COMMIT" && ++commits === failing) throw new Error("disk I/O error")
          run()
        }
        const value = yield* withEngine(path, ThreeLayer, { tickMs: 1, intercept })(
          Effect.suspend(() => {
            commits = 0
            return Three.execute({ id: "1" })
          })
        )
        assert.strictEqual(value, 42)
        const { performed } = yield* ActivityLog
        assert.strictEqual([...new Set(performed)].join(" "), "1 2 3")
        assert.strictEqual(performed.length, failing === 5 ? 3 : 4)
      }).pipe(Effect.provide(ActivityLog.layer))
    )
  }
})
