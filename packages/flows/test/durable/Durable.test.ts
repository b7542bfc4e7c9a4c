import { assert, describe } from "@effect/vitest"
import { Effect, Exit, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import * as Durable from "../../src/durable/Durable.ts"
import { FlowEngine } from "../../src/engine/FlowEngine.ts"
import * as Steps from "../../src/engine/Steps.ts"
import { Book, flowWithId, lines, NoMoney, Purchase, processWith, purchase, purchases, step, test } from "./Fixture.ts"

describe("a durable flow", () => {
  test("runs once if it is started twice, and refuses another payload under its name", (path) =>
    Effect.gen(function* () {
      const on = processWith(purchases(path))
      yield* on(
        Effect.gen(function* () {
          const durable = yield* FlowEngine
          assert.strictEqual(yield* Purchase.start(purchase("1")), "Purchase/1")
          yield* Purchase.start({ ...purchase("1"), cvv2: Redacted.make("000") })
          yield* durable.settled
          const other = { ...purchase("1"), credit_card_number: Redacted.make("4111111111111111") }
          const refused = yield* Effect.flip(Purchase.start(other))
          assert.strictEqual(refused._tag, "PayloadDiffers")
          yield* durable.signal("news:1", "good")
          assert.deepStrictEqual(yield* Purchase.ended("1"), { _tag: "Succeeded", value: "good" })
        })
      )
      yield* on(
        Effect.gen(function* () {
          assert.strictEqual(yield* Purchase.execute(purchase("1")), "good")
          const other = { ...purchase("1"), credit_card_number: Redacted.make("4111111111111111") }
          assert.strictEqual((yield* Effect.flip(Purchase.start(other)))._tag, "PayloadDiffers")
        })
      )
      assert.deepStrictEqual(yield* lines, ["pay by 1111 with code", "end"])
    }))

  test("waits across a restart for a signal or a timeout, and shows what it waits for", (path) =>
    Effect.gen(function* () {
      const on = processWith(purchases(path))
      yield* on(
        Effect.gen(function* () {
          const durable = yield* FlowEngine
          yield* Purchase.start(purchase("1"))
          yield* Purchase.start(purchase("2"))
          yield* durable.settled
        })
      )
      yield* on(
        Effect.gen(function* () {
          const durable = yield* FlowEngine
          const waits = [{ name: "news", key: "news:1", dueAtMs: 86_400_000 }]
          assert.deepStrictEqual(yield* Purchase.poll("1"), { _tag: "Waiting", waits })
          const page = yield* durable.list({ state: "waiting", limit: 10 })
          assert.deepStrictEqual(
            page.map(({ id }) => id),
            ["Purchase/1", "Purchase/2"]
          )
          yield* durable.signal("news:2", "a signal")
          assert.deepStrictEqual(yield* Purchase.ended("2"), { _tag: "Succeeded", value: "a signal" })
          yield* TestClock.adjust("1 day")
          yield* durable.settled
          assert.deepStrictEqual(yield* Purchase.poll("1"), { _tag: "Succeeded", value: "no news" })
        })
      )
    }))

  test("fails with its own error, and is attempted again only if the error is retryable", (path) =>
    processWith(purchases(path))(
      Effect.gen(function* () {
        const durable = yield* FlowEngine
        const failed = yield* Effect.flip(Purchase.execute(purchase("poor")))
        assert.instanceOf(failed, NoMoney)
        yield* Purchase.start(purchase("poor"))
        yield* durable.settled
        assert.strictEqual((yield* lines).length, 1)

        assert.strictEqual(yield* Purchase.start(purchase("poor for now")), "Purchase/poor for now")
        yield* durable.settled
        assert.strictEqual(yield* Purchase.start(purchase("poor for now")), "Purchase#2/poor for now")
        yield* durable.settled
        assert.deepStrictEqual((yield* lines).slice(2), ["pay by 1111 with code"])
      })
    ))

  test("is refused without an identity", (path) =>
    processWith(purchases(path))(
      Effect.gen(function* () {
        assert.isTrue(Exit.hasDies(yield* Effect.exit(Purchase.start(purchase("")))))
      })
    ))

  test("is interrupted during a wait", (path) =>
    processWith(purchases(path))(
      Effect.gen(function* () {
        const durable = yield* FlowEngine
        yield* Purchase.start(purchase("1"))
        yield* durable.settled
        yield* Purchase.interrupt("1")
        yield* durable.settled
        assert.deepStrictEqual(yield* Purchase.poll("1"), { _tag: "Interrupted" })
        assert.strictEqual((yield* Effect.flip(Purchase.poll("2")))._tag, "NotStarted")
      })
    ))
})

describe("a flow with a defect", () => {
  test("is stuck and visible while others continue, and resumes after its steps once it is repaired", (path) =>
    Effect.gen(function* () {
      const broken = flowWithId("Errand", Effect.andThen(step("a"), Effect.die(new Error("a bug"))))
      const repaired = flowWithId("Errand", Effect.andThen(step("a"), step("b")))
      const other = flowWithId("Other", step("other"))
      yield* processWith(Layer.merge(broken.layer, other.layer).pipe(Layer.provideMerge(Durable.layer({ path }))))(
        Effect.gen(function* () {
          const durable = yield* FlowEngine
          yield* broken.start({ id: "1" })
          assert.strictEqual(yield* other.execute({ id: "1" }), "other")
          assert.deepStrictEqual(yield* broken.ended("1"), { _tag: "Stuck", on: "a bug" })
          const [stuck] = yield* durable.list({ state: "stuck", limit: 10 })
          assert.deepInclude(stuck, { id: "Errand/1", stuckOn: "a bug" })
          assert.isTrue(Exit.hasDies(yield* Effect.exit(broken.execute({ id: "1" }))))
        })
      )
      yield* processWith(Layer.merge(repaired.layer, other.layer).pipe(Layer.provideMerge(Durable.layer({ path }))))(
        Effect.gen(function* () {
          yield* repaired.resume("1")
          assert.strictEqual(yield* repaired.execute({ id: "1" }), "b")
        })
      )
      assert.deepStrictEqual((yield* lines).toSorted(), ["a", "b", "other"])
    }))

  test("is stuck if its steps changed, and names the recorded and the requested step", (path) =>
    Effect.gen(function* () {
      const pause = Steps.sleep("pause", "1 hour")
      const former = flowWithId("Errand", Effect.andThen(step("a"), Effect.andThen(pause, step("b"))))
      const changed = flowWithId("Errand", Effect.andThen(step("a2"), Effect.andThen(pause, step("b"))))
      yield* processWith(former.layer.pipe(Layer.provideMerge(Durable.layer({ path }))))(
        Effect.gen(function* () {
          const durable = yield* FlowEngine
          yield* former.start({ id: "1" })
          yield* durable.settled
        })
      )
      yield* TestClock.adjust("1 hour")
      yield* processWith(changed.layer.pipe(Layer.provideMerge(Durable.layer({ path }))))(
        Effect.gen(function* () {
          const flowStatus = yield* changed.ended("1")
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
      const on = processWith(context.layer.pipe(Layer.provideMerge(Durable.layer({ path }))))
      const start = Effect.flatMap(FlowEngine, (durable) => Effect.andThen(context.start({ id: "1" }), durable.settled))
      yield* on(start)
      assert.deepStrictEqual(yield* lines, [])
      yield* TestClock.adjust("1 hour")
      yield* on(start)
      assert.deepStrictEqual(yield* lines, ["Success"])
    }))
})
