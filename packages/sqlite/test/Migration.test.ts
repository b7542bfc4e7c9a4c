import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Database from "../src/Database.ts"
import { type Migration, migrate } from "../src/Migration.ts"
import { temporaryFile } from "./TemporaryFolder.ts"

const cities: Migration = { id: 1, name: "cities", sql: "CREATE TABLE city (id INTEGER PRIMARY KEY, name TEXT)" }
const streets: Migration = {
  id: 2,
  name: "streets",
  sql: "CREATE TABLE street (city INTEGER NOT NULL REFERENCES city ON DELETE CASCADE)"
}
const parks: Migration = { id: 5, name: "parks", sql: "CREATE TABLE park (id INTEGER PRIMARY KEY)" }

const tables = (database: Database.Database) =>
  database.read((db) =>
    db
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'migration' ORDER BY rowid")
      .all()
      .map((row) => row.name)
  )

describe("migrate", () => {
  it.effect("applies the missing steps once, in the order of the list", () =>
    Effect.gen(function* () {
      const database = yield* Database.open({ path: ":memory:" })
      assert.deepStrictEqual(yield* migrate(database, [cities]), [cities])
      assert.deepStrictEqual(yield* migrate(database, [cities, streets, parks]), [streets, parks])
      assert.deepStrictEqual(yield* migrate(database, [cities, streets, parks]), [])
      assert.deepStrictEqual(yield* tables(database), ["city", "street", "park"])
    })
  )

  it.effect.each([
    ["an edited step", [cities, { ...streets, sql: `${streets.sql} STRICT` }, parks], "Changed", 2],
    ["a step inserted between others", [cities, { ...parks, id: 2 }, streets], "Changed", 2],
    ["a step left out", [cities, parks], "Changed", 2],
    ["a renumbered step", [{ ...cities, id: 0 }, streets], "Changed", 1],
    ["the list of an older release", [cities], "Newer", 2]
  ] as const)("refuses %s", ([_what, migrations, reason, id]) =>
    Effect.gen(function* () {
      const database = yield* Database.open({ path: ":memory:" })
      yield* migrate(database, [cities, streets])
      const error = yield* Effect.flip(migrate(database, migrations))
      assert.strictEqual(error._tag, "MigrationError")
      assert.deepStrictEqual([error.reason._tag, "id" in error.reason && error.reason.id], [reason, id])
      assert.deepStrictEqual(yield* tables(database), ["city", "street"])
    })
  )

  it.effect("accepts a renamed step", () =>
    Effect.gen(function* () {
      const database = yield* Database.open({ path: ":memory:" })
      yield* migrate(database, [cities])
      assert.deepStrictEqual(yield* migrate(database, [{ ...cities, name: "towns" }]), [])
    })
  )

  it.effect("follows the order of the list, not of the numbers, and refuses a number that is used twice", () =>
    Effect.gen(function* () {
      const database = yield* Database.open({ path: ":memory:" })
      const list = [parks, cities]
      yield* migrate(database, list)
      assert.deepStrictEqual(yield* migrate(database, list), [])
      const error = yield* Effect.flip(migrate(database, [...list, { ...streets, id: cities.id }]))
      assert.strictEqual(error.reason._tag, "Failed")
    })
  )

  it.effect("undoes a failed step, keeps the steps before it, and continues from there", () =>
    Effect.gen(function* () {
      const database = yield* Database.open({ path: ":memory:" })
      const wrong = { ...streets, sql: `${streets.sql}; CREATE TABLE city (id)` }
      const error = yield* Effect.flip(migrate(database, [cities, wrong, parks]))
      assert.deepStrictEqual([error._tag, error.reason._tag], ["MigrationError", "Failed"])
      assert.include(error.message, "streets")
      assert.deepStrictEqual(yield* tables(database), ["city"])
      assert.deepStrictEqual(yield* migrate(database, [cities, streets]), [streets])
    })
  )

  it.effect("can rebuild a table without losing the rows that refer to it", () =>
    Effect.gen(function* () {
      const database = yield* Database.open({ path: ":memory:" })
      yield* migrate(database, [cities, streets])
      database.connection.exec("INSERT INTO city VALUES (1, 'Oslo'); INSERT INTO street VALUES (1)")
      const rebuild = {
        id: 3,
        name: "rebuild",
        sql: `CREATE TABLE new_city (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
          INSERT INTO new_city SELECT * FROM city; DROP TABLE city; ALTER TABLE new_city RENAME TO city`
      }
      yield* migrate(database, [cities, streets, rebuild])
      assert.deepEqual(yield* database.read((db) => db.prepare("SELECT city FROM street").all()), [{ city: 1 }])
      assert.deepEqual(yield* database.read((db) => db.prepare("PRAGMA foreign_keys").get()), { foreign_keys: 1 })
    })
  )

  it.effect("undoes a step that leaves dangling references", () =>
    Effect.gen(function* () {
      const database = yield* Database.open({ path: ":memory:" })
      yield* migrate(database, [cities, streets])
      const orphan = { id: 3, name: "orphan", sql: "INSERT INTO street VALUES (9)" }
      const error = yield* Effect.flip(migrate(database, [cities, streets, orphan]))
      assert.strictEqual(error.reason._tag, "Dangling")
      assert.isUndefined(yield* database.read((db) => db.prepare("SELECT * FROM street").get()))
    })
  )

  it.effect("verifies the schema for a read-only connection", () =>
    Effect.gen(function* () {
      const path = yield* temporaryFile
      yield* migrate(yield* Database.open({ path }), [cities])
      const reader = yield* Database.open({ path, readOnly: true })
      assert.deepStrictEqual(yield* migrate(reader, [cities]), [])
      assert.strictEqual((yield* Effect.flip(migrate(reader, [cities, streets]))).reason._tag, "Failed")
      assert.strictEqual((yield* Effect.flip(migrate(reader, []))).reason._tag, "Newer")
    })
  )
})
