/**
 * The tables of the entities in SQLite. Tables are STRICT and refuse integers that a JavaScript number cannot represent, except sums. Narrow rows are
 * stored in the tree of their key. Every index ends with the key, so that rows with equal values need no sorting.
 */
import type * as Entity from "@pay/gateway/Entity"

export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`

export const list = (names: ReadonlyArray<string>): string => names.map(quote).join(", ")

/** Returns all columns of an entity for SELECT. Sums are read as text, because drivers read integers as numbers below 2^53. */
export const selected = ({ columns }: Entity.Entity): string =>
  Object.entries(columns)
    .map(([name, { kind }]) => (kind === "sum" ? `CAST(${quote(name)} AS TEXT) AS ${quote(name)}` : quote(name)))
    .join(", ")

/** Returns a condition on the columns, with one parameter each. */
export const equal = (columns: ReadonlyArray<string>): string =>
  columns.map((column) => `${quote(column)} = ?`).join(" AND ")

/** Returns the names of all columns in the order of the entity. */
export const insert = ({ columns, name }: Entity.Entity): string => {
  const names = Object.keys(columns)
  return `INSERT INTO ${quote(name)} (${list(names)}) VALUES (${names.map(() => "?").join(", ")})`
}

/** Returns the columns by which an index is ordered. */
export const orderOf = (entity: Entity.Entity, columns: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...new Set([...columns, ...entity.key])
]

/** Returns the statements that create the table, indexes and triggers of an entity, in order. */
export const statements = (entity: Entity.Entity): ReadonlyArray<string> => [
  tableOf(entity),
  ...Object.entries(entity.unique).map(
    ([name, columns]) =>
      `CREATE UNIQUE INDEX ${quote(`${entity.name}.${name}`)} ON ${quote(entity.name)} (${list(columns)})`
  ),
  ...Object.entries(entity.index).map(
    ([name, columns]) =>
      `CREATE INDEX ${quote(`${entity.name}.${name}`)} ON ${quote(entity.name)} (${list(orderOf(entity, columns))})`
  ),
  ...(entity.appendOnly ? [refusal(entity, "UPDATE"), refusal(entity, "DELETE")] : [])
]

/**
 * Largest number of columns of a table without rowid. Wider rows often exceed a quarter of a page, and each of those needs an
 * overflow page in the tree of the key (https://sqlite.org/withoutrowid.html).
 */
const narrow = 10

const tableOf = (entity: Entity.Entity): string =>
  [
    `CREATE TABLE ${quote(entity.name)} (`,
    ...Object.entries(entity.columns).map(([name, column]) => `  ${definition(name, column)},`),
    `  PRIMARY KEY (${list(entity.key)})`,
    Object.keys(entity.columns).length > narrow ? ") STRICT" : ") STRICT, WITHOUT ROWID"
  ].join("\n")

/** Returns the line of a column in CREATE TABLE. */
const definition = (name: string, { kind, nullable }: Entity.Column<Entity.Value>): string =>
  [
    quote(name),
    kind === "sum" ? "INTEGER" : kind.toUpperCase(),
    ...(nullable ? [] : ["NOT NULL"]),
    ...(kind === "integer"
      ? [`CHECK (${quote(name)} BETWEEN ${Number.MIN_SAFE_INTEGER} AND ${Number.MAX_SAFE_INTEGER})`]
      : [])
  ].join(" ")

const refusal = (entity: Entity.Entity, verb: "UPDATE" | "DELETE"): string =>
  [
    `CREATE TRIGGER ${quote(`${entity.name}.no ${verb.toLowerCase()}`)} BEFORE ${verb} ON ${quote(entity.name)}`,
    `BEGIN SELECT RAISE(ABORT, '${entity.name} is only ever added to'); END`
  ].join(" ")
