import { assert, describe } from "@effect/vitest"
import { Effect, Exit, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import * as Durable from "../../src/durable/Durable.ts"
import * as Steps from "../../src/Steps.ts"
import { Book, flowWithId, lines, NoMoney, Purchase, processWith, purchase, purchases, step, test } from "./Fixture.ts"

describe("a durable flow", () => {
  test("runs once if it is started twice, and refuses another payload under its name", (path) =>
    Effect.gen(function* () {
      const on = processWith(purchases(path))
      yield* on(
        Effect.gen(function* () {
          const durable = yield* Durable.Durable
          assert.strictEqual(yield* durable.start(Purchase, purchase("1")), "Purchase/1")
          yield* durable.start(Purchase, { ...purchase("1"), cvv2: Redacted.make("000") })
          yield* durable.settled
          const other = { ...purchase("1"), credit_card_number: Redacted.make("4111111111111111") }
          const refused = yield* Effect.flip(durable.start(Purchase, other))
          assert.strictEqual(refused._tag, "PayloadDiffers")
          yield* durable.signal("news:1", "good")
          assert.deepStrictEqual(yield* durable.ended(Purchase, "1"), { _tag: "Succeeded", value: "good" })
        })
      )
      yield* on(
        Effect.gen(function* () {
          const durable = yield* Durable.Durable
          assert.strictEqual(yield* durable.run(Purchase, purchase("1")), "good")
          const other = { ...purchase("1"), credit_card_number: Redacted.make("4111111111111111") }
          assert.strictEqual((yield* Effect.flip(durable.start(Purchase, other)))._tag, "PayloadDiffers")
        })
      )
      assert.deepStrictEqual(yield* lines, ["pay by 1111 with code", "end"])
    }))

  test("waits across a restart for a signal or a timeout, and shows what it waits for", (path) =>
    Effect.gen(function* () {
      const on = processWith(purchases(path))
      yield* on(
        Effect.gen(function* () {
          const durable = yield* Durable.Durable
          yield* durable.start(Purchase, purchase("1"))
          yield* durable.start(Purchase, purchase("2"))
          yield* durable.settled
        })
      )
      yield* on(
        Effect.gen(function* () {
          const durable = yield* Durable.Durable
          const waits = [{ name: "news", key: "news:1", dueAtMs: 86_400_000 }]
          assert.deepStrictEqual(yield* durable.result(Purchase, "1"), { _tag: "Waiting", waits })
          const page = yield* durable.waiting({ state: "waiting", limit: 10 })
          assert.deepStrictEqual(
            page.map(({ executionId }) => executionId),
            ["Purchase/1", "Purchase/2"]
          )
          const { signal } = yield* Steps.Steps
          yield* signal("news:2", "by Steps")
          assert.deepStrictEqual(yield* durable.ended(Purchase, "2"), { _tag: "Succeeded", value: "by Steps" })
          yield* TestClock.adjust("1 day")
          yield* durable.settled
          assert.deepStrictEqual(yield* durable.result(Purchase, "1"), { _tag: "Succeeded", value: "no news" })
        })
      )
    }))

  test("fails with its own error, and `again` restarts it only if the error is retryable", (path) =>
    processWith(purchases(path))(
      Effect.gen(function* () {
        const durable = yield* Durable.Durable
        const failed = yield* Effect.flip(durable.run(Purchase, purchase("poor")))
        assert.instanceOf(failed, NoMoney)
        yield* durable.again(Purchase, purchase("poor"))
        yield* durable.settled
        assert.strictEqual((yield* lines).length, 1)

        yield* durable.start(Purchase, purchase("poor for now"))
        yield* durable.settled
        yield* durable.start(Purchase, purchase("poor for now"))
        yield* durable.settled
        assert.strictEqual((yield* lines).length, 2)
        yield* durable.again(Purchase, purchase("poor for now"))
        yield* durable.settled
        assert.deepStrictEqual((yield* lines).slice(2), ["pay by 1111 with code"])
      })
    ))

  test("is restarted by `againAll` only if its error is retryable, over many pages", (path) =>
    processWith(purchases(path))(
      Effect.gen(function* () {
        const durable = yield* Durable.Durable
        const ids = Array.from({ length: 230 }, (_, index) => `poor for now ${String(index).padStart(3, "0")}`)
        const start = (id: string) => durable.start(Purchase, purchase(id))
        yield* Effect.forEach([...ids, "poor", "rich"], start, { concurrency: "unbounded" })
        yield* durable.settled
        assert.lengthOf(yield* lines, 232)
        const [kept, ...others] = ids
        const begun = yield* durable.againAll(Purchase, (key) =>
          Effect.succeed(key === kept ? undefined : purchase(key))
        )
        yield* durable.settled
        assert.deepStrictEqual(
          begun,
          others.map((id) => `Purchase/${id}`)
        )
        assert.lengthOf(yield* lines, 232 + 229)
      })
    ))

  test("is refused without an identity", (path) =>
    processWith(purchases(path))(
      Effect.gen(function* () {
        const { start } = yield* Durable.Durable
        assert.isTrue(Exit.hasDies(yield* Effect.exit(start(Purchase, purchase("")))))
      })
    ))

  test("is interrupted during a wait", (path) =>
    processWith(purchases(path))(
      Effect.gen(function* () {
        const durable = yield* Durable.Durable
        yield* durable.start(Purchase, purchase("1"))
        yield* durable.settled
        yield* durable.interrupt(Purchase, "1")
        yield* durable.settled
        assert.deepStrictEqual(yield* durable.result(Purchase, "1"), { _tag: "Interrupted" })
        assert.strictEqual((yield* Effect.flip(durable.result(Purchase, "2")))._tag, "NotStarted")
      })
    ))
})

describe("a flow with a defect", () => {
  test("is stuck and visible while others continue, and resumes after its steps once it is repaired", (path) =>
    Effect.gen(function* () {
      const broken = flowWithId("Errand", Effect.andThen(step("a"), Effect.die(new Error("a bug"))))
      const repaired = flowWithId("Errand", Effect.andThen(step("a"), step("b")))
      const other = flowWithId("Other", step("other"))
      yield* processWith(Durable.layer({ path, flows: Layer.merge(Durable.flow(broken), Durable.flow(other)) }))(
        Effect.gen(function* () {
          const durable = yield* Durable.Durable
          yield* durable.start(broken, { id: "1" })
          assert.strictEqual(yield* durable.run(other, { id: "1" }), "other")
          assert.deepStrictEqual(yield* durable.ended(broken, "1"), { _tag: "Stuck", on: "a bug" })
          const [stuck] = yield* durable.waiting({ state: "stuck", limit: 10 })
          assert.deepInclude(stuck, { executionId: "Errand/1", stuckOn: "a bug" })
          assert.isTrue(Exit.hasDies(yield* Effect.exit(durable.run(broken, { id: "1" }))))
        })
      )
      yield* processWith(Durable.layer({ path, flows: Layer.merge(Durable.flow(repaired), Durable.flow(other)) }))(
        Effect.gen(function* () {
          const durable = yield* Durable.Durable
          yield* durable.resume("Errand/1")
          assert.strictEqual(yield* durable.run(repaired, { id: "1" }), "b")
        })
      )
      assert.deepStrictEqual((yield* lines).toSorted(), ["a", "b", "other"])
    }))

  test("is stuck if its steps changed, and names the recorded and the requested step", (path) =>
    Effect.gen(function* () {
      const pause = Steps.sleep("pause", "1 hour")
      const former = flowWithId("Errand", Effect.andThen(step("a"), Effect.andThen(pause, step("b"))))
      const changed = flowWithId("Errand", Effect.andThen(step("a2"), Effect.andThen(pause, step("b"))))
      yield* processWith(Durable.layer({ path, flows: Durable.flow(former) }))(
        Effect.gen(function* () {
          const durable = yield* Durable.Durable
          yield* durable.start(former, { id: "1" })
          yield* durable.settled
        })
      )
      yield* TestClock.adjust("1 hour")
      yield* processWith(Durable.layer({ path, flows: Durable.flow(changed) }))(
        Effect.gen(function* () {
          const durable = yield* Durable.Durable
          const flowStatus = yield* durable.ended(changed, "1")
          assert.match(
            flowStatus._tag === "Stuck" ? flowStatus.on : "",
            /Errand Errand\/1 has recorded "a", the clock "pause", and its definition now requests "a2" instead/
          )
        })
      )
      assert.deepStrictEqual(yield* lines, ["a"])
    }))

  test("runs its finalizers at its end, and not at a pause or at the end of its process", (path) =>
    Effect.gen(function* () {
      const context = flowWithId(
        "Held",
        Effect.gen(function* () {
          const { addFinalizer } = yield* Steps.Steps
          yield* addFinalizer((exit) =>
            Effect.flatMap(Book, ({ lines }) => Effect.sync(() => void lines.push(exit._tag)))
          )
          yield* Steps.sleep("pause", "1 hour")
          return "done"
        }).pipe(Effect.scoped)
      )
      const on = processWith(Durable.layer({ path, flows: Durable.flow(context) }))
      const start = Effect.flatMap(Durable.Durable, (durable) =>
        Effect.andThen(durable.start(context, { id: "1" }), durable.settled)
      )
      yield* on(start)
      assert.deepStrictEqual(yield* lines, [])
      yield* TestClock.adjust("1 hour")
      yield* on(start)
      assert.deepStrictEqual(yield* lines, ["Success"])
    }))
})
