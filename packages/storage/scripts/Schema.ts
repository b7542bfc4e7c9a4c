/** What a database is made of, and which statements lead from one to another. */
import { DatabaseSync } from "node:sqlite"
import type * as Entity from "@pay/gateway/Entity"
import { statements } from "../src/Ddl.ts"

/** A change that would lose or invent data: only a person can say how. */
export class NeedsAPerson extends Error {}

/** A database in memory after these statements. */
export const after = (scripts: ReadonlyArray<string>): DatabaseSync => {
  const database = new DatabaseSync(":memory:")
  for (const sql of scripts) database.exec(sql)
  return database
}

export const ofEntities = (entities: ReadonlyArray<Entity.Entity>): DatabaseSync => after(entities.flatMap(statements))

/** The statements that turn the schema of `from` into that of `to`; none where the two are the same. */
export const difference = (from: DatabaseSync, to: DatabaseSync): ReadonlyArray<string> => {
  const old = partsOf(from)
  const wanted = partsOf(to)
  const given = [...old.values()].filter(({ name, sql }) => wanted.get(name)?.sql !== sql)
  const changed = [...wanted.values()].filter(({ name, sql }) => old.get(name)?.sql !== sql)
  return [
    ...given.filter(({ kind }) => kind !== "table").map(({ kind, name }) => `DROP ${kind.toUpperCase()} "${name}"`),
    ...given.filter(({ kind }) => kind === "table").flatMap((table) => alter(table, wanted.get(table.name))),
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

/** Columns are compared as a set: SQLite writes a later one behind the others. */
const alter = (table: Part, wanted: Part | undefined): ReadonlyArray<string> => {
  if (wanted === undefined) throw new NeedsAPerson(`Table ${table.name} is no entity's any more.`)
  const before = linesOf(table)
  const afterwards = linesOf(wanted)
  const lost = before.filter((line) => !afterwards.includes(line))
  const added = afterwards.filter((line) => !before.includes(line))
  if (lost.length > 0) throw new NeedsAPerson(`Table ${table.name} no longer has: ${lost.join("; ")}`)
  const required = added.filter((line) => line.includes("NOT NULL"))
  if (required.length > 0)
    throw new NeedsAPerson(`Rows of ${table.name} would need a value for: ${required.join("; ")}`)
  return added.map((line) => `ALTER TABLE "${table.name}" ADD COLUMN ${line}`)
}

/** The columns and rules of CREATE TABLE; how its rows lie was chosen when it was made, and stays. */
const linesOf = ({ sql }: Part): ReadonlyArray<string> => {
  const end = sql.lastIndexOf(")")
  const commasOutsideParentheses = /,(?![^(]*\))/
  return sql
    .slice(sql.indexOf("(") + 1, end)
    .split(commasOutsideParentheses)
    .map((line) => line.trim().replaceAll(/\s+/g, " "))
}
