/** Reads the schema of a PostgreSQL database from its migrations, and finds the statements that lead to another schema. */
import type * as Entity from "@pay/gateway/Entity"
import * as Ddl from "../src/postgres/Ddl.ts"
import { NeedsAPerson } from "./Schema.ts"

export interface State {
  /** The columns and constraints of each table. */
  readonly tables: Map<string, Set<string>>
  /** The statements that create indexes, triggers and functions, by the text that drops them. */
  readonly others: Map<string, string>
}

const commasOutsideParentheses = /,(?![^(]*\))/

const linesOf = (sql: string): Set<string> =>
  new Set(
    sql
      .slice(sql.indexOf("(") + 1, sql.lastIndexOf("\n)"))
      .split(commasOutsideParentheses)
      .map((line) => line.trim().replaceAll(/\s+/g, " "))
  )

const forms: ReadonlyArray<
  readonly [form: RegExp, apply: (state: State, parts: ReadonlyArray<string>, sql: string) => void]
> = [
  [/^CREATE TABLE (\S+) \(/, ({ tables }, [table = ""], sql) => tables.set(table, linesOf(sql))],
  [/^ALTER TABLE (\S+) ADD COLUMN (.+)$/s, ({ tables }, [table = "", line = ""]) => tables.get(table)?.add(line)],
  [/^CREATE (?:UNIQUE )?INDEX ("[^"]+") /, ({ others }, [name], sql) => others.set(`INDEX ${Ddl.schema}.${name}`, sql)],
  [
    /^CREATE TRIGGER ("[^"]+") .* ON (\S+) FOR/s,
    ({ others }, [name, table], sql) => others.set(`TRIGGER ${name} ON ${table}`, sql)
  ],
  [/^CREATE FUNCTION (\S+\(\))/, ({ others }, [name], sql) => others.set(`FUNCTION ${name}`, sql)],
  [/^DROP (.+)$/s, ({ others }, [what = ""]) => others.delete(what)]
]

/** Returns the schema after the statements. A statement of an unknown form, which was written by hand, is ignored. */
export const after = (statements: ReadonlyArray<string>): State => {
  const state: State = { tables: new Map(), others: new Map() }
  for (const sql of statements)
    for (const [form, apply] of forms) {
      const match = form.exec(sql)
      if (match !== null) apply(state, match.slice(1), sql)
    }
  return state
}

export const statementsOf = (script: string): ReadonlyArray<string> =>
  script
    .split(/;\n/)
    .map((sql) => sql.trim())
    .filter((sql) => sql !== "")

export const ofEntities = (entities: ReadonlyArray<Entity.Entity>): State =>
  after([Ddl.refusal, ...entities.flatMap(Ddl.statements)])

/** Returns the statements that turn one schema into the other. */
export const difference = (from: State, entities: ReadonlyArray<Entity.Entity>): ReadonlyArray<string> => {
  const made = [Ddl.refusal, ...entities.flatMap(Ddl.statements)]
  const to = after(made)
  const isNew = (table: string): boolean => !from.tables.has(table)
  const gone = [...from.tables.keys()].filter((table) => !to.tables.has(table))
  if (gone.length > 0) throw new NeedsAPerson(`No entity has ${gone.join(", ")} any more.`)
  const dropped = [...from.others].filter(([what, sql]) => to.others.get(what) !== sql).map(([what]) => `DROP ${what}`)
  const added = [...to.tables].flatMap(([table, lines]) =>
    isNew(table) ? [] : columns(table, from.tables.get(table), lines)
  )
  const missing = made.filter((sql) => {
    const alone = after([sql])
    const [table] = alone.tables.keys()
    const [what] = alone.others.keys()
    return table === undefined ? from.others.get(what ?? "") !== sql : isNew(table)
  })
  return [...dropped, ...added, ...missing]
}

const columns = (
  table: string,
  before: ReadonlySet<string> | undefined,
  lines: ReadonlySet<string>
): ReadonlyArray<string> => {
  const lost = [...(before ?? [])].filter((line) => !lines.has(line))
  const added = [...lines].filter((line) => before?.has(line) !== true)
  if (lost.length > 0) throw new NeedsAPerson(`Table ${table} no longer has: ${lost.join("; ")}`)
  const required = added.filter((line) => line.includes("NOT NULL"))
  if (required.length > 0) throw new NeedsAPerson(`Rows of ${table} would need a value for: ${required.join("; ")}`)
  return added.map((line) => `ALTER TABLE ${table} ADD COLUMN ${line}`)
}
