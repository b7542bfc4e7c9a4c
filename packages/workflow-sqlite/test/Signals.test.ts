import { readFileSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Schema } from "effect"
import { TestClock } from "effect/testing"
import { Activity, DurableClock, Workflow } from "effect/workflow"
import { temporaryFile } from "../../sqlite/test/TemporaryFolder.ts"
import { type Cipher, Executions } from "../src/Executions.ts"
import { ActivityLog, record, withEngine } from "./Fixture.ts"

const Listening = Workflow.make("Listening", {
  payload: { id: Schema.String, key: Schema.String },
  success: Schema.String,
  idempotencyKey: ({ id }) => id
})

const ListeningLayer = Listening.toLayer(
  Effect.fnUntraced(function* ({ id, key }) {
    yield* Activity.make({ name: "begin", success: Schema.String, execute: Effect.as(record(id), `started by ${id}`) })
    const { awaitSignal } = yield* Executions
    return Option.getOrElse(yield* awaitSignal({ name: "approval", key, timeout: "3 days" }), () => "timed out")
  })
)

const settled = Effect.flatMap(Executions, (executions) => executions.settled)
const begin = (id: string, key = "order") => Listening.execute({ id, key }, { discard: true })
const end = (id: string, key = "order") => Listening.execute({ id, key })
const signal = (key: string, value: string) => Effect.flatMap(Executions, (executions) => executions.signal(key, value))

const test = (name: string, program: (path: string) => Effect.Effect<void, unknown, ActivityLog>) =>
  it.effect(name, () => Effect.flatMap(temporaryFile, program).pipe(Effect.provide(ActivityLog.layer)))

describe("a signal", () => {
  test("reaches every execution that waits for its key, and no other", (path) =>
    withEngine(
      path,
      ListeningLayer
    )(
      Effect.gen(function* () {
        yield* begin("1")
        yield* begin("2")
        yield* begin("3", "another")
        yield* settled
        yield* signal("order", "paid")
        yield* settled
        assert.strictEqual(yield* end("1"), "paid")
        assert.strictEqual(yield* end("2"), "paid")
        const { open } = yield* Executions
        const [third, ...rest] = yield* open({ state: "waiting", limit: 10 })
        assert.deepStrictEqual(third?.waits, [{ name: "approval", key: "another", dueAtMs: 3 * 86_400_000 }])
        assert.deepStrictEqual(rest, [])
      })
    ))

  test("is kept for the first that waits, however many others were kept and received since", (path) =>
    Effect.gen(function* () {
      const on = withEngine(path, ListeningLayer)
      yield* on(signal("order", "early"))
      const file = new DatabaseSync(path)
      file.exec("UPDATE sqlite_sequence SET seq = seq + 20000 WHERE name = 'signal'")
      file.close()
      yield* on(
        Effect.gen(function* () {
          yield* signal("another", "new")
          yield* begin("1")
          yield* settled
          yield* TestClock.adjust("3 days")
          assert.strictEqual(yield* end("1"), "early")
        })
      )
    }))

  test("without a waiting execution is kept over a restart for the first that waits; the latest counts", (path) =>
    Effect.gen(function* () {
      const on = withEngine(path, ListeningLayer)
      yield* on(Effect.andThen(signal("order", "early"), signal("order", "later")))
      yield* on(
        Effect.gen(function* () {
          assert.strictEqual(yield* end("1"), "later")
          yield* begin("2")
          yield* settled
          const { open } = yield* Executions
          assert.strictEqual((yield* open({ state: "waiting", limit: 10 })).length, 1)
        })
      )
    }))
})

describe("a wait for a signal", () => {
  test("ends at its time-out, and a later signal goes to the next wait", (path) =>
    Effect.gen(function* () {
      const on = withEngine(path, ListeningLayer)
      yield* on(Effect.andThen(begin("1"), settled))
      yield* TestClock.adjust("2 days")
      yield* on(settled)
      yield* TestClock.adjust("1 day")
      yield* on(
        Effect.gen(function* () {
          assert.strictEqual(yield* end("1"), "timed out")
          yield* signal("order", "late")
          assert.strictEqual(yield* end("2"), "late")
          const { nextDueMs } = yield* Executions
          assert.isUndefined(yield* nextDueMs)
        })
      )
    }))
})

const Twice = Workflow.make("Twice", {
  payload: { id: Schema.String },
  success: Schema.Array(Schema.String),
  idempotencyKey: ({ id }) => id
})

const TwiceLayer = Twice.toLayer(
  Effect.fnUntraced(function* () {
    const { awaitSignal } = yield* Executions
    const first = yield* awaitSignal({ name: "first", key: "twice", timeout: "1 hour" })
    yield* DurableClock.sleep({ name: "pause", duration: "1 hour" })
    const second = yield* awaitSignal({ name: "second", key: "twice", timeout: "1 hour" })
    return [first, second].map(Option.getOrElse(() => "nothing"))
  })
)

describe("a wait that has ended", () => {
  test("does not consume the signal for the next wait", (path) =>
    withEngine(
      path,
      TwiceLayer
    )(
      Effect.gen(function* () {
        yield* Twice.execute({ id: "1" }, { discard: true })
        yield* settled
        yield* TestClock.adjust("1 hour")
        yield* settled
        yield* signal("twice", "while it sleeps")
        yield* TestClock.adjust("1 hour")
        yield* settled
        assert.deepStrictEqual(yield* Twice.execute({ id: "1" }), ["nothing", "while it sleeps"])
      })
    ))
})

/** A cipher without cryptography: it shows that every value is encrypted, and can be decrypted at its own place only. */
const cipher: Cipher = {
  encrypt: (plain, bound) => Buffer.from(JSON.stringify([bound, Buffer.from(plain).toString("base64")])),
  decrypt: (encrypted, bound) => {
    const [place, base64]: Array<string> = JSON.parse(Buffer.from(encrypted).toString())
    if (place !== bound) throw new Error(`encrypted for ${place}`)
    return Buffer.from(base64 ?? "", "base64").toString()
  },
  fingerprint: (plain) => Buffer.from(plain).toString("hex"),
  matches: (plain, fingerprint) => Buffer.from(plain).toString("hex") === fingerprint
}

describe("an engine with encryption", () => {
  test("stores nothing in plain text, and reports a missing cipher", (path) =>
    Effect.gen(function* () {
      yield* withEngine(path, ListeningLayer, { cipher })(
        Effect.gen(function* () {
          yield* signal("kept", "marked-signal")
          yield* begin("marked-payload")
          yield* settled
          const files = [path, `${path}-wal`].map((file) => readFileSync(file, "latin1")).join("")
          for (const marked of ["marked-signal", "marked-payload", "started by"]) assert.notInclude(files, marked)
        })
      )
      yield* withEngine(
        path,
        ListeningLayer
      )(
        Effect.gen(function* () {
          yield* signal("order", "approval")
          yield* settled
          const { open } = yield* Executions
          const [stuck] = yield* open({ state: "stuck", limit: 1 })
          assert.match(stuck?.stuckOn ?? "", /this database is encrypted/)
        })
      )
      yield* withEngine(path, ListeningLayer, { cipher })(
        Effect.gen(function* () {
          const { open, resume } = yield* Executions
          const [stuck] = yield* open({ state: "stuck", limit: 1 })
          yield* resume(stuck?.executionId ?? "")
          assert.strictEqual(yield* end("marked-payload"), "approval")
          const row = yield* open({ state: "waiting", limit: 1 })
          assert.deepStrictEqual(row, [])
        })
      )
    }))
})
