/** The PostgreSQL database to which a move writes. No gateway starts on it until the move has finished. */

import * as Entities from "@pay/gateway/Entities"
import { AuditEntry } from "@pay/gateway/Entities"
import type * as Entity from "@pay/gateway/Entity"
import { Effect, Schema } from "effect"
import { list, quote } from "../Ddl.ts"
import { failWith, type MoveError } from "../MoveError.ts"
import type { Row, Target } from "../MoveSide.ts"
import { valuesOf } from "../Put.ts"
import type { Connected, Statement } from "./Administration.ts"
import * as Administration from "./Administration.ts"
import { statements as ddl, elements, schema, tableOf } from "./Ddl.ts"
import * as Marks from "./Marks.ts"
import * as Migrate from "./Migrate.ts"
import { migrations } from "./Migrations.ts"
import * as MoveReading from "./MoveReading.ts"
import * as MoveSource from "./MoveSource.ts"
import { toStored } from "./Values.ts"

const Key = Schema.fromJsonString(Schema.Array(Schema.Union([Schema.String, Schema.Number])))
const decodeKey = Schema.decodeUnknownSync(Key)

const progress = `CREATE TABLE ${schema}.copied (entity text PRIMARY KEY, rows bigint NOT NULL, after text)`

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

/** Whether a store has a schema and no rows: no gateway has committed there. */
const isEmpty = Effect.fnUntraced(function* ({ query }: Connected) {
  const used = [`${schema}.writers`, ...Entities.all.map(tableOf)]
    .map((table) => `EXISTS (SELECT FROM ${table})`)
    .join(" OR ")
  const [row] = yield* query(`SELECT (${used})::int`)
  return row?.[0] === 0
})

export const open = Effect.fnUntraced(function* (connected: Connected): Effect.fn.Return<Target, MoveError> {
  const { label, query, session } = connected
  const explained = Administration.explain(label)
  yield* MoveSource.alone(connected)
  const isThere = yield* Effect.mapError(Migrate.isThere(session), explained)
  const reading = MoveReading.make(connected)
  const mark = isThere ? yield* reading.mark : undefined
  if (isThere && mark === undefined) {
    yield* MoveSource.quiet(connected)
    if (!(yield* isEmpty(connected)))
      return yield* failWith("present", `There is a store in ${label}: name a database that has none.`)
  }
  return {
    ...reading,
    isWhole: false,
    place: Effect.void,
    mark: Effect.succeed(mark),
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
    finish: (ancestors, audit) =>
      Administration.transaction(connected, [
        {
          text: insertOf(AuditEntry, "$1"),
          values: [encoded([valuesOf(audit, Object.keys(AuditEntry.columns))])]
        },
        ...Marks.setAncestors(ancestors),
        { text: `DROP TABLE ${schema}.copied` },
        ...Marks.setMark(undefined)
      ])
  }
})
