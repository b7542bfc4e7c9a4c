import { assert, it } from "@effect/vitest"
import { Effect, Layer, Result } from "effect"
import * as Durable from "../../src/durable/Durable.ts"
import * as Flow from "../../src/engine/Flow.ts"
import { FlowEngine } from "../../src/engine/FlowEngine.ts"
import { HoldsOfFlow } from "../../src/engine/HoldsOfFlow.ts"
import * as RecordedFlow from "../../src/engine/RecordedFlow.ts"
import * as FlowError from "../../src/order/FlowError.ts"
import { flowWithId, lines, NoMoney, note, processWith, step, test } from "./Fixture.ts"

const bought = flowWithId("Bought", step("buy"))

test("a recorded flow records its outcome in its last step, and repeats only that step until it succeeds", (path) =>
  Effect.gen(function* () {
    let isDiskFull = true
    const recorded = RecordedFlow.make(bought, ({ id }, end) =>
      Effect.andThen(
        note(`record ${id} ${Result.getOrElse(end, () => "")}`),
        Effect.suspend(() => (isDiskFull ? Effect.die(new Error("disk full")) : Effect.succeed("written")))
      )
    )
    yield* processWith(recorded.layer.pipe(Layer.provideMerge(Durable.layer({ path }))))(
      Effect.gen(function* () {
        yield* recorded.start({ id: "1" })
        assert.strictEqual((yield* recorded.ended("1"))._tag, "Stuck")
        isDiskFull = false
        yield* recorded.resume("1")
        assert.deepStrictEqual(yield* recorded.ended("1"), { _tag: "Succeeded", value: "buy" })
        yield* recorded.start({ id: "1" })
        assert.deepStrictEqual(yield* lines, ["buy", "record 1 buy", "record 1 buy"])
      })
    )
  }))

test("a recorded flow that fails records its error, and fails with it", () =>
  Effect.gen(function* () {
    const poor = Flow.make({ ...bought, error: NoMoney, run: () => Effect.fail(new NoMoney({ retryable: true })) })
    const recorded = RecordedFlow.make(poor, (_, end) => note(Result.isFailure(end) ? end.failure._tag : "paid"))
    const error = yield* Effect.flip(recorded.execute({ id: "1" }))
    assert.strictEqual(error._tag, "NoMoney")
    assert.deepStrictEqual(yield* lines, ["NoMoney"])
  }).pipe(Effect.provide(FlowEngine.layerMemory)))

test("a recorded flow whose hold stays open at the bank records that a person is needed, and fails with it", () =>
  Effect.gen(function* () {
    const open = new FlowError.NeedsAPerson({
      clientOrderId: "1",
      evidence: [],
      operation: "VOID",
      reason: "it is open"
    })
    const trip = Flow.make({
      ...bought,
      error: FlowError.NeedsAPerson,
      run: () =>
        Effect.as(
          Effect.map(HoldsOfFlow, (holds) => holds?.unreleased.push(open)),
          "bought"
        )
    })
    const recorded = RecordedFlow.make(trip, (_, end) => note(Result.isFailure(end) ? end.failure._tag : "paid"))
    const error = yield* Effect.flip(recorded.execute({ id: "1" }))
    assert.strictEqual(error._tag, "NeedsAPerson")
    assert.deepStrictEqual(yield* lines, ["NeedsAPerson"])
  }).pipe(Effect.provide(FlowEngine.layerMemory)))

it("a recorded flow protects the same fields as its flow", () => {
  const secret = { ...bought, encryptedFields: ["account"], neverPersisted: ["number"] }
  const { encryptedFields, neverPersisted } = RecordedFlow.make(secret, () => Effect.void)
  assert.deepStrictEqual(
    { encryptedFields, neverPersisted },
    { encryptedFields: ["account"], neverPersisted: ["number"] }
  )
})
