/** The checked-in migrations as files, and as the modules of the packed package. */
import { readdirSync, readFileSync } from "node:fs"

/** One step of an engine's migrations. */
export interface Step {
  readonly id: number
  readonly name: string
  readonly sql: string
}

/** The migration files and the module of one engine. */
export interface Engine {
  readonly folder: URL
  readonly module: URL
  /** The module that declares a migration, as an import path of the engine's module. */
  readonly type: string
  /** Further properties of a step. */
  readonly further: (step: Step) => ReadonlyArray<string>
}

export const sqlite: Engine = {
  folder: new URL("../migrations/", import.meta.url),
  module: new URL("../src/Migrations.ts", import.meta.url),
  type: "@pay/sqlite/Migration",
  further: () => []
}

/** All steps so far only add, so that a program of the first release can still use the database. */
export const postgres: Engine = {
  folder: new URL("../migrations/postgres/", import.meta.url),
  module: new URL("../src/postgres/Migrations.ts", import.meta.url),
  type: "./Migrate.ts",
  further: () => ["oldest: 1"]
}

/** `0001_first.sql` is step 1, named `first`. */
export const read = ({ folder }: Engine): ReadonlyArray<Step> =>
  readdirSync(folder)
    .filter((file) => file.endsWith(".sql"))
    .sort()
    .map((file) => ({
      id: Number.parseInt(file, 10),
      name: file.slice(file.indexOf("_") + 1, -".sql".length),
      sql: readFileSync(new URL(file, folder), "utf8")
    }))

export const fileOf = ({ folder }: Engine, id: number, name: string): URL =>
  new URL(`${`${id}`.padStart(4, "0")}_${name}.sql`, folder)

/**
 * Returns the engine's module as the formatter leaves it. The SQL of a migration is one line there, however long. To read it, open
 * the SQL file of the same name.
 */
export const moduleOf = (engine: Engine): string =>
  [
    `/** Written by scripts/migrate.ts from ${engine.folder.pathname.slice(engine.folder.pathname.indexOf("migrations/"))}*.sql, so that the packed package carries them. */`,
    `import type { Migration } from "${engine.type}"`,
    "",
    "export const migrations: ReadonlyArray<Migration> = [",
    read(engine)
      .map((step) => literal(step, engine.further(step)))
      .join(",\n"),
    "]",
    ""
  ].join("\n")

const literal = ({ id, name, sql }: Step, further: ReadonlyArray<string>): string => {
  const lines = [`id: ${id}`, `name: ${JSON.stringify(name)}`, ...further, `sql: ${quoted(sql)}`]
  return ["  {", lines.map((line) => `    ${line}`).join(",\n"), "  }"].join("\n")
}

/** Quotes SQL, which contains many double quotes. */
const quoted = (sql: string): string =>
  `'${sql.replaceAll("\\", "\\\\").replaceAll("'", "\\'").replaceAll("\n", "\\n")}'`
