import { assert, describe, it } from "@effect/vitest"
import type * as Database from "@pay/sqlite/Database"
import { Effect, Option, Schema } from "effect"
import { TestClock } from "effect/testing"
import { Activity, DurableClock, Workflow } from "effect/workflow"
import { temporaryFile } from "../../sqlite/test/Fixture.ts"
import { Executions } from "../src/Executions.ts"
import { StrictReplay } from "../src/WorkflowEngine.ts"
import { deed, did, life, World } from "./Fixture.ts"

const Order = Workflow.make("Order", {
  payload: { id: Schema.String },
  success: Schema.String,
  idempotencyKey: ({ id }) => id
})
  .annotate(StrictReplay, true)
  .annotate(Workflow.SuspendOnFailure, true)

const pause = DurableClock.sleep({ name: "pause", duration: "1 hour" })

/** What the definition was when the execution came to its pause. */
const former = Effect.all([deed("a"), deed("b"), pause, deed("c")])

const settled = Effect.flatMap(Executions, (executions) => executions.settled)

/** Begun under the former definition, gone on with under another one: what it is stuck on, and what was done. */
const carriedOver = (changed: Effect.Effect<unknown, never, Effect.Services<typeof former>>) =>
  Effect.gen(function* () {
    const path = yield* temporaryFile
    const id = yield* life(
      path,
      Order.toLayer(() => Effect.as(former, "former"))
    )(Effect.tap(Order.execute({ id: "1" }, { discard: true }), settled))
    yield* TestClock.adjust("1 hour")
    const result = yield* life(
      path,
      Order.toLayer(() => Effect.as(changed, "changed"))
    )(
      Effect.gen(function* () {
        yield* settled
        return Option.getOrThrow(yield* (yield* Executions).find(id))
      })
    )
    const { deeds } = yield* World
    return { path, id, state: result.state, stuckOn: result.stuckOn, done: deeds.slice(2).join(" ") }
  })

const table: ReadonlyArray<
  readonly [change: string, definition: Parameters<typeof carriedOver>[0], stuck: RegExp | undefined, done: string]
> = [
  ["nothing", former, undefined, "c"],
  ["a step added at the end", Effect.all([former, deed("d")]), undefined, "c d"],
  [
    "steps that were one after the other, now side by side",
    Effect.all([deed("b"), deed("a"), pause, deed("c")], { concurrency: 3 }),
    undefined,
    "c"
  ],
  [
    "a step renamed",
    Effect.all([deed("a"), deed("b2"), pause, deed("c")]),
    /past "b", the clock "pause", and now it asks for "b2"/,
    ""
  ],
  [
    "a step put before others",
    Effect.all([deed("new"), deed("a"), deed("b"), pause, deed("c")]),
    /now it asks for "new"/,
    ""
  ],
  ["a step removed", Effect.all([deed("a"), pause, deed("c")]), /past "b", and now it asks for "c"/, ""],
  [
    "a pause removed",
    Effect.all([deed("a"), deed("b"), deed("c")]),
    /past the clock "pause", and now it asks for "c"/,
    ""
  ],
  [
    "another pause",
    Effect.all([deed("a"), deed("b"), DurableClock.sleep({ name: "rest", duration: "1 hour" }), deed("c")]),
    /now it asks for the clock "rest"/,
    ""
  ],
  ["its end put before", deed("a"), /past "b", the clock "pause", and now it ends/, ""]
]

describe("a definition that changed under an open execution", () => {
  for (const [change, definition, stuck, done] of table) {
    it.effect(`${change}: ${stuck === undefined ? "goes on" : "is refused, and nothing is done"}`, () =>
      Effect.gen(function* () {
        const result = yield* carriedOver(definition)
        if (stuck === undefined) assert.strictEqual(result.state, "finished")
        else assert.match(result.stuckOn ?? "", stuck)
        assert.strictEqual(result.done, done)
      }).pipe(Effect.provide(World.layer))
    )
  }

  it.effect("with the former one deployed again, it is resumed and ends", () =>
    Effect.gen(function* () {
      const { id, path } = yield* carriedOver(deed("other"))
      yield* life(
        path,
        Order.toLayer(() => Effect.as(former, "former"))
      )(
        Effect.gen(function* () {
          yield* (yield* Executions).resume(id)
          assert.strictEqual(yield* Order.execute({ id: "1" }), "former")
        })
      )
    }).pipe(Effect.provide(World.layer))
  )
})

const aDay = DurableClock.sleep({ name: "a day", duration: "1 day" })
const slowly = (steps: number) =>
  Effect.andThen(
    Effect.forEach(
      Array.from({ length: steps }, (_, index) => `b${index}`),
      (name) => deed(name)
    ),
    aDay
  )

describe("parts side by side, one of which ends the others", () => {
  for (const steps of [0, 1, 100]) {
    const rows = [
      ["by being first", Effect.race(pause, slowly(steps))],
      [
        "by failing",
        Effect.exit(Effect.all([Effect.andThen(pause, Effect.fail("no")), slowly(steps)], { concurrency: 2 }))
      ]
    ] as const
    for (const [story, parts] of rows) {
      it.effect(`${story}: after ${steps} steps of another the next process tells it as it was`, () =>
        Effect.gen(function* () {
          const path = yield* temporaryFile
          const on = life(
            path,
            Order.toLayer(() => Effect.andThen(parts, deed("after")))
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
          const { deeds } = yield* World
          assert.strictEqual(deeds.length, steps + 1)
          assert.strictEqual(deeds.at(-1), "after")
        }).pipe(Effect.provide(World.layer))
      )
    }
  }
})

describe("a finalizer that has to wait", () => {
  it.effect("goes on where it was, in the next process too", () =>
    Effect.gen(function* () {
      const path = yield* temporaryFile
      const closing = Order.toLayer(() =>
        Effect.gen(function* () {
          yield* Workflow.addFinalizer(() => Effect.all([deed("undo"), pause, deed("undone")], { discard: true }))
          return yield* deed("a")
        })
      )
      const id = yield* life(path, closing)(Effect.tap(Order.execute({ id: "1" }, { discard: true }), settled))
      yield* TestClock.adjust("1 hour")
      yield* life(
        path,
        closing
      )(
        Effect.gen(function* () {
          yield* settled
          const { state, stuckOn } = Option.getOrThrow(yield* (yield* Executions).find(id))
          assert.deepStrictEqual([state, stuckOn], ["finished", undefined])
        })
      )
      const { deeds } = yield* World
      assert.deepStrictEqual(deeds, ["a", "undo", "undone"])
    }).pipe(Effect.provide(World.layer))
  )
})

const Three = Workflow.make("Three", {
  payload: { id: Schema.String },
  success: Schema.Int,
  idempotencyKey: ({ id }) => id
})

const ThreeLayer = Three.toLayer(
  Effect.fnUntraced(function* () {
    for (const name of ["1", "2", "3"]) yield* Activity.make({ name, execute: did(name) })
    return 42
  })
)

describe("a disk that fails", () => {
  /** The first commit begins the execution, three record its activities, the last its end. */
  for (const failing of [2, 3, 4, 5]) {
    it.live(`at commit ${failing}: the execution is run again from what was written, and ends once`, () =>
      Effect.gen(function* () {
        const path = yield* temporaryFile
        let commits: number | undefined
        const intercept: Database.Intercept = (sql, run) => {
          if (commits !== undefined && sql === "COMMIT" && ++commits === failing) throw new Error("disk I/O error")
          run()
        }
        const value = yield* life(path, ThreeLayer, { tickMs: 1, intercept })(
          Effect.suspend(() => {
            commits = 0
            return Three.execute({ id: "1" })
          })
        )
        assert.strictEqual(value, 42)
        const { deeds } = yield* World
        assert.strictEqual([...new Set(deeds)].join(" "), "1 2 3")
        assert.strictEqual(deeds.length, failing === 5 ? 3 : 4)
      }).pipe(Effect.provide(World.layer))
    )
  }
})
