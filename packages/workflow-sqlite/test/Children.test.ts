import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Latch, Layer, Schema } from "effect"
import { TestClock } from "effect/testing"
import { Activity, Workflow } from "effect/workflow"
import { temporaryFile } from "../../sqlite/test/Fixture.ts"
import { Executions } from "../src/Executions.ts"
import { deed, life, Reminder, ReminderLayer, say, World } from "./Fixture.ts"

const settled = Effect.flatMap(Executions, (executions) => executions.settled)
const deeds = Effect.map(World, (world) => world.deeds)
const test = <A, E>(name: string, program: Effect.Effect<A, E, World | Effect.Services<typeof temporaryFile>>) =>
  it.effect(name, () => Effect.provide(program, World.layer))

class Parent extends Workflow.make("Parent", {
  payload: { id: Schema.String },
  success: Schema.String,
  idempotencyKey: ({ id }) => id
}) {}

const ParentLayer = Parent.toLayer(
  Effect.fnUntraced(function* ({ id }) {
    const received = yield* Reminder.execute({ id: "shared" })
    yield* deed(`${id} heard`)
    return `${id}: ${received}`
  })
)

describe("a child", () => {
  test(
    "wakes every parent that waits for it",
    Effect.gen(function* () {
      const path = yield* temporaryFile
      yield* life(
        path,
        Layer.merge(ReminderLayer, ParentLayer)
      )(
        Effect.gen(function* () {
          for (const id of ["a", "b"]) yield* Parent.execute({ id }, { discard: true })
          yield* settled
          yield* TestClock.adjust("1 day")
          yield* say("shared", "done")
          yield* settled
          assert.strictEqual(yield* Parent.execute({ id: "a" }), "a: done")
          assert.strictEqual(yield* Parent.execute({ id: "b" }), "b: done")
        })
      )
      assert.deepStrictEqual(
        (yield* deeds).filter((each) => each === "ask"),
        ["ask"]
      )
    })
  )
})

describe("a run that is still busy", () => {
  test(
    "when what it waits for comes is run once more",
    Effect.gen(function* () {
      const path = yield* temporaryFile
      const gate = yield* Latch.make()
      const busy = yield* Latch.make()
      const Child = Workflow.make("Child", { payload: { id: Schema.String }, idempotencyKey: ({ id }) => id })
      const Busy = Workflow.make("Busy", { payload: { id: Schema.String }, idempotencyKey: ({ id }) => id })
      const definitions = Layer.merge(
        Child.toLayer(() => Effect.asVoid(deed("child"))),
        Busy.toLayer(() =>
          Effect.all(
            [
              Child.execute({ id: "1" }),
              Activity.make({ name: "busy", execute: Effect.andThen(busy.open, gate.await) })
            ],
            { concurrency: 2, discard: true }
          )
        )
      )
      yield* life(
        path,
        definitions
      )(
        Effect.gen(function* () {
          const fiber = yield* Effect.forkChild(Busy.execute({ id: "1" }))
          yield* busy.await
          yield* Child.execute({ id: "1" })
          yield* gate.open
          yield* Fiber.join(fiber)
        })
      )
    })
  )
})
