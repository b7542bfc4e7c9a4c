/** Tests what a durable flow knows about its run, and which services its steps receive. */
import { assert, describe } from "@effect/vitest"
import { Context, Effect, Layer, Schema } from "effect"
import { TestClock } from "effect/testing"
import * as Durable from "../../src/durable/Durable.ts"
import * as Flow from "../../src/engine/Flow.ts"
import { FlowEngine } from "../../src/engine/FlowEngine.ts"
import * as Steps from "../../src/engine/Steps.ts"
import { lines, NoMoney, note, processWith, test } from "./Fixture.ts"

const Owner = Context.Reference<string>("test/Owner", { defaultValue: () => "default" })
const written = { success: Schema.String, error: Schema.Never }

/** Runs a step with another service, waits, and then fails with a retryable error. */
const Probe = Flow.make({
  name: "Probe",
  summary: "For these tests.",
  payload: Schema.Struct({ id: Schema.String }),
  success: Schema.String,
  error: NoMoney,
  idempotencyKey: ({ id }) => id,
  run: Effect.fnUntraced(function* ({ id }) {
    yield* note((yield* Flow.IsResumed) ? "begun before" : "first run")
    const part = Steps.step(
      "part",
      written,
      Effect.gen(function* () {
        yield* Steps.signal(`news:${id}`, "heard")
        return yield* Owner
      })
    )
    yield* note(yield* Effect.provideService(part, Owner, "another's"))
    const news = yield* Steps.awaitSignal("news", { key: `news:${id}`, timeout: "1 hour" })
    yield* note(news._tag === "Some" ? news.value : "deaf")
    yield* Steps.sleep("pause", "1 hour")
    return yield* new NoMoney({ retryable: true })
  })
})

describe("a durable flow", () => {
  test("provides services to its steps, and receives the signals of its steps", (path) =>
    processWith(Probe.layer.pipe(Layer.provideMerge(Durable.layer({ path }))))(
      Effect.gen(function* () {
        const durable = yield* FlowEngine
        yield* Probe.start({ id: "1" })
        yield* durable.settled
        assert.deepStrictEqual((yield* lines).slice(0, 3), ["first run", "another's", "heard"])
      })
    ).pipe(Effect.provideService(Owner, "the engine's")))

  test("knows that it is resumed after a pause, in another process, and after a restart", (path) =>
    Effect.gen(function* () {
      const on = processWith(Probe.layer.pipe(Layer.provideMerge(Durable.layer({ path }))))
      const runs = Effect.map(lines, (all) => all.filter((line) => line.includes("run") || line.includes("begun")))
      yield* on(
        Effect.gen(function* () {
          const durable = yield* FlowEngine
          yield* Probe.start({ id: "1" })
          yield* durable.settled
        })
      )
      assert.deepStrictEqual(yield* runs, ["first run"])
      yield* on(
        Effect.gen(function* () {
          const durable = yield* FlowEngine
          yield* TestClock.adjust("1 hour")
          yield* durable.settled
          assert.deepStrictEqual(yield* runs, ["first run", "begun before"])
          yield* Probe.start({ id: "1" })
          yield* durable.settled
          assert.deepStrictEqual(yield* runs, ["first run", "begun before", "begun before"])
        })
      )
    }))

  test("knows that it is resumed if a call repeats its start at this moment", (path) =>
    processWith(Probe.layer.pipe(Layer.provideMerge(Durable.layer({ path }))))(
      Effect.gen(function* () {
        const { settled } = yield* FlowEngine
        yield* Probe.start({ id: "1" })
        yield* settled
        yield* Effect.raceFirst(
          Effect.forever(Probe.start({ id: "1" })),
          Effect.andThen(TestClock.adjust("1 hour"), settled)
        )
        const runs = (yield* lines).filter((line) => line.includes("run") || line.includes("begun"))
        assert.deepStrictEqual(runs.slice(0, 2), ["first run", "begun before"])
      })
    ))
})
