import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import * as Database from "@pay/sqlite/Database"
import { Effect, Exit, Layer, Option, Redacted, Schedule, Schema, type Scope } from "effect"
import { Sharding, SingleRunner } from "effect/cluster"
import { Digest } from "effect/crypto"
import { TestClock } from "effect/testing"
import { temporaryFile } from "../../../sqlite/test/TemporaryFolder.ts"
import * as Cipher from "../../src/durable/Cipher.ts"
import * as Cluster from "../../src/durable/Cluster.ts"
import * as ClusterStarts from "../../src/durable/ClusterStarts.ts"
import * as Durable from "../../src/durable/Durable.ts"
import * as Flow from "../../src/Flow.ts"
import * as Steps from "../../src/Steps.ts"
import { Book, cvv, key, lines, note, Purchase, pan, purchase, step } from "./Fixture.ts"
import * as SqlClient from "./SqlClient.ts"

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

const runner = (path: string) =>
  Layer.unwrap(
    Effect.map(Database.open({ path }), (database) =>
      SingleRunner.layer({ shardingConfig: { entityMessagePollInterval: "100 millis" } }).pipe(
        Layer.provide([SqlClient.layer(database), Digest.layerWebCrypto])
      )
    )
  )

const on = <E, R>(path: string, options: Cluster.Options<E, R>) =>
  Cluster.layer(options).pipe(Layer.provide(runner(path)))

const test = <E>(name: string, program: (path: string) => Effect.Effect<void, E, Book | Scope.Scope>) =>
  it.live(name, () => Effect.flatMap(temporaryFile, program).pipe(Effect.provide(Book.layer)))

const until = <A, E, R>(look: Effect.Effect<A, E, R>, isIt: (a: A) => boolean) =>
  Effect.repeat(look, { schedule: Schedule.spaced("20 millis"), until: isIt })

describe("flows on Effect's cluster", () => {
  test("run once if they are started twice, and refuse another payload", (path) =>
    Effect.gen(function* () {
      const { result, run, start } = yield* Cluster.Cluster
      assert.strictEqual(yield* start(Waiting, { id: "1", amount: "1.00" }), "Errand/1")
      assert.strictEqual(yield* run(Waiting, { id: "1", amount: "1.00" }), "b, None")
      assert.deepStrictEqual(yield* result(Waiting, "1"), { _tag: "Succeeded", value: "b, None" })
      assert.deepInclude(yield* Effect.flip(run(Waiting, { id: "1", amount: "2.00" })), { _tag: "PayloadDiffers" })
      assert.deepStrictEqual(yield* lines, ["a", "b"])
      const long = "1".repeat(300)
      assert.isAtMost((yield* start(Waiting, { id: long })).length, 255)
      assert.strictEqual(yield* run(Waiting, { id: long }), "b, None")
      assert.deepStrictEqual(yield* result(Waiting, long), { _tag: "Succeeded", value: "b, None" })
      const exit = yield* Effect.exit(start(Patient, { id: "1" }))
      assert.include(String(exit), "add Durable.flow(Patient)")
    }).pipe(Effect.provide(on(path, { flows: Durable.flow(Waiting) }))))

  test("know that they are resumed after their first pause", (path) =>
    Effect.gen(function* () {
      const Twice = named(
        "Twice",
        Effect.gen(function* () {
          yield* note(`begun before: ${yield* Flow.IsResumed}`)
          yield* Steps.sleep("pause", "10 millis")
          return "done"
        })
      )
      yield* Effect.gen(function* () {
        const { run } = yield* Cluster.Cluster
        assert.strictEqual(yield* run(Twice, { id: "1" }), "done")
        assert.deepStrictEqual(yield* lines, ["begun before: false", "begun before: true"])
      }).pipe(Effect.provide(on(path, { flows: Durable.flow(Twice) })))
    }))

  test("receive signals that come before or between their waits", (path) =>
    Effect.gen(function* () {
      const { run, signal, start } = yield* Cluster.Cluster
      yield* signal("news", "one")
      yield* signal("news", "not kept")
      yield* start(Patient, { id: "1" })
      yield* until(lines, (entries) => entries.includes("b"))
      const steps = yield* Steps.Steps
      yield* steps.signal("news", "two")
      assert.strictEqual(yield* run(Patient, { id: "1" }), "one, two")
    }).pipe(Effect.provide(on(path, { flows: Durable.flow(Patient) }))))

  test("store card data encrypted, and pass the security code only to the first run", (path) =>
    Effect.gen(function* () {
      const cipher = yield* Cipher.make({ key })
      yield* Effect.gen(function* () {
        const { run, signal, start } = yield* Cluster.Cluster
        yield* start(Purchase, purchase("marked"))
        yield* until(lines, (entries) => entries.length > 0)
        yield* signal("news:marked", "marked-news")
        assert.strictEqual(yield* run(Purchase, purchase("marked")), "marked-news")
        assert.deepStrictEqual(yield* lines, ["pay by 1111 with code", "end"])
        const files = [path, `${path}-wal`].map((file) => readFileSync(file, "latin1")).join("")
        for (const mark of [pan, `"${cvv}"`, "marked-news", Buffer.from(pan).toString("base64")])
          assert.notInclude(files, mark)
      }).pipe(Effect.provide(on(path, { cipher, flows: Durable.flow(Purchase) })))
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
      for (const flows of [Durable.flow(Purchase), Durable.flow(codeOnly)]) {
        const refused = yield* Effect.flip(Layer.build(on(path, { flows })))
        assert.deepInclude(refused, { _tag: "FlowUnfit", flow: "Purchase" })
      }
    }))

  test("fail with their own error, and another key decrypts nothing", (path) =>
    Effect.gen(function* () {
      const runInProcess = <A, E>(by: typeof key, program: Effect.Effect<A, E, Cluster.Cluster | Book>) =>
        Effect.flatMap(Cipher.make({ key: by }), (cipher) =>
          Effect.provide(program, on(path, { cipher, flows: Durable.flow(Purchase) }), { local: true })
        )
      yield* runInProcess(
        key,
        Effect.gen(function* () {
          const { result, run } = yield* Cluster.Cluster
          assert.strictEqual((yield* Effect.flip(run(Purchase, purchase("poor"))))._tag, "NoMoney")
          assert.deepNestedInclude(yield* result(Purchase, "poor"), { _tag: "Failed", "error.retryable": false })
        })
      )
      const other = Redacted.make(Buffer.alloc(32, 8).toString("base64"))
      const exit = yield* runInProcess(
        other,
        Effect.exit(Effect.flatMap(Cluster.Cluster, (entries) => entries.result(Purchase, "poor")))
      )
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
        const { interrupt, result, resume, start } = yield* Cluster.Cluster
        const flowStatus = (tag: string) => until(result(Fragile, "1"), ({ _tag }) => _tag === tag)
        assert.deepStrictEqual(yield* result(Fragile, "1"), { _tag: "Running" })
        yield* start(Fragile, { id: "1" })
        assert.deepStrictEqual(yield* flowStatus("Stuck"), { _tag: "Stuck", on: "Error: a bug" })
        isBroken = false
        yield* resume(Fragile, "1")
        yield* flowStatus("Running")
        yield* interrupt(Fragile, "1")
        yield* flowStatus("Interrupted")
        assert.deepStrictEqual(yield* lines, ["a"])
      }).pipe(Effect.provide(on(path, { flows: Durable.flow(Fragile) })))
    }))

  it.effect("remove a security code that no run has taken", () =>
    Effect.gen(function* () {
      const starts = ClusterStarts.make()
      yield* Effect.gen(function* () {
        const { send } = yield* ClusterStarts.ClusterStarts
        const { activeEntityCount } = yield* Sharding.Sharding
        /** Lets time pass until the condition is met. */
        const pass = (isSo: Effect.Effect<boolean>) =>
          Effect.repeat(Effect.andThen(TestClock.adjust("200 millis"), isSo), { until: (so) => so })
        const sending = yield* Effect.forkChild(Effect.all([send("taken", "one"), send("left", "two")]))
        yield* pass(Effect.sync(() => sending.pollUnsafe() !== undefined))
        assert.strictEqual(starts.take("taken"), "one")
        assert.strictEqual(starts.take("taken"), undefined)
        yield* pass(Effect.map(activeEntityCount, (count) => count === 0))
        assert.strictEqual(starts.take("left"), undefined)
      }).pipe(Effect.provide(starts.layer.pipe(Layer.provideMerge(runner(yield* temporaryFile)))))
    })
  )
})
