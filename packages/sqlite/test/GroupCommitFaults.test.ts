import { renameSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Database from "../src/Database.ts"
import * as GroupCommit from "../src/GroupCommit.ts"
import { add, entries, names } from "./Fixture.ts"
import { temporaryFile } from "./TemporaryFolder.ts"

type Fault = { sql: "BEGIN IMMEDIATE" | "COMMIT" | "ROLLBACK"; does: (run: () => void) => void } | undefined

/** Makes a writer with the entry "old". The next statement of the fault's kind is replaced by the fault. */
const setUp = Effect.fnUntraced(function* (path: string) {
  const next: { fault: Fault } = { fault: undefined }
  const log: Array<string> = []
  const intercept: Database.Intercept = (sql, run) => {
    log.push(sql)
    const { fault } = next
    if (fault?.sql !== sql) return run()
    next.fault = undefined
    fault.does(run)
  }
  const database = yield* Database.open({ path, intercept, busyTimeoutMs: 0 })
  database.connection.exec(entries)
  const room = { freed: 0, is: 0 }
  const makeRoom = () => {
    room.freed += 1
    room.is -= 1
    return room.is >= 0
  }
  const writer = yield* GroupCommit.make({ database, makeRoom })
  yield* writer.submit(add("old"))
  return { next, log, room, database, writer, written: database.read(names) }
})

const failures = (writer: GroupCommit.GroupCommit, jobs: ReadonlyArray<GroupCommit.Job<unknown, string>>) =>
  Effect.forEach(
    jobs,
    (job) =>
      Effect.match(writer.submit(job), {
        onSuccess: () => "written",
        onFailure: (error) =>
          typeof error === "string" ? error : error._tag === "SqliteError" ? error.reason._tag : error._tag
      }),
    { concurrency: "unbounded" }
  )

const trouble = () => {
  throw new Error("the disk is gone")
}

/** The error of SQLite with this code, as a COMMIT throws it that cannot write its log. */
const impossible = (errcode: number) => () => {
  throw Object.assign(new Error("the disk has no room"), { errcode })
}

const afterwards = (run: () => void) => {
  run()
  trouble()
}

describe("a COMMIT that fails", () => {
  it.effect.each([
    ["did not happen", trouble, ["old", "later"]],
    ["happened, but its answer was lost", afterwards, ["old", "a", "b", "later"]]
  ] as const)("that %s gives every job CommitUnknown, and later jobs are committed", ([_what, does, expected]) =>
    Effect.gen(function* () {
      const { next, writer, written } = yield* setUp(yield* temporaryFile)
      next.fault = { sql: "COMMIT", does }
      const unknown = ["CommitUnknown", "CommitUnknown", "CommitUnknown"]
      assert.deepStrictEqual(yield* failures(writer, [add("a"), add("b"), add("a")]), unknown)
      yield* writer.submit(add("later"))
      assert.deepStrictEqual(yield* written, expected)
      assert.deepStrictEqual(writer.statistics, { commits: 2, jobs: 2 })
    })
  )

  it.effect.each([
    ["is full", 13, "Full"],
    ["is at a quota, or the file at its limit", 778, "Other"]
  ] as const)("because the disk %s undoes every job, and none of them has happened", ([_, errcode, reason]) =>
    Effect.gen(function* () {
      const { next, room, writer, written } = yield* setUp(yield* temporaryFile)
      next.fault = { sql: "COMMIT", does: impossible(errcode) }
      assert.deepStrictEqual(yield* failures(writer, [add("a"), add("b")]), [reason, reason])
      assert.deepStrictEqual(yield* written, ["old"])
      assert.strictEqual(room.freed, 1)
      yield* writer.submit(add("later"))
      assert.deepStrictEqual(yield* written, ["old", "later"])
    })
  )

  it.effect("because the disk is full is repeated once, if room could be made", () =>
    Effect.gen(function* () {
      const { next, room, writer, written } = yield* setUp(yield* temporaryFile)
      room.is = 1
      next.fault = { sql: "COMMIT", does: impossible(13) }
      assert.deepStrictEqual(yield* failures(writer, [add("a"), add("b")]), ["written", "written"])
      assert.deepStrictEqual(yield* written, ["old", "a", "b"])
    })
  )

  it.effect("because of a deferred constraint undoes the whole batch", () =>
    Effect.gen(function* () {
      const { database, writer, written } = yield* setUp(yield* temporaryFile)
      database.connection.exec("CREATE TABLE child (entry REFERENCES entry DEFERRABLE INITIALLY DEFERRED)")
      const orphan = { ...add("a"), write: add("b").write }
      const adopt: GroupCommit.Job<void> = {
        check: () => undefined,
        write: (db) => void db.prepare("INSERT INTO child VALUES (99)").run()
      }
      assert.deepStrictEqual(yield* failures(writer, [orphan, adopt]), ["CommitUnknown", "CommitUnknown"])
      assert.deepStrictEqual(yield* written, ["old"])
    })
  )

  it.effect("rolls back a database in memory, which keeps its earlier data", () =>
    Effect.gen(function* () {
      const { next, writer, written } = yield* setUp(":memory:")
      next.fault = { sql: "COMMIT", does: trouble }
      assert.deepStrictEqual(yield* failures(writer, [add("a")]), ["CommitUnknown"])
      yield* writer.submit(add("later"))
      assert.deepStrictEqual(yield* written, ["old", "later"])
    })
  )

  it.effect("and a missing file make every job fail until the file is back; no empty database is created", () =>
    Effect.gen(function* () {
      const path = yield* temporaryFile
      const { next, writer, written } = yield* setUp(path)
      next.fault = { sql: "COMMIT", does: trouble }
      yield* failures(writer, [add("a")])
      renameSync(path, `${path}.away`)
      assert.deepStrictEqual(yield* failures(writer, [add("b")]), ["Gone"])
      assert.strictEqual((yield* Effect.flip(written)).reason._tag, "Gone")
      renameSync(`${path}.away`, path)
      yield* writer.submit(add("c"))
      assert.deepStrictEqual(yield* written, ["old", "c"])
    })
  )
})

describe("a write that is impossible", () => {
  it.effect("on a full disk fails and undoes the whole batch, and later batches succeed", () =>
    Effect.gen(function* () {
      const { database, writer, written } = yield* setUp(yield* temporaryFile)
      const setLimit = (pages: number) => database.connection.exec(`PRAGMA max_page_count = ${pages}`)
      setLimit(8)
      const large = add("b".repeat(100_000))
      assert.deepStrictEqual(yield* failures(writer, [add("a"), large]), ["Full", "Full"])
      assert.deepStrictEqual(yield* failures(writer, [{ ...add("x"), write: trouble }, large]), ["Full", "Full"])
      assert.deepStrictEqual(yield* written, ["old"])
      setLimit(1_000_000)
      yield* writer.submit(add("a"))
      assert.deepStrictEqual(yield* written, ["old", "a"])
    })
  )

  it.effect("under a lock of another connection fails every waiting job as Busy", () =>
    Effect.gen(function* () {
      const path = yield* temporaryFile
      const { log, writer, written } = yield* setUp(path)
      const other = new DatabaseSync(path)
      other.exec("BEGIN IMMEDIATE")
      log.length = 0
      assert.deepStrictEqual(yield* failures(writer, [add("a"), add("b")]), ["Busy", "Busy"])
      assert.deepStrictEqual(log, ["BEGIN IMMEDIATE"], "the loop is not blocked a second time")
      other.close()
      yield* writer.submit(add("c"))
      assert.deepStrictEqual(yield* written, ["old", "c"])
    })
  )

  it.effect("with a failed ROLLBACK replaces the connection, and the other jobs succeed", () =>
    Effect.gen(function* () {
      const { next, writer, written } = yield* setUp(yield* temporaryFile)
      next.fault = { sql: "ROLLBACK", does: trouble }
      const thrower = { ...add("x"), write: trouble }
      const outcomes = yield* Effect.forEach([add("a"), thrower, add("b")], (job) => Effect.exit(writer.submit(job)), {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(
        outcomes.map((exit) => exit._tag),
        ["Success", "Failure", "Success"]
      )
      assert.deepStrictEqual(yield* written, ["old", "a", "b"])
    })
  )

  it.effect("on a closed database fails at once", () =>
    Effect.gen(function* () {
      const { writer } = yield* Effect.scoped(setUp(":memory:"))
      assert.deepStrictEqual(yield* failures(writer, [add("a")]), ["Closed"])
    })
  )
})
