/** Reads the schema of a SQLite database, and finds the statements that lead to another schema. */
import { DatabaseSync } from "node:sqlite"
import type * as Entity from "@pay/gateway/Entity"
import { statements } from "../src/Ddl.ts"

/** A change that would lose or invent data, so that its migration must be written by hand. */
export class NeedsAPerson extends Error {}

/** Returns a database in memory after the statements. */
export const after = (scripts: ReadonlyArray<string>): DatabaseSync => {
  const database = new DatabaseSync(":memory:")
  for (const sql of scripts) database.exec(sql)
  return database
}

export const ofEntities = (entities: ReadonlyArray<Entity.Entity>): DatabaseSync => after(entities.flatMap(statements))

/** Returns the statements that turn the schema of `from` into that of `to`. */
export const difference = (from: DatabaseSync, to: DatabaseSync): ReadonlyArray<string> => {
  const old = partsOf(from)
  const target = partsOf(to)
  const replaced = [...old.values()].filter(({ name, sql }) => target.get(name)?.sql !== sql)
  const changed = [...target.values()].filter(({ name, sql }) => old.get(name)?.sql !== sql)
  return [
    ...replaced.filter(({ kind }) => kind !== "table").map(({ kind, name }) => `DROP ${kind.toUpperCase()} "${name}"`),
    ...replaced.filter(({ kind }) => kind === "table").flatMap((table) => alter(table, target.get(table.name))),
    ...changed.filter(({ kind, name }) => kind !== "table" || !old.has(name)).map(({ sql }) => sql)
  ]
}

interface Part {
  readonly kind: string
  readonly name: string
  readonly sql: string
}

const partsOf = (database: DatabaseSync): ReadonlyMap<string, Part> =>
  new Map(
    database
      .prepare("SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid")
      .all()
      .map(({ name, sql, type }) => [`${name}`, { kind: `${type}`, name: `${name}`, sql: `${sql}` }])
  )

/** Compares columns as a set, because SQLite adds a later column after the others. */
const alter = (table: Part, target: Part | undefined): ReadonlyArray<string> => {
  if (target === undefined) throw new NeedsAPerson(`Table ${table.name} is no entity's any more.`)
  const before = linesOf(table)
  const afterwards = linesOf(target)
  const lost = before.filter((line) => !afterwards.includes(line))
  const added = afterwards.filter((line) => !before.includes(line))
  if (lost.length > 0) throw new NeedsAPerson(`Table ${table.name} no longer has: ${lost.join("; ")}`)
  const required = added.filter((line) => line.includes("NOT NULL"))
  if (required.length > 0)
    throw new NeedsAPerson(`Rows of ${table.name} would need a value for: ${required.join("; ")}`)
  return added.map((line) => `ALTER TABLE "${table.name}" ADD COLUMN ${line}`)
}

/** Returns the columns and constraints of CREATE TABLE, without its storage options, which never change. */
const linesOf = ({ sql }: Part): ReadonlyArray<string> => {
  const end = sql.lastIndexOf(")")
  const commasOutsideParentheses = /,(?![^(]*\))/
  return sql
    .slice(sql.indexOf("(") + 1, end)
    .split(commasOutsideParentheses)
    .map((line) => line.trim().replaceAll(/\s+/g, " "))
}
