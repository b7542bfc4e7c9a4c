import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "vitest"
import { fromUnknown, isEnvironmental, isFromSqlite } from "../src/SqliteError.ts"

const schema = `
  PRAGMA foreign_keys = ON;
  CREATE TABLE city (id INTEGER PRIMARY KEY, name TEXT NOT NULL, size INTEGER CONSTRAINT inhabited CHECK (size > 0)) STRICT;
  CREATE UNIQUE INDEX city_by_name_and_size ON city (name, size);
  CREATE UNIQUE INDEX city_by_folded_name ON city (lower(name));
  CREATE TABLE street (city INTEGER REFERENCES city);
  CREATE TRIGGER no_delete BEFORE DELETE ON city BEGIN SELECT RAISE(ABORT, 'cities stay'); END;
  INSERT INTO city VALUES (1, 'Oslo', 5);
`

const refused = (sql: string): unknown => {
  const database = new DatabaseSync(":memory:")
  database.exec(schema)
  try {
    database.exec(sql)
  } catch (cause) {
    return cause
  } finally {
    database.close()
  }
  return assert.fail(`nothing refused ${sql}`)
}

const constraint = (kind: string, columns: ReadonlyArray<string>, name?: string) =>
  name === undefined ? { _tag: "Constraint", kind, columns } : { _tag: "Constraint", kind, columns, name }

describe("the reason of an SQLite error", () => {
  it.each([
    ["INSERT INTO city VALUES (1, 'Bergen', 3)", constraint("primaryKey", ["city.id"])],
    ["INSERT INTO city VALUES (2, 'OSLO', 3)", constraint("unique", [], "city_by_folded_name")],
    ["INSERT INTO city VALUES (2, NULL, 3)", constraint("notNull", ["city.name"])],
    ["INSERT INTO city VALUES (2, 'Bergen', 0)", constraint("check", [], "inhabited")],
    ["INSERT INTO city VALUES (2, 'Bergen', 'large')", constraint("datatype", [])],
    ["INSERT INTO street VALUES (9)", constraint("foreignKey", [])],
    ["DELETE FROM city", constraint("trigger", [])],
    [
      "DROP INDEX city_by_folded_name; INSERT INTO city VALUES (2, 'Oslo', 5)",
      constraint("unique", ["city.name", "city.size"])
    ],
    ["PRAGMA max_page_count = 1; CREATE TABLE more (id)", { _tag: "Full" }],
    ["PRAGMA query_only = ON; DELETE FROM street", { _tag: "ReadOnly" }],
    ["SELEKT", { _tag: "Other", code: 1 }]
  ])("is derived for %s", (sql, reason) => {
    const cause = refused(sql)
    assert.deepStrictEqual({ ...fromUnknown(cause).reason }, reason)
    assert.isTrue(isFromSqlite(cause))
  })

  it("is Other for an error that SQLite did not throw", () => {
    assert.isFalse(isFromSqlite(new TypeError("no")))
    assert.deepStrictEqual({ ...fromUnknown(new TypeError("no")).reason }, { _tag: "Other", code: 0 })
  })

  it.each([
    ["PRAGMA max_page_count = 1; CREATE TABLE more (id)", true],
    ["INSERT INTO city VALUES (2, NULL, 3)", false],
    ["SELEKT", false]
  ])("is environmental for %s: %s", (sql, environmental) => {
    assert.strictEqual(isEnvironmental(refused(sql)), environmental)
    assert.strictEqual(isEnvironmental(fromUnknown(refused("DELETE FROM city"))), false)
  })
})
