/** Reads rows of a PostgreSQL store for a move. */
import type * as Entity from "@pay/gateway/Entity"
import { Effect } from "effect"
import { list } from "../Ddl.ts"
import type { Row } from "../MoveSide.ts"
import type { Connected } from "./Administration.ts"
import { tableOf } from "./Ddl.ts"
import * as Marks from "./Marks.ts"
import { fromStored, toStored } from "./Values.ts"

const textsOf = (entity: Entity.Entity) => {
  const key = list(entity.key)
  const limit = entity.key.length + 1
  const select = `SELECT ${list(Object.keys(entity.columns))} FROM ${tableOf(entity)}`
  return {
    first: `${select} ORDER BY ${key} LIMIT $1`,
    next: `${select} WHERE (${key}) > (${entity.key.map((_, at) => `$${at + 1}`).join(", ")}) ORDER BY ${key} LIMIT $${limit}`
  }
}

export const make = ({ label, query }: Connected) => ({
  label,
  mark: Effect.map(query(Marks.selectMark.text, Marks.selectMark.values), Marks.markOf),
  count: (entity: Entity.Entity) =>
    Effect.map(query(`SELECT count(*) FROM ${tableOf(entity)}`), ([row]) => Number(row?.[0])),
  page: (entity: Entity.Entity, after: Row | undefined, limit: number) => {
    const { first, next } = textsOf(entity)
    return Effect.map(
      after === undefined ? query(first, [limit]) : query(next, [...after.map(toStored), limit]),
      (rows): ReadonlyArray<Row> => rows.map((row) => row.map(fromStored))
    )
  }
})
