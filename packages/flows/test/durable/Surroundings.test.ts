/** What a durable flow knows of itself, and what its parts see around them. */
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import * as Durable from "../../src/durable/Durable.ts"
import * as Flow from "../../src/Flow.ts"
import * as Steps from "../../src/Steps.ts"
import { Book, life, lines, NoMoney, note, temporaryFile } from "./Fixture.ts"

const Whose = Context.Reference<string>("test/Whose", { defaultValue: () => "nobody's" })
const written = { success: Schema.String, error: Schema.Never }

/** Its parts work for others than itself; then it waits, and has no money at first. */
const Errands = Flow.make({
  name: "Errands",
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
        return yield* Whose
      })
    )
    yield* note(yield* Effect.provideService(part, Whose, "another's"))
    const news = yield* Steps.awaitSignal("news", { key: `news:${id}`, timeout: "1 hour" })
    yield* note(news._tag === "Some" ? news.value : "deaf")
    yield* Steps.sleep("pause", "1 hour")
    return yield* new NoMoney({ retryable: true })
  })
})

const test = <E>(name: string, program: (path: string) => Effect.Effect<void, E, Book>) =>
  it.effect(name, () => Effect.flatMap(temporaryFile, program).pipe(Effect.provide(Book.layer)))

describe("a durable flow", () => {
  test("gives its parts what it provides to them, and their signals are its own", (path) =>
    life(Durable.layer({ path, flows: Durable.flow(Errands) }))(
      Effect.gen(function* () {
        const durable = yield* Durable.Durable
        yield* durable.start(Errands, { id: "1" })
        yield* durable.settled
        assert.deepStrictEqual((yield* lines).slice(0, 3), ["first run", "another's", "heard"])
      })
    ).pipe(Effect.provideService(Whose, "the engine's")))

  test("knows that it was begun before: after a pause, in another process, and begun anew", (path) =>
    Effect.gen(function* () {
      const on = life(Durable.layer({ path, flows: Durable.flow(Errands) }))
      const runs = Effect.map(lines, (all) => all.filter((line) => line.includes("run") || line.includes("begun")))
      yield* on(
        Effect.gen(function* () {
          const durable = yield* Durable.Durable
          yield* durable.start(Errands, { id: "1" })
          yield* durable.settled
        })
      )
      assert.deepStrictEqual(yield* runs, ["first run"])
      yield* on(
        Effect.gen(function* () {
          const durable = yield* Durable.Durable
          yield* TestClock.adjust("1 hour")
          yield* durable.settled
          assert.deepStrictEqual(yield* runs, ["first run", "begun before"])
          yield* durable.again(Errands, { id: "1" })
          yield* durable.settled
          assert.deepStrictEqual(yield* runs, ["first run", "begun before", "begun before"])
        })
      )
    }))
})
