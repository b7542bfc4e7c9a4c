import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Latch, Layer, Schema } from "effect"
import { TestClock } from "effect/testing"
import { Activity, Workflow } from "effect/workflow"
import { temporaryFile } from "../../sqlite/test/TemporaryFolder.ts"
import { Executions } from "../src/Executions.ts"
import { ActivityLog, activity, approve, Reminder, ReminderLayer, withEngine } from "./Fixture.ts"

const settled = Effect.flatMap(Executions, (executions) => executions.settled)
const performed = Effect.map(ActivityLog, (world) => world.performed)
const test = <A, E>(name: string, program: Effect.Effect<A, E, ActivityLog | Effect.Services<typeof temporaryFile>>) =>
  it.effect(name, () => Effect.provide(program, ActivityLog.layer))

class Parent extends Workflow.make("Parent", {
  payload: { id: Schema.String },
  success: Schema.String,
  idempotencyKey: ({ id }) => id
}) {}

const ParentLayer = Parent.toLayer(
  Effect.fnUntraced(function* ({ id }) {
    const received = yield* Reminder.execute({ id: "shared" })
    yield* activity(`${id} received`)
    return `${id}: ${received}`
  })
)

describe("a child workflow", () => {
  test(
    "wakes every parent that waits for it",
    Effect.gen(function* () {
      const path = yield* temporaryFile
      yield* withEngine(
        path,
        Layer.merge(ReminderLayer, ParentLayer)
      )(
        Effect.gen(function* () {
          for (const id of ["a", "b"]) yield* Parent.execute({ id }, { discard: true })
          yield* settled
          yield* TestClock.adjust("1 day")
          yield* approve("shared", "done")
          yield* settled
          assert.strictEqual(yield* Parent.execute({ id: "a" }), "a: done")
          assert.strictEqual(yield* Parent.execute({ id: "b" }), "b: done")
        })
      )
      assert.deepStrictEqual(
        (yield* performed).filter((each) => each === "ask"),
        ["ask"]
      )
    })
  )
})

describe("a running execution", () => {
  test(
    "runs once more after a child that it waits for has ended",
    Effect.gen(function* () {
      const path = yield* temporaryFile
      const gate = yield* Latch.make()
      const busy = yield* Latch.make()
      const Child = Workflow.make("Child", { payload: { id: Schema.String }, idempotencyKey: ({ id }) => id })
      const Busy = Workflow.make("Busy", { payload: { id: Schema.String }, idempotencyKey: ({ id }) => id })
      const definitions = Layer.merge(
        Child.toLayer(() => Effect.asVoid(activity("child"))),
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
      yield* withEngine(
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
