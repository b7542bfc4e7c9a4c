/**
 * Entities as SQLite keeps them. Tables are STRICT and refuse whole numbers that JavaScript cannot hold; narrow rows lie
 * in the tree of their key; every index ends with the key, so that ties are found in its order without sorting.
 */
import type * as Entity from "@pay/gateway/Entity"

export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`

export const list = (names: ReadonlyArray<string>): string => names.map(quote).join(", ")

/** A condition on these columns, a parameter for each. */
export const equal = (columns: ReadonlyArray<string>): string =>
  columns.map((column) => `${quote(column)} = ?`).join(" AND ")

/** All columns, in the entity's order. */
export const insert = ({ columns, name }: Entity.Entity): string => {
  const names = Object.keys(columns)
  return `INSERT INTO ${quote(name)} (${list(names)}) VALUES (${names.map(() => "?").join(", ")})`
}

/** The order in which an index finds rows. */
export const orderOf = (entity: Entity.Entity, columns: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...new Set([...columns, ...entity.key])
]

/** What makes the entity's table, indexes and triggers, in the order in which they can be made. */
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
 * Rows with more columns are apt to exceed a quarter of a page, beyond which the tree of a key spills each into a page of
 * its own (https://sqlite.org/withoutrowid.html).
 */
const narrow = 9

const tableOf = (entity: Entity.Entity): string =>
  [
    `CREATE TABLE ${quote(entity.name)} (`,
    ...Object.entries(entity.columns).map(([name, column]) => `  ${definition(name, column)},`),
    `  PRIMARY KEY (${list(entity.key)})`,
    Object.keys(entity.columns).length > narrow ? ") STRICT" : ") STRICT, WITHOUT ROWID"
  ].join("\n")

/** One column's line of its table. */
const definition = (name: string, { kind, nullable }: Entity.Column<Entity.Value>): string =>
  [
    quote(name),
    kind.toUpperCase(),
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
