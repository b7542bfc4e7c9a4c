/**
 * The tables of the entities in PostgreSQL, in a schema of their own. Text is compared by code point, null sorts first in every
 * index, and integers that a JavaScript number cannot represent are refused, except sums.
 */
import "../OldNode.ts"
import * as crypto from "node:crypto"
import type * as Entity from "@pay/gateway/Entity"
import { list, orderOf, quote } from "../Ddl.ts"

/** The schema that contains all tables and functions of the store. */
export const schema = "pay"

/** Makes the text of a function under a name that depends on the text, so that each release finds its own function. */
export const named = (
  kind: string,
  make: (name: string) => string
): { readonly name: string; readonly text: string } => {
  const name = `${kind}_${crypto.hash("sha256", make(kind)).slice(0, 12)}`
  return { name, text: make(name) }
}

/** Settings of a function: its names mean what they say, and its plans use indexes, also while tables are small. */
export const functionSettings =
  "SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET enable_bitmapscan = off SET jit = off"

export const tableOf = ({ name }: { readonly name: string }): string => `${schema}.${quote(name)}`

const types: Readonly<Record<Entity.Column<Entity.Value>["kind"], string>> = {
  text: 'text COLLATE "C"',
  integer: "bigint",
  sum: "bigint",
  blob: "bytea"
}

const columnOf = (entity: Entity.Entity, name: string): Entity.Column<Entity.Value> => {
  const column = entity.columns[name]
  if (column === undefined) throw new TypeError(`${entity.name} has no column ${name}.`)
  return column
}

/** Returns the ordering of a column in an index, and in queries that use the index. */
export const ordered = (entity: Entity.Entity, name: string, descending = false): string =>
  [
    quote(name),
    ...(descending ? ["DESC"] : []),
    ...(columnOf(entity, name).nullable ? [`NULLS ${descending ? "LAST" : "FIRST"}`] : [])
  ].join(" ")

/** Returns the statements that create the table, indexes and triggers of an entity, in order. */
export const statements = (entity: Entity.Entity): ReadonlyArray<string> => [
  table(entity),
  ...Object.entries(entity.unique).map(
    ([name, columns]) =>
      `CREATE UNIQUE INDEX ${quote(`${entity.name}.${name}`)} ON ${tableOf(entity)} (${list(columns)})`
  ),
  ...Object.entries(entity.index).map(
    ([name, columns]) =>
      `CREATE INDEX ${quote(`${entity.name}.${name}`)} ON ${tableOf(entity)} (${orderOf(entity, columns)
        .map((column) => ordered(entity, column))
        .join(", ")})`
  ),
  ...(entity.appendOnly ? refusals(entity) : [])
]

/** Fill factor of tables with changing rows: free space on each page, so that a change without an index stays on its page. */
const table = (entity: Entity.Entity): string =>
  [
    `CREATE TABLE ${tableOf(entity)} (`,
    ...Object.entries(entity.columns).map(([name, column]) => `  ${definition(name, column)},`),
    `  PRIMARY KEY (${list(entity.key)})`,
    entity.appendOnly ? ")" : ") WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05)"
  ].join("\n")

const definition = (name: string, { kind, nullable }: Entity.Column<Entity.Value>): string =>
  [
    quote(name),
    types[kind],
    ...(nullable ? [] : ["NOT NULL"]),
    ...(kind === "integer"
      ? [`CHECK (${quote(name)} BETWEEN ${Number.MIN_SAFE_INTEGER} AND ${Number.MAX_SAFE_INTEGER})`]
      : [])
  ].join(" ")

/** The SQLSTATE with which a trigger refuses to change an append-only row. */
export const onlyAddedTo = "PY001"

/** The function of the triggers, which must exist before the first table that uses it. */
export const refusal = [
  `CREATE FUNCTION ${schema}.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$`,
  `BEGIN RAISE EXCEPTION '% is only ever added to', TG_TABLE_NAME USING ERRCODE = '${onlyAddedTo}'; END $$`
].join("\n")

const refusals = (entity: Entity.Entity): ReadonlyArray<string> =>
  [
    ["no change", "UPDATE OR DELETE", "ROW"],
    ["no truncation", "TRUNCATE", "STATEMENT"]
  ].map(
    ([name, verbs, each]) =>
      `CREATE TRIGGER ${quote(`${entity.name}.${name}`)} BEFORE ${verbs} ON ${tableOf(entity)} FOR EACH ${each} EXECUTE FUNCTION ${schema}.refuse_change()`
  )

/** Returns the expressions that read columns from a JSON array, starting at a position. */
export const elements = (entity: Entity.Entity, columns: ReadonlyArray<string>, from: number): ReadonlyArray<string> =>
  columns.map((name, at) => {
    const text = `r->>${at + from}`
    const { kind } = columnOf(entity, name)
    return kind === "text" ? text : `(${text})::${types[kind]}`
  })
