/** Reads rows of a SQLite file for a move. */
import type * as Entity from "@pay/gateway/Entity"
import { StoreRow } from "@pay/gateway/Store"
import type * as Database from "@pay/sqlite/Database"
import { Effect } from "effect"
import { list, quote } from "../Ddl.ts"
import { failed, type MoveError } from "../MoveError.ts"
import type { Row } from "../MoveSide.ts"
import { valuesOf } from "../Put.ts"
import * as SqliteMarks from "./SqliteMarks.ts"

const textsOf = (entity: Entity.Entity) => {
  const table = quote(entity.name)
  const columns = list(Object.keys(entity.columns))
  const key = list(entity.key)
  const places = entity.key.map(() => "?").join(", ")
  return {
    count: `SELECT count(*) AS n FROM ${table}`,
    first: `SELECT ${columns} FROM ${table} ORDER BY ${key} LIMIT ?`,
    next: `SELECT ${columns} FROM ${table} WHERE (${key}) > (${places}) ORDER BY ${key} LIMIT ?`
  }
}

export const make = (database: Database.Database, label: string) => {
  const asking = <A>(ask: Parameters<typeof database.read<A>>[0]): Effect.Effect<A, MoveError> =>
    Effect.mapError(database.read(ask), failed(`${label} cannot be read`))
  return {
    label,
    mark: asking((statements) => SqliteMarks.mark(statements)),
    count: (entity: Entity.Entity) =>
      asking((statements) => Number(statements.prepare(textsOf(entity).count).get()?.n)),
    page: (entity: Entity.Entity, after: Row | undefined, limit: number) =>
      asking((statements): ReadonlyArray<Row> => {
        const { first, next } = textsOf(entity)
        const columns = Object.keys(entity.columns)
        return statements
          .prepare(after === undefined ? first : next)
          .all(...(after ?? []), limit)
          .map((row) => valuesOf(StoreRow.typed(entity, row), columns))
      })
  }
}
