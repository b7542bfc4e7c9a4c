import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import * as Entities from "@pay/gateway/Entities"
import { Job } from "@pay/gateway/Entities"
import * as Entity from "@pay/gateway/Entity"
import type { Range } from "@pay/gateway/Store"
import * as PostgresSchema from "../scripts/PostgresSchema.ts"
import * as Schema from "../scripts/Schema.ts"
import * as Steps from "../scripts/Steps.ts"
import { equal, quote } from "../src/Ddl.ts"
import { Find } from "../src/Find.ts"
import { migrations } from "../src/Migrations.ts"
import { migrations as postgresMigrations } from "../src/postgres/Migrations.ts"
import * as Scheduler from "../src/Scheduler.ts"

const hint = "run: node gateway/storage/scripts/migrate.ts entities --replace"

describe("the migrations", () => {
  it("of SQLite lead to the tables of the entities", () => {
    const migrated = Schema.after(migrations.map(({ sql }) => sql))
    assert.deepStrictEqual(Schema.difference(migrated, Schema.ofEntities(Entities.all)), [], hint)
  })

  it("of PostgreSQL lead to the tables of the entities", () => {
    const migrated = PostgresSchema.after(postgresMigrations.flatMap(({ sql }) => PostgresSchema.statementsOf(sql)))
    assert.deepStrictEqual(PostgresSchema.difference(migrated, Entities.all), [], hint)
  })

  it.each([
    ["SQLite", Steps.sqlite, migrations],
    ["PostgreSQL", Steps.postgres, postgresMigrations]
  ] as const)("of %s are bundled as the files that are checked in", (_name, engine, bundled) => {
    assert.strictEqual(readFileSync(engine.module, "utf8"), Steps.moduleOf(engine), hint)
    assert.deepStrictEqual(
      bundled.map(({ id, name, sql }) => ({ id, name, sql })),
      Steps.read(engine)
    )
  })
})

const base = { columns: { id: Entity.text(), a: Entity.integer }, key: ["id"] } as const
const one = Entity.make("one", base)
const two = Entity.make("two", base)
const many = Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`c${n}`, Entity.integerOrNull]))
const wider = { ...base.columns, b: Entity.textOrNull() }

type Some = ReadonlyArray<Entity.Entity>

describe("the generated migration", () => {
  const steps: ReadonlyArray<readonly [what: string, from: Some, to: Some, statements: ReadonlyArray<RegExp>]> = [
    ["no change", [one, two], [two, one], []],
    ["a new entity", [one], [one, two], [/^CREATE TABLE "two"/]],
    [
      "a nullable column",
      [one],
      [Entity.make("one", { ...base, columns: wider })],
      [/^ALTER TABLE "one" ADD COLUMN "b" TEXT$/]
    ],
    [
      "more columns than a narrow row has",
      [one],
      [Entity.make("one", { ...base, columns: { ...base.columns, ...many } })],
      Object.keys(many).map((name) => new RegExp(`^ALTER TABLE "one" ADD COLUMN "${name}" INTEGER CHECK`))
    ],
    [
      "a new index",
      [one],
      [Entity.make("one", { ...base, index: { a: ["a"] } })],
      [/^CREATE INDEX "one.a" ON "one" \("a", "id"\)$/]
    ],
    ["a removed index", [Entity.make("one", { ...base, index: { a: ["a"] } })], [one], [/^DROP INDEX "one.a"$/]],
    [
      "an index over other columns",
      [Entity.make("one", { columns: wider, key: ["id"], index: { x: ["a"] } })],
      [Entity.make("one", { columns: wider, key: ["id"], index: { x: ["b"] } })],
      [/^DROP INDEX "one.x"$/, /^CREATE INDEX "one.x" ON "one" \("b", "id"\)$/]
    ],
    [
      "an entity that becomes append-only",
      [one],
      [Entity.make("one", { ...base, appendOnly: true })],
      [/^CREATE TRIGGER "one.no update"/, /^CREATE TRIGGER "one.no delete"/]
    ]
  ]

  const postgresSteps: ReadonlyArray<readonly [what: string, from: Some, to: Some, statements: ReadonlyArray<RegExp>]> =
    [
      ["no change", [one, two], [two, one], []],
      ["a new entity", [one], [one, two], [/^CREATE TABLE pay."two"/]],
      [
        "a nullable column",
        [one],
        [Entity.make("one", { ...base, columns: wider })],
        [/^ALTER TABLE pay."one" ADD COLUMN "b" text COLLATE "C"$/]
      ],
      [
        "an index over other columns",
        [Entity.make("one", { columns: wider, key: ["id"], index: { x: ["a"] } })],
        [Entity.make("one", { columns: wider, key: ["id"], index: { x: ["b"] } })],
        [/^DROP INDEX pay."one.x"$/, /^CREATE INDEX "one.x" ON pay."one" \("b" NULLS FIRST, "id"\)$/]
      ],
      [
        "an entity that becomes append-only",
        [one],
        [Entity.make("one", { ...base, appendOnly: true })],
        [/^CREATE TRIGGER "one.no change"/, /^CREATE TRIGGER "one.no truncation"/]
      ]
    ]

  it.each(postgresSteps)("of PostgreSQL has the statements for %s", (_what, from, to, expected) => {
    const before = PostgresSchema.ofEntities(from)
    const statements = PostgresSchema.difference(before, to)
    assert.strictEqual(statements.length, expected.length)
    for (const [n, pattern] of expected.entries()) assert.match(statements[n] ?? "", pattern)
  })

  it.each(steps)("of SQLite has the statements for %s", (_what, from, to, expected) => {
    const before = Schema.ofEntities(from)
    const target = Schema.ofEntities(to)
    const statements = Schema.difference(before, target)
    assert.strictEqual(statements.length, expected.length)
    for (const [n, pattern] of expected.entries()) assert.match(statements[n] ?? "", pattern)
    for (const sql of statements) before.exec(sql)
    assert.deepStrictEqual(Schema.difference(before, target), [])
  })

  const refusals: ReadonlyArray<readonly [what: string, from: Some, to: Some]> = [
    ["a removed entity", [one, two], [one]],
    ["a removed column", [Entity.make("one", { ...base, columns: wider })], [one]],
    [
      "a new column that is not nullable",
      [one],
      [Entity.make("one", { ...base, columns: { ...wider, c: Entity.text() } })]
    ],
    [
      "another kind of column",
      [one],
      [Entity.make("one", { ...base, columns: { ...base.columns, a: Entity.text() } })]
    ],
    ["another key", [one], [Entity.make("one", { ...base, key: ["id", "a"] })]]
  ]

  it.each(refusals)("is refused, to be written by hand, for %s", (_what, from, to) => {
    assert.throws(() => Schema.difference(Schema.ofEntities(from), Schema.ofEntities(to)), Schema.NeedsAPerson)
  })
})

/** Returns every form of range over an index. */
const shapes = (columns: ReadonlyArray<string>): ReadonlyArray<Range> =>
  columns.flatMap((_, n) =>
    [{}, { from: 1 }, { to: 1 }, { from: 1, to: 1 }].flatMap((bounds) =>
      [false, true].map((descending) => ({ equals: columns.slice(0, n), limit: 1, descending, ...bounds }))
    )
  )

describe("the statements of the store on SQLite", () => {
  const database = Schema.ofEntities(Entities.all)
  const planOf = (sql: string): string =>
    database
      .prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .all()
      .map(({ detail }) => `${detail}`)
      .join("; ")

  const indexes = Entities.all.flatMap((entity) =>
    Object.entries({ key: entity.key, ...entity.index }).map(([name, columns]) => ({
      entity,
      name,
      columns,
      title: `${entity.name}.${name}`,
      used: name === "key" ? /PRIMARY KEY|sqlite_autoindex/ : new RegExp(`INDEX ${entity.name}\\.${name}`)
    }))
  )

  it.each(indexes)("read a range along its index, in order: $title", ({ columns, entity, name, used }) => {
    const find = new Find(entity)
    for (const range of shapes(columns)) {
      const plan = planOf(find.text(name, range))
      const bounded = range.equals?.length !== 0 || range.from !== undefined || range.to !== undefined
      assert.notInclude(plan, "TEMP B-TREE")
      if (bounded) assert.match(plan, /^SEARCH/)
      if (bounded || name !== "key") assert.match(plan, used)
    }
  })

  it.each(Entities.all)("load a row by its key and unique keys: $name", (entity) => {
    for (const columns of [entity.key, ...Object.values(entity.unique)]) {
      assert.match(planOf(`SELECT * FROM ${quote(entity.name)} WHERE ${equal(columns)}`), /^SEARCH/)
    }
  })

  it.each([
    ["all jobs", Scheduler.dueText, `SEARCH jobs USING INDEX ${Job.name}.due (kind=? AND dueAtMs<?)`],
    [
      "jobs of one merchant",
      Scheduler.merchantText,
      `SEARCH jobs USING INDEX ${Job.name}.merchant (kind=? AND merchantId=? AND dueAtMs<?)`
    ],
    [
      "the first merchant with jobs",
      Scheduler.firstText,
      `SEARCH jobs USING COVERING INDEX ${Job.name}.merchant (kind=?)`
    ],
    [
      "the next merchant with jobs",
      Scheduler.nextText,
      `SEARCH jobs USING COVERING INDEX ${Job.name}.merchant (kind=? AND merchantId>?)`
    ]
  ])("read due jobs along their index: %s", (_what, text, expected) => {
    assert.strictEqual(planOf(text), expected)
  })
})
