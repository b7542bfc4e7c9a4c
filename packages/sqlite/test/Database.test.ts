import { existsSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit } from "effect"
import * as Database from "../src/Database.ts"
import { entries } from "./Fixture.ts"
import { temporaryFile, temporaryFolder } from "./TemporaryFolder.ts"

const createEntries = (database: Database.Database) => Effect.sync(() => database.connection.exec(entries))

describe("opening a database", () => {
  it.effect.each([
    ["journal_mode", "wal"],
    ["synchronous", 2],
    ["foreign_keys", 1],
    ["secure_delete", 1],
    ["trusted_schema", 0],
    ["temp_store", 2],
    ["busy_timeout", 1000],
    ["wal_autocheckpoint", 1000]
  ] as const)("sets %s to %s", ([pragma, value]) =>
    Effect.gen(function* () {
      const database = yield* Database.open({ path: yield* temporaryFile })
      const row = yield* database.read((db) => db.prepare(`PRAGMA ${pragma}`).get())
      assert.deepStrictEqual(Object.values(row ?? {}), [value])
    })
  )

  it.effect("makes the file and its log readable by their owner only", () =>
    Effect.gen(function* () {
      const path = yield* temporaryFile
      const database = yield* Database.open({ path })
      yield* createEntries(database)
      assert.deepStrictEqual(
        [path, `${path}-wal`].map((file) => statSync(file).mode & 0o777),
        [0o600, 0o600]
      )
    })
  )

  it.effect("checkpoints the log and releases the file when the scope ends", () =>
    Effect.gen(function* () {
      const path = yield* temporaryFile
      yield* Effect.scoped(Effect.flatMap(Database.open({ path }), createEntries))
      assert.deepStrictEqual([`${path}-wal`, `${path}.pid`].filter(existsSync), [])
      const again = yield* Database.open({ path })
      assert.isUndefined(yield* again.read((db) => db.prepare("SELECT * FROM entry").get()))
    })
  )

  it.effect("makes reads fail as Closed after the scope has ended", () =>
    Effect.gen(function* () {
      const database = yield* Effect.scoped(Database.open({ path: ":memory:" }))
      const error = yield* Effect.flip(database.read((db) => db.prepare("SELECT 1").get()))
      assert.strictEqual(error.reason._tag, "Closed")
    })
  )

  it.effect("refuses a file that is not a database, and releases it", () =>
    Effect.gen(function* () {
      const path = yield* temporaryFile
      writeFileSync(path, "a letter that is long enough to be looked at ".repeat(50))
      const refusal = Effect.map(Effect.flip(Effect.scoped(Database.open({ path }))), (error) => error.reason._tag)
      assert.deepStrictEqual([yield* refusal, yield* refusal], ["Corrupt", "Corrupt"])
    })
  )

  it.effect("keeps the path of a new file when a link to its folder goes elsewhere", () =>
    Effect.gen(function* () {
      const [folder, link] = [yield* temporaryFolder, join(yield* temporaryFolder, "link")]
      symlinkSync(folder, link)
      const database = yield* Database.open({ path: join(link, "test.db") })
      rmSync(link)
      database.connection.begin()
      database.connection.commit()
      assert.strictEqual(database.path, join(realpathSync(folder), "test.db"))
    })
  )

  it.effect("refuses a directory that does not exist", () =>
    Effect.gen(function* () {
      const path = `${yield* temporaryFile}/missing/test.db`
      const error = yield* Effect.flip(Database.open({ path }))
      assert.deepStrictEqual({ ...error.reason }, { _tag: "Other", code: 14 })
    })
  )
})

describe("the owner of a database file", () => {
  it.effect("is named to a second writer, also under an alias of the file", () =>
    Effect.gen(function* () {
      const path = yield* temporaryFile
      const alias = `${path}-alias`
      yield* Database.open({ path })
      symlinkSync(path, alias)
      for (const name of [path, alias]) {
        const error = yield* Effect.flip(Database.open({ path: name }))
        assert.deepStrictEqual({ ...error.reason }, { _tag: "InUse", path, pid: process.pid })
        assert.include(error.message, `process ${process.pid}`)
      }
    })
  )

  it.effect("allows a second connection that only reads", () =>
    Effect.gen(function* () {
      const path = yield* temporaryFile
      const writer = yield* Database.open({ path })
      yield* createEntries(writer)
      const reader = yield* Database.open({ path, readOnly: true })
      writer.connection.exec("INSERT INTO entry (name) VALUES ('a')")
      assert.deepEqual(yield* reader.read((db) => db.prepare("SELECT name FROM entry").get()), { name: "a" })
      const error = yield* Effect.flip(reader.read((db) => db.prepare("DELETE FROM entry").run()))
      assert.strictEqual(error.reason._tag, "ReadOnly")
    })
  )

  it.effect("does not exist for databases in memory, which share nothing", () =>
    Effect.gen(function* () {
      yield* createEntries(yield* Database.open({ path: ":memory:" }))
      yield* createEntries(yield* Database.open({ path: ":memory:" }))
      assert.isFalse(existsSync(":memory:.lock"))
    })
  )
})

describe("a read", () => {
  it.effect("fails with an error if the statement fails, and with a defect if the caller throws", () =>
    Effect.gen(function* () {
      const database = yield* Database.open({ path: ":memory:" })
      const error = yield* Effect.flip(database.read((db) => db.prepare("SELECT * FROM nowhere")))
      assert.deepStrictEqual({ ...error.reason }, { _tag: "Other", code: 1 })
      const exit = yield* Effect.exit(database.read(() => assert.fail("mine")))
      assert.isTrue(Exit.isFailure(exit) && Cause.hasDies(exit.cause))
    })
  )

  it.effect("fails as Busy after the configured wait for another connection's lock", () =>
    Effect.gen(function* () {
      const path = yield* temporaryFile
      const database = yield* Database.open({ path, busyTimeoutMs: 0 })
      const other = new DatabaseSync(path)
      other.exec("BEGIN IMMEDIATE")
      const error = yield* Effect.flip(Database.attempt(() => database.connection.begin()))
      other.close()
      assert.deepStrictEqual([error.reason._tag, error.retryable], ["Busy", true])
    })
  )

  it.effect("prepares each statement text once, and returns integers beyond 2^53 as bigints on request", () =>
    Effect.gen(function* () {
      const database = yield* Database.open({ path: ":memory:" })
      const sql = "SELECT 9007199254740993 AS n"
      yield* database.read((db) => {
        assert.strictEqual(db.prepare(sql), db.prepare(sql))
        assert.strictEqual(db.prepareBigInt(sql), db.prepareBigInt(sql))
        assert.deepEqual(db.prepareBigInt(sql).get(), { n: 9007199254740993n })
        assert.throws(() => db.prepare(sql).get(), RangeError)
      })
    })
  )

  it.effect("keeps at most 1,024 prepared statements", () =>
    Effect.gen(function* () {
      const database = yield* Database.open({ path: ":memory:" })
      yield* database.read((db) => {
        const first = db.prepare("SELECT 0")
        for (let n = 1; n <= 1023; n++) db.prepare(`SELECT ${n}`)
        assert.strictEqual(db.prepare("SELECT 0"), first)
        db.prepare("SELECT 1024")
        assert.notStrictEqual(db.prepare("SELECT 0"), first)
      })
    })
  )
})
