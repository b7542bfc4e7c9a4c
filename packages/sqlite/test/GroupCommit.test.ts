import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "@effect/vitest"
import { Cause, Clock, Effect, Exit, Fiber } from "effect"
import * as Database from "../src/Database.ts"
import * as GroupCommit from "../src/GroupCommit.ts"
import { add, entries, names, numbers } from "./Fixture.ts"
import { temporaryFile } from "./TemporaryFolder.ts"

const setUp = Effect.fnUntraced(function* (
  options: { path?: string; intercept?: Database.Intercept; maxBatch?: number; maxBatchMs?: number } = {}
) {
  const { path = ":memory:", intercept, ...limits } = options
  const database = yield* Database.open(intercept === undefined ? { path } : { path, intercept })
  database.connection.exec(entries)
  return { database, writer: yield* GroupCommit.make({ database, ...limits }), written: database.read(names) }
})

const together = { concurrency: "unbounded" } as const

const broken = (name: string): GroupCommit.Job<number, string> => ({
  ...add(name),
  write: (db) => {
    add(name).write(db)
    throw new Error("half way")
  }
})

describe("a batch", () => {
  it.effect("commits all jobs that arrive together in their order, in one COMMIT", () =>
    Effect.gen(function* () {
      const { writer, written } = yield* setUp()
      const places = yield* Effect.forEach(numbers(10), (name) => writer.submit(add(name)), together)
      assert.deepStrictEqual(places, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
      assert.deepStrictEqual(yield* written, numbers(10))
      assert.deepStrictEqual(writer.statistics, { commits: 1, jobs: 10 })
    })
  )

  it.effect("contains at least 20 jobs on average if 64 callers write in a loop", () =>
    Effect.gen(function* () {
      const { writer, written } = yield* setUp({ path: yield* temporaryFile })
      const caller = (name: string) => Effect.forEach(numbers(20), (turn) => writer.submit(add(`${name}.${turn}`)))
      yield* Effect.forEach(numbers(64), caller, together)
      assert.strictEqual((yield* written).length, 1280)
      assert.strictEqual(writer.statistics.jobs, 1280)
      assert.isAtLeast(writer.statistics.jobs / writer.statistics.commits, 20)
    })
  )

  it.effect("of a single caller is committed without waiting for other callers or a timer", () =>
    Effect.gen(function* () {
      const { writer } = yield* setUp()
      assert.deepStrictEqual(yield* Effect.forEach(["a", "b", "c"], (name) => writer.submit(add(name))), [1, 2, 3])
      assert.deepStrictEqual(writer.statistics, { commits: 3, jobs: 3 })
    })
  )

  it.effect("contains at most maxBatch jobs", () =>
    Effect.gen(function* () {
      const { writer, written } = yield* setUp({ maxBatch: 4 })
      yield* Effect.forEach(numbers(10), (name) => writer.submit(add(name)), together)
      assert.deepStrictEqual(yield* written, numbers(10))
      assert.deepStrictEqual(writer.statistics, { commits: 3, jobs: 10 })
    })
  )

  it.effect("takes no further job after maxBatchMs", () =>
    Effect.gen(function* () {
      let nanos = 0n
      const clock = { ...(yield* Clock.Clock), monotonicTimeNanosUnsafe: () => (nanos += 4_000_000n) }
      const { writer } = yield* Effect.provideService(setUp({ maxBatchMs: 10 }), Clock.Clock, clock)
      yield* Effect.forEach(numbers(7), (name) => writer.submit(add(name)), together)
      assert.deepStrictEqual(writer.statistics, { commits: 3, jobs: 7 })
    })
  )

  it.effect("begins at the time that the given Schedule chooses", () =>
    Effect.gen(function* () {
      const begins: Array<() => void> = []
      const { writer } = yield* Effect.provideService(setUp(), GroupCommit.Schedule, (begin) => void begins.push(begin))
      const callers = yield* Effect.forkChild(
        Effect.forEach(numbers(3), (name) => writer.submit(add(name)), together),
        { startImmediately: true }
      )
      for (let turn = 0; turn < 5; turn++) yield* Effect.yieldNow
      assert.deepStrictEqual(writer.statistics, { commits: 0, jobs: 0 })
      for (const begin of begins) begin()
      assert.deepStrictEqual(yield* Fiber.join(callers), [1, 2, 3])
      assert.deepStrictEqual([begins.length, writer.statistics], [1, { commits: 1, jobs: 3 }])
    })
  )

  it.effect("lets other work run before the next batch", () =>
    Effect.gen(function* () {
      const log: Array<string> = []
      const intercept: Database.Intercept = (sql, run) => {
        run()
        if (sql !== "COMMIT") return
        log.push("commit")
        setImmediate(() => log.push("other work"))
      }
      const { writer } = yield* setUp({ intercept, maxBatch: 1 })
      yield* Effect.forEach(numbers(3), (name) => writer.submit(add(name)), together)
      assert.deepStrictEqual(log, ["commit", "other work", "commit", "other work", "commit"])
    })
  )

  it.effect("is invisible to other connections before its COMMIT, and visible when the first caller is answered", () =>
    Effect.gen(function* () {
      const path = yield* temporaryFile
      const log: Array<string> = []
      const look = () => {
        const other = new DatabaseSync(path, { readOnly: true })
        const row = other.prepare("SELECT count(*) AS n FROM entry").get()
        other.close()
        return `${row?.n} entries`
      }
      const intercept: Database.Intercept = (sql, run) => {
        if (sql === "COMMIT") log.push(look())
        run()
      }
      const { writer } = yield* setUp({ path, intercept })
      const caller = (name: string) => Effect.map(writer.submit(add(name)), () => log.push(look()))
      yield* Effect.forEach(["a", "b"], caller, together)
      assert.deepStrictEqual(log, ["0 entries", "2 entries", "2 entries"])
    })
  )
})

describe("a job in a batch", () => {
  it.effect("sees the writes of earlier jobs in the batch, and writes nothing if its check refuses", () =>
    Effect.gen(function* () {
      const { writer, written } = yield* setUp()
      const outcomes = yield* Effect.forEach(
        ["a", "b", "a", "c"],
        (name) => Effect.match(writer.submit(add(name)), { onSuccess: String, onFailure: String }),
        together
      )
      assert.deepStrictEqual(outcomes, ["1", "2", "taken", "3"])
      assert.deepStrictEqual(yield* written, ["a", "b", "c"])
      assert.strictEqual(writer.statistics.commits, 1)
    })
  )

  it.effect.each([
    ["write, after it wrote", broken("x")],
    ["write, breaking a rule of the schema", { ...add("x"), write: add("a").write }],
    ["check", { ...broken("x"), check: () => assert.fail("no answer") }]
  ] as const)("that throws in %s fails alone, as a defect", ([_where, thrower]) =>
    Effect.gen(function* () {
      const { writer, written } = yield* setUp()
      const jobs = [add("a"), thrower, add("a"), thrower, add("b")]
      const exits = yield* Effect.forEach(jobs, (job) => Effect.exit(writer.submit(job)), together)
      const outcome = Exit.match({
        onSuccess: String,
        onFailure: (cause: Cause.Cause<unknown>) => (Cause.hasDies(cause) ? "defect" : String(Cause.squash(cause)))
      })
      assert.deepStrictEqual(exits.map(outcome), ["1", "defect", "taken", "defect", "2"])
      assert.deepStrictEqual(yield* written, ["a", "b"])
      assert.deepStrictEqual(writer.statistics, { commits: 1, jobs: 5 })
    })
  )
})

describe("an interruption of the caller", () => {
  it.effect("cancels a job whose batch has not begun", () =>
    Effect.gen(function* () {
      const { writer, written } = yield* setUp()
      const [, second] = yield* Effect.forEach(["a", "b", "c"], (name) =>
        Effect.forkChild(writer.submit(add(name)), { startImmediately: true })
      )
      if (second !== undefined) yield* Fiber.interrupt(second)
      yield* writer.submit(add("d"))
      assert.deepStrictEqual(yield* written, ["a", "c", "d"])
    })
  )

  it.effect("after the COMMIT does not undo the job", () =>
    Effect.gen(function* () {
      const { writer, written } = yield* setUp()
      const first = yield* Effect.forkChild(
        Effect.tap(writer.submit(add("a")), () => Effect.suspend(() => Fiber.interrupt(second))),
        { startImmediately: true }
      )
      const second = yield* Effect.forkChild(writer.submit(add("b")), { startImmediately: true })
      yield* Fiber.join(first)
      assert.isTrue(Exit.hasInterrupts(yield* Fiber.await(second)))
      yield* writer.submit(add("c"))
      assert.deepStrictEqual(yield* written, ["a", "b", "c"])
    })
  )
})
