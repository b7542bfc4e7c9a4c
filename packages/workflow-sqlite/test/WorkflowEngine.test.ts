import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Option, Schema } from "effect"
import { TestClock } from "effect/testing"
import { Activity, DurableDeferred, Workflow } from "effect/workflow"
import { temporaryFile } from "../../sqlite/test/TemporaryFolder.ts"
import { Executions } from "../src/Executions.ts"
import {
  ActivityLog,
  Approval,
  activity,
  approvalToken,
  approve,
  Reminder,
  ReminderLayer,
  record,
  withEngine
} from "./Fixture.ts"

const settled = Effect.flatMap(Executions, (executions) => executions.settled)
const performed = Effect.map(ActivityLog, (world) => world.performed)
const test = <A, E>(name: string, program: Effect.Effect<A, E, ActivityLog | Effect.Services<typeof temporaryFile>>) =>
  it.effect(name, () => Effect.provide(program, ActivityLog.layer))

const execution = (id: string) =>
  Effect.flatMap(Executions, (executions) => Effect.map(executions.find(id), Option.getOrThrow))

describe("an execution", () => {
  test(
    "continues over restarts of the engine, and runs no activity twice",
    Effect.gen(function* () {
      const path = yield* temporaryFile
      const on = withEngine(path, ReminderLayer)
      const id = yield* on(Effect.tap(Reminder.execute({ id: "1" }, { discard: true }), settled))
      assert.deepStrictEqual(yield* performed, ["ask"])
      yield* on(
        Effect.gen(function* () {
          assert.deepStrictEqual((yield* execution(id)).waits, [{ name: "a day", dueAtMs: 86_400_000, key: undefined }])
          yield* TestClock.adjust("1 day")
          yield* settled
        })
      )
      assert.deepStrictEqual(yield* performed, ["ask", "remind"])
      yield* on(
        Effect.gen(function* () {
          yield* approve("1", "yes")
          assert.strictEqual(yield* Reminder.execute({ id: "1" }), "yes")
        })
      )
      assert.deepStrictEqual(yield* performed, ["ask", "remind", "end"])
      yield* on(
        Effect.gen(function* () {
          assert.strictEqual(yield* Reminder.execute({ id: "1" }), "yes")
          const result = Option.getOrThrow(yield* Reminder.poll(id))
          assert.strictEqual(result._tag, "Complete")
        })
      )
      assert.deepStrictEqual(yield* performed, ["ask", "remind", "end"])
    })
  )

  test(
    "continues at once after a clock that expired while no engine ran, and gets an early deferred value",
    Effect.gen(function* () {
      const path = yield* temporaryFile
      const on = withEngine(path, ReminderLayer)
      yield* on(
        Effect.andThen(approve("1", "early"), Effect.andThen(Reminder.execute({ id: "1" }, { discard: true }), settled))
      )
      yield* TestClock.adjust("40 days")
      yield* on(
        Effect.gen(function* () {
          assert.strictEqual(yield* Reminder.execute({ id: "1" }), "early")
        })
      )
      assert.deepStrictEqual(yield* performed, ["ask", "remind", "end"])
    })
  )

  test(
    "waits as a row in the database, without a fiber or a query",
    Effect.gen(function* () {
      const path = yield* temporaryFile
      yield* withEngine(
        path,
        ReminderLayer
      )(
        Effect.gen(function* () {
          const executions = yield* Executions
          for (let n = 0; n < 20; n++) yield* Reminder.execute({ id: `${n}` }, { discard: true })
          yield* settled
          assert.deepInclude(executions.statistics, { runs: 20, ticks: 0 })
          yield* TestClock.adjust("23 hours")
          assert.deepInclude(executions.statistics, { runs: 20, ticks: 0 })
          assert.strictEqual(executions.running(), 0)
          yield* TestClock.adjust("1 hour")
          yield* settled
          assert.deepInclude(executions.statistics, { runs: 40 })
        })
      )
    })
  )

  test(
    "takes the first of two deferred values, also if both come in one commit",
    Effect.gen(function* () {
      const path = yield* temporaryFile
      yield* withEngine(
        path,
        ReminderLayer
      )(
        Effect.gen(function* () {
          yield* Reminder.execute({ id: "1" }, { discard: true })
          yield* settled
          // Made before: it is hashed on another thread, so two of them could overtake each other.
          const token = yield* approvalToken("1")
          const speak = (value: string) => DurableDeferred.succeed(Approval, { token, value })
          yield* Effect.all([speak("first"), speak("second")], { concurrency: 2 })
          yield* TestClock.adjust("1 day")
          assert.strictEqual(yield* Reminder.execute({ id: "1" }), "first")
        })
      )
    })
  )
})

class Booked extends Workflow.make("Booked", {
  payload: { id: Schema.String },
  error: Schema.String,
  idempotencyKey: ({ id }) => id
}) {}

const BookedLayer = Booked.toLayer(
  Effect.fnUntraced(function* () {
    yield* activity("reserve").pipe(Booked.withCompensation(() => Effect.orDie(activity("release"))))
    yield* DurableDeferred.await(Approval)
  })
)

describe("an interruption", () => {
  test(
    "ends a waiting execution, compensates once, and is permanent",
    Effect.gen(function* () {
      const path = yield* temporaryFile
      const on = withEngine(path, BookedLayer)
      const id = yield* on(Effect.tap(Booked.execute({ id: "1" }, { discard: true }), settled))
      assert.deepStrictEqual(yield* performed, ["reserve"])
      yield* on(
        Effect.gen(function* () {
          yield* Booked.interrupt(id)
          yield* settled
          assert.strictEqual((yield* execution(id)).state, "finished")
        })
      )
      yield* on(
        Effect.gen(function* () {
          yield* Booked.resume(id)
          yield* settled
          const result = Option.getOrThrow(yield* Booked.poll(id))
          assert.isTrue(result._tag === "Complete" && result.exit._tag === "Failure")
        })
      )
      assert.deepStrictEqual(yield* performed, ["reserve", "release"])
    })
  )
})

class Fragile extends Workflow.make("Fragile", {
  payload: { id: Schema.String },
  success: Schema.String,
  idempotencyKey: ({ id }) => id
}) {}

const FragileLayer = (broken: boolean) =>
  Fragile.annotate(Workflow.SuspendOnFailure, true).toLayer(
    Effect.fnUntraced(function* ({ id }) {
      yield* activity(`${id} before`)
      yield* Activity.make({
        name: "fragile",
        execute: broken && id === "bad" ? Effect.die(new Error("a bug")) : record(`${id} after`)
      })
      return id
    })
  )

describe("an execution with a defect", () => {
  test(
    "is stuck, listed and resumable, and the other executions continue",
    Effect.gen(function* () {
      const path = yield* temporaryFile
      const bad = yield* withEngine(
        path,
        FragileLayer(true)
      )(
        Effect.gen(function* () {
          const executions = yield* Executions
          const id = yield* Fragile.execute({ id: "bad" }, { discard: true })
          assert.strictEqual(yield* Fragile.execute({ id: "good" }), "good")
          yield* settled
          const [stuck, ...none] = yield* executions.open({ state: "stuck", limit: 10 })
          assert.deepInclude(stuck, { executionId: id, workflow: "Fragile", stuckOn: "a bug" })
          assert.deepStrictEqual(none, [])
          return id
        })
      )
      yield* withEngine(
        path,
        FragileLayer(false)
      )(
        Effect.gen(function* () {
          const executions = yield* Executions
          yield* settled
          assert.strictEqual((yield* execution(bad)).state, "stuck")
          yield* executions.resume(bad)
          assert.strictEqual(yield* Fragile.execute({ id: "bad" }), "bad")
        })
      )
      assert.deepStrictEqual(yield* performed, ["bad before", "good before", "good after", "bad after"])
    })
  )
})

describe("many executions", () => {
  test(
    "run up to the limit at a time, and the others wait in the database",
    Effect.gen(function* () {
      const path = yield* temporaryFile
      let most = 0
      let now = 0
      const Slow = Workflow.make("Slow", { payload: { id: Schema.String }, idempotencyKey: ({ id }) => id })
      const gate = Effect.acquireUseRelease(
        Effect.sync(() => {
          now += 1
          most = Math.max(most, now)
        }),
        () => Effect.yieldNow,
        () =>
          Effect.sync(() => {
            now -= 1
          })
      )
      const SlowLayer = Slow.toLayer(() => Activity.make({ name: "slow", execute: gate }))
      yield* withEngine(path, SlowLayer, { maxRunning: 5 })(
        Effect.gen(function* () {
          const fiber = yield* Effect.forEach(
            Array.from({ length: 100 }, (_, n) => `${n}`),
            (id) => Slow.execute({ id }),
            { concurrency: "unbounded", discard: true }
          ).pipe(Effect.forkChild)
          yield* Fiber.join(fiber)
        })
      )
      assert.isAtMost(most, 5)
      assert.isAtLeast(most, 2)
    })
  )
})
