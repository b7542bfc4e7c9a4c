/** The checked-in migrations as files, and as the module that the packed package carries. */
import { readdirSync, readFileSync } from "node:fs"
import type { Migration } from "@pay/sqlite/Migration"

export const folder = new URL("../migrations/", import.meta.url)
export const module = new URL("../src/Migrations.ts", import.meta.url)

/** `0001_first.sql` is step 1, named `first`. */
export const read = (): ReadonlyArray<Migration> =>
  readdirSync(folder)
    .filter((file) => file.endsWith(".sql"))
    .sort()
    .map((file) => ({
      id: Number.parseInt(file, 10),
      name: file.slice(file.indexOf("_") + 1, -".sql".length),
      sql: readFileSync(new URL(file, folder), "utf8")
    }))

export const fileOf = (id: number, name: string): URL => new URL(`${`${id}`.padStart(4, "0")}_${name}.sql`, folder)

/**
 * Returns the module's text as the formatter leaves it. The SQL of a migration is one line there, however long. To read it, open
 * the SQL file of the same name.
 */
export const moduleOf = (steps: ReadonlyArray<Migration>): string =>
  [
    "/** Written by scripts/migrate.ts from migrations/*.sql, so that the packed package carries them. */",
    'import type { Migration } from "@pay/sqlite/Migration"',
    "",
    "export const migrations: ReadonlyArray<Migration> = [",
    steps.map(literal).join(",\n"),
    "]",
    ""
  ].join("\n")

const literal = ({ id, name, sql }: Migration): string =>
  ["  {", `    id: ${id},`, `    name: ${JSON.stringify(name)},`, `    sql: ${quoted(sql)}`, "  }"].join("\n")

/** SQL is full of double quotes. */
const quoted = (sql: string): string =>
  `'${sql.replaceAll("\\", "\\\\").replaceAll("'", "\\'").replaceAll("\n", "\\n")}'`
