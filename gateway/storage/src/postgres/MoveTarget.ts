/** The PostgreSQL database to which a move writes. No gateway starts on it until the move has finished. */

import * as Entities from "@pay/gateway/Entities"
import { AuditEntry } from "@pay/gateway/Entities"
import type * as Entity from "@pay/gateway/Entity"
import { StoreRow } from "@pay/gateway/Store"
import { Effect, Schema } from "effect"
import { list, quote, selected } from "../Ddl.ts"
import { failWith, type MoveError } from "../MoveError.ts"
import type * as MoveMark from "../MoveMark.ts"
import type { Copied, Row } from "../MoveRow.ts"
import { valuesOf } from "../Put.ts"
import type { Connected, Statement } from "./Administration.ts"
import * as Administration from "./Administration.ts"
import { statements as ddl, elements, schema, tableOf } from "./Ddl.ts"
import * as Marks from "./Marks.ts"
import * as Migrate from "./Migrate.ts"
import { migrations } from "./Migrations.ts"
import * as Users from "./Users.ts"
import { rowOf, toStored } from "./Values.ts"

const Key = Schema.fromJsonString(Schema.Array(Schema.Union([Schema.String, Schema.Number])))
const decodeKey = Schema.decodeUnknownSync(Key)

const progress = `CREATE TABLE ${schema}.copied (entity text COLLATE "C" PRIMARY KEY, rows bigint NOT NULL, after text)`

const indexes = (entity: Entity.Entity): ReadonlyArray<string> =>
  ddl(entity).filter((sql) => /^CREATE (UNIQUE )?INDEX /.test(sql))

const names = (entity: Entity.Entity): ReadonlyArray<string> =>
  [...Object.keys(entity.unique), ...Object.keys(entity.index)].map((name) => quote(`${entity.name}.${name}`))

const insertOf = (entity: Entity.Entity, argument: string): string => {
  const columns = Object.keys(entity.columns)
  return `INSERT INTO ${tableOf(entity)} (${list(columns)}) SELECT ${elements(entity, columns, 0).join(", ")} FROM jsonb_array_elements(${argument}::jsonb) r`
}

/** Adds rows and the progress of the copy in one statement, and so in one transaction. */
const addOf = (entity: Entity.Entity): string =>
  [
    `WITH recorded AS (INSERT INTO ${schema}.copied (entity, rows, after) VALUES ($2, $3, $4)`,
    "ON CONFLICT (entity) DO UPDATE SET rows = excluded.rows, after = excluded.after)",
    insertOf(entity, "$1")
  ].join(" ")

const encoded = (rows: ReadonlyArray<Row>): string => JSON.stringify(rows.map((row) => row.map(toStored)))

const textsOf = (entity: Entity.Entity) => {
  const key = list(entity.key)
  const limit = entity.key.length + 1
  const select = `SELECT ${selected(entity)} FROM ${tableOf(entity)}`
  return {
    first: `${select} ORDER BY ${key} LIMIT $1`,
    next: `${select} WHERE (${key}) > (${entity.key.map((_, at) => `$${at + 1}`).join(", ")}) ORDER BY ${key} LIMIT $${limit}`
  }
}

/** Whether a store has a schema and no rows: no gateway has committed there. */
const isEmpty = Effect.fnUntraced(function* ({ query }: Connected) {
  const used = [`${schema}.writers`, ...Entities.all.map(tableOf)]
    .map((table) => `EXISTS (SELECT FROM ${table})`)
    .join(" OR ")
  const [row] = yield* query(`SELECT (${used})::int`)
  return row?.[0] === 0
})

export interface Target {
  /** The name of the database for people, without a password. */
  readonly label: string
  readonly mark: MoveMark.MoveMark | undefined
  readonly count: (entity: Entity.Entity) => Effect.Effect<number, MoveError>
  /** Reads the rows after a key. */
  readonly page: (
    entity: Entity.Entity,
    after: Row | undefined,
    limit: number
  ) => Effect.Effect<ReadonlyArray<Row>, MoveError>
  /** Creates the schema, marks it, and drops the indexes that are created again at the end. Changes nothing if the mark exists. */
  readonly begin: (mark: MoveMark.MoveMark) => Effect.Effect<void, MoveError>
  readonly copied: (entity: Entity.Entity) => Effect.Effect<Copied, MoveError>
  /** Adds rows and stores the new progress in the same transaction. */
  readonly add: (entity: Entity.Entity, rows: ReadonlyArray<Row>, copied: Copied) => Effect.Effect<void, MoveError>
  /** Creates the missing indexes of the entity. */
  readonly index: (entity: Entity.Entity) => Effect.Effect<void, MoveError>
  /** Removes the mark, so that a gateway may start on the database. */
  readonly finish: (source: MoveMark.LastCommit, audit: AuditEntry) => Effect.Effect<void, MoveError>
}

export const open = Effect.fnUntraced(function* (connected: Connected): Effect.fn.Return<Target, MoveError> {
  const { label, query, session } = connected
  const explained = Administration.explain(label)
  // One move at a time has this lock. The session of a killed move keeps it until its last statement has ended.
  yield* query("SELECT pg_advisory_lock(7241947211303)")
  const isThere = yield* Effect.mapError(Migrate.isThere(session), explained)
  const mark = isThere ? Marks.markOf(yield* query(Marks.selectMark.text, Marks.selectMark.values)) : undefined
  if (isThere && mark === undefined) {
    yield* Users.quiet(connected)
    if (!(yield* isEmpty(connected)))
      return yield* failWith("present", `There is a store in ${label}: name a database that has none.`)
  }
  return {
    label,
    mark,
    count: (entity) => Effect.map(query(`SELECT count(*) FROM ${tableOf(entity)}`), ([row]) => Number(row?.[0])),
    page: (entity, after, limit) => {
      const { first, next } = textsOf(entity)
      return Effect.map(
        after === undefined ? query(first, [limit]) : query(next, [...after.map(toStored), limit]),
        (rows) => {
          const columns = Object.keys(entity.columns)
          return rows.map((row) => valuesOf(StoreRow.ofStored(entity, rowOf(columns, row)), columns))
        }
      )
    },
    begin: (next) =>
      Effect.gen(function* () {
        if (mark !== undefined) return
        yield* Effect.mapError(Migrate.migrate(session, migrations), ({ message }) => failWith("schema", message))
        yield* Administration.transaction(connected, [
          { text: progress },
          ...Entities.all.flatMap(names).map((name): Statement => ({ text: `DROP INDEX ${schema}.${name}` })),
          ...Marks.setMark(next)
        ])
      }),
    copied: (entity) =>
      Effect.map(query(`SELECT rows, after FROM ${schema}.copied WHERE entity = $1`, [entity.name]), ([row]) => ({
        rows: Number(row?.[0] ?? 0),
        after: row === undefined || row[1] === null ? undefined : decodeKey(row[1])
      })),
    add: (entity, rows, { after, rows: count }) =>
      Effect.asVoid(
        query(addOf(entity), [encoded(rows), entity.name, count, after === undefined ? null : JSON.stringify(after)])
      ),
    index: (entity) =>
      Effect.andThen(
        Effect.forEach(indexes(entity), (sql) => query(sql.replace(" INDEX ", " INDEX IF NOT EXISTS ")), {
          discard: true
        }),
        Effect.asVoid(query(`ANALYZE ${tableOf(entity)}`))
      ),
    finish: (source, audit) =>
      Administration.transaction(connected, [
        {
          text: insertOf(AuditEntry, "$1"),
          values: [encoded([valuesOf(audit, Object.keys(AuditEntry.columns))])]
        },
        ...Marks.setSource(source),
        { text: `DROP TABLE ${schema}.copied` },
        ...Marks.setMark(undefined)
      ])
  }
})
