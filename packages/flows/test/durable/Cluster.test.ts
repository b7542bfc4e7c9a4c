import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Layer, Option, Redacted, Schedule, Schema, type Scope } from "effect"
import { Sharding } from "effect/cluster"
import { TestClock } from "effect/testing"
import { temporaryFile } from "../../../sqlite/test/TemporaryFolder.ts"
import * as Cipher from "../../src/durable/Cipher.ts"
import * as Cluster from "../../src/durable/Cluster.ts"
import * as ClusterStarts from "../../src/durable/ClusterStarts.ts"
import * as Flow from "../../src/engine/Flow.ts"
import { FlowEngine } from "../../src/engine/FlowEngine.ts"
import * as Steps from "../../src/engine/Steps.ts"
import { runner } from "../engines/Engines.ts"
import { Book, cvv, key, lines, note, Purchase, pan, purchase, step } from "./Fixture.ts"

const named = (name: string, run: Effect.Effect<string, never, Book>) =>
  Flow.make({
    name,
    summary: "For these tests.",
    payload: Schema.Struct({ id: Schema.String, amount: Schema.optionalKey(Schema.String) }),
    success: Schema.String,
    error: Schema.Never,
    idempotencyKey: ({ id }) => id,
    run: () => run
  })

const Waiting = named(
  "Errand",
  Effect.gen(function* () {
    yield* step("a")
    yield* Steps.sleep("pause", "10 millis")
    const news = yield* Steps.awaitSignal("news", { key: "none", timeout: "10 millis" })
    return `${yield* step("b")}, ${news._tag}`
  })
)

/** Two waits for one key, a day each. */
const Patient = named(
  "Patient",
  Effect.gen(function* () {
    yield* step("a")
    const one = yield* Steps.awaitSignal("first", { key: "news", timeout: "1 day" })
    yield* step("b")
    const two = yield* Steps.awaitSignal("second", { key: "news", timeout: "1 day" })
    return [one, two].map(Option.getOrElse(() => "nothing")).join(", ")
  })
)

const on = <E, R>(
  path: string,
  { flows, ...options }: Cluster.Options & { readonly flows: Layer.Layer<never, E, R> }
) => flows.pipe(Layer.provideMerge(Cluster.layer(options)), Layer.provide(runner(path)))

const test = <E>(name: string, program: (path: string) => Effect.Effect<void, E, Book | Scope.Scope>) =>
  it.live(name, () => Effect.flatMap(temporaryFile, program).pipe(Effect.provide(Book.layer)))

const until = <A, E, R>(look: Effect.Effect<A, E, R>, isIt: (a: A) => boolean) =>
  Effect.repeat(look, { schedule: Schedule.spaced("20 millis"), until: isIt })

describe("flows on Effect's cluster", () => {
  test("run once if they are started twice, and refuse another payload", (path) =>
    Effect.gen(function* () {
      assert.strictEqual(yield* Waiting.start({ id: "1", amount: "1.00" }), "Errand/1")
      assert.strictEqual(yield* Waiting.execute({ id: "1", amount: "1.00" }), "b, None")
      assert.deepStrictEqual(yield* Waiting.poll("1"), { _tag: "Succeeded", value: "b, None" })
      assert.deepInclude(yield* Effect.flip(Waiting.execute({ id: "1", amount: "2.00" })), { _tag: "PayloadDiffers" })
      assert.deepStrictEqual(yield* lines, ["a", "b"])
      const long = "1".repeat(300)
      assert.strictEqual(yield* Waiting.execute({ id: long }), "b, None")
      assert.deepStrictEqual(yield* Waiting.poll(long), { _tag: "Succeeded", value: "b, None" })
      const exit = yield* Effect.exit(Patient.start({ id: "1" }))
      assert.include(String(exit), "add Patient.layer")
    }).pipe(Effect.provide(on(path, { flows: Waiting.layer }))))

  test("know that they are resumed after their first pause", (path) =>
    Effect.gen(function* () {
      const Twice = named(
        "Twice",
        Effect.gen(function* () {
          yield* note(`begun before: ${yield* Flow.IsResumed}`)
          // Longer than a run of a busy machine, which would otherwise find that the pause is over.
          yield* Steps.sleep("pause", "500 millis")
          return "done"
        })
      )
      yield* Effect.gen(function* () {
        assert.strictEqual(yield* Twice.execute({ id: "1" }), "done")
        assert.deepStrictEqual(yield* lines, ["begun before: false", "begun before: true"])
      }).pipe(Effect.provide(on(path, { flows: Twice.layer })))
    }))

  test("receive signals that come before or between their waits", (path) =>
    Effect.gen(function* () {
      const { signal } = yield* FlowEngine
      yield* signal("news", "one")
      yield* signal("news", "not kept")
      yield* Patient.start({ id: "1" })
      yield* until(lines, (entries) => entries.includes("b"))
      yield* signal("news", "two")
      assert.strictEqual(yield* Patient.execute({ id: "1" }), "one, two")
    }).pipe(Effect.provide(on(path, { flows: Patient.layer }))))

  test("store card data encrypted, and pass the security code only to the first run", (path) =>
    Effect.gen(function* () {
      const cipher = yield* Cipher.make({ key })
      yield* Effect.gen(function* () {
        const { signal } = yield* FlowEngine
        yield* Purchase.start(purchase("marked"))
        yield* until(lines, (entries) => entries.length > 0)
        yield* signal("news:marked", "marked-news")
        assert.strictEqual(yield* Purchase.execute(purchase("marked")), "marked-news")
        assert.deepStrictEqual(yield* lines, ["pay by 1111 with code", "end"])
        const files = [path, `${path}-wal`].map((file) => readFileSync(file, "latin1")).join("")
        for (const mark of [pan, `"${cvv}"`, "marked-news", Buffer.from(pan).toString("base64")])
          assert.notInclude(files, mark)
      }).pipe(Effect.provide(on(path, { cipher, flows: Purchase.layer })))
    }))

  test("are refused without a cipher if they have card data", (path) =>
    Effect.gen(function* () {
      const { credit_card_number: _, ...fields } = Purchase.payload.fields
      const codeOnly = Flow.make({
        ...Purchase,
        payload: Schema.Struct(fields),
        idempotencyKey: ({ id }) => id,
        run: () => Effect.succeed("done")
      })
      for (const flows of [Purchase.layer, codeOnly.layer]) {
        const refused = yield* Effect.flip(Layer.build(on(path, { flows })))
        assert.deepInclude(refused, { _tag: "FlowUnfit", flow: "Purchase" })
      }
    }))

  test("fail with their own error, and another key decrypts nothing", (path) =>
    Effect.gen(function* () {
      const runInProcess = <A, E>(by: typeof key, program: Effect.Effect<A, E, FlowEngine | Book>) =>
        Effect.flatMap(Cipher.make({ key: by }), (cipher) =>
          Effect.provide(program, on(path, { cipher, flows: Purchase.layer }), { local: true })
        )
      yield* runInProcess(
        key,
        Effect.gen(function* () {
          assert.strictEqual((yield* Effect.flip(Purchase.execute(purchase("poor"))))._tag, "NoMoney")
          assert.deepNestedInclude(yield* Purchase.poll("poor"), { _tag: "Failed", "error.retryable": false })
        })
      )
      const other = Redacted.make(Buffer.alloc(32, 8).toString("base64"))
      const exit = yield* runInProcess(other, Effect.exit(Purchase.poll("poor")))
      assert.isTrue(Exit.hasDies(exit))
    }))

  test("are stuck on a defect until they are resumed, and end if they are interrupted", (path) =>
    Effect.gen(function* () {
      let isBroken = true
      const Fragile = named(
        "Fragile",
        Effect.gen(function* () {
          yield* step("a")
          if (isBroken) return yield* Effect.die(new Error("a bug"))
          const news = yield* Steps.awaitSignal("news", { key: "never", timeout: "1 day" })
          return news._tag
        })
      )
      yield* Effect.gen(function* () {
        const flowStatus = (tag: string) => until(Fragile.poll("1"), ({ _tag }) => _tag === tag)
        assert.strictEqual((yield* Effect.flip(Fragile.poll("1")))._tag, "NotStarted")
        yield* Fragile.start({ id: "1" })
        assert.deepStrictEqual(yield* flowStatus("Stuck"), { _tag: "Stuck", on: "Error: a bug" })
        isBroken = false
        yield* Fragile.resume("1")
        yield* flowStatus("Running")
        yield* Fragile.interrupt("1")
        yield* flowStatus("Interrupted")
        assert.deepStrictEqual(yield* lines, ["a"])
      }).pipe(Effect.provide(on(path, { flows: Fragile.layer })))
    }))

  /** A flow that adds a finalizer, waits twice, and then waits for ever if it is `patient`. */
  const scopedFlow = (isPatient: boolean) =>
    named(
      "Scoped",
      Effect.scoped(
        Effect.gen(function* () {
          const { addFinalizer } = yield* Steps.Steps
          yield* addFinalizer((exit) =>
            Exit.isSuccess(exit)
              ? note("kept")
              : Effect.andThen(
                  step("let go"),
                  Effect.andThen(Steps.sleep("until it is gone", "10 millis"), step("gone"))
                )
          )
          yield* Steps.sleep("one", "10 millis")
          yield* Steps.sleep("two", "10 millis")
          yield* step("held")
          if (isPatient) yield* Steps.awaitSignal("news", { key: "never", timeout: "1 day" })
          return "done"
        })
      )
    )

  test("keep what a scope holds if they succeed, also after they were suspended", (path) =>
    Effect.gen(function* () {
      const Scoped = scopedFlow(false)
      yield* Effect.gen(function* () {
        assert.strictEqual(yield* Scoped.execute({ id: "1" }), "done")
      }).pipe(Effect.provide(on(path, { flows: Scoped.layer })))
      assert.deepStrictEqual(yield* lines, ["held", "kept"])
    }))

  test("release what a scope holds once if they are interrupted, also by finalizers that wait", (path) =>
    Effect.gen(function* () {
      const Scoped = scopedFlow(true)
      yield* Effect.gen(function* () {
        yield* Scoped.start({ id: "1" })
        yield* until(lines, (entries) => entries.includes("held"))
        yield* Scoped.interrupt("1")
        yield* until(Scoped.poll("1"), ({ _tag }) => _tag === "Interrupted")
      }).pipe(Effect.provide(on(path, { flows: Scoped.layer })))
      assert.deepStrictEqual(yield* lines, ["held", "let go", "gone"])
    }))

  it.effect("take the security code of the call that began them, and remove one that no run has taken", () =>
    Effect.gen(function* () {
      const starts = ClusterStarts.make()
      yield* Effect.gen(function* () {
        const { send } = yield* ClusterStarts.ClusterStarts
        const { activeEntityCount } = yield* Sharding.Sharding
        /** Lets time pass until the condition is met. */
        const pass = (isSo: Effect.Effect<boolean>) =>
          Effect.repeat(Effect.andThen(TestClock.adjust("200 millis"), isSo), { until: (so) => so })
        const sending = yield* Effect.forkChild(
          Effect.all([send("taken", "a", "one"), send("taken", "b", "other"), send("left", "a", "two")])
        )
        yield* pass(Effect.sync(() => sending.pollUnsafe() !== undefined))
        assert.strictEqual(starts.take("taken", "a"), "one")
        assert.strictEqual(starts.take("taken", "b"), undefined)
        yield* pass(Effect.map(activeEntityCount, (count) => count === 0))
        assert.strictEqual(starts.take("left", "a"), undefined)
      }).pipe(Effect.provide(starts.layer.pipe(Layer.provideMerge(runner(yield* temporaryFile)))))
    })
  )
})
