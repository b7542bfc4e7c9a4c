/** The files of a data folder as text, for this repository: the database as SQL, short-lived keys as Base64. */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import * as Flows from "./Flows.ts"
import { pathsIn } from "./OnFiles.ts"

const plain = ["store.witness", "bank.journal", "rail.journal", "threeds.journal", "clock.json"]

const dumped = (path: string): string => {
  const database = new DatabaseSync(path)
  try {
    const parts = database
      .prepare("SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid")
      .all()
      .map(({ name, sql, type }) =>
        [
          // SQLite makes its own tables.
          ...(String(name).startsWith("sqlite_") ? [] : [`${sql};`]),
          ...(type === "table" ? rowsOf(database, String(name)) : [])
        ].join("\n")
      )
    return `${parts.join("\n\n")}\n`
  } finally {
    database.close()
  }
}

const rowsOf = (database: DatabaseSync, table: string): ReadonlyArray<string> => {
  const columns = database.prepare("SELECT name FROM pragma_table_info(?)").all(table)
  const values = columns.map(({ name }) => `quote("${name}")`).join(" || ', ' || ")
  const rows = database.prepare(`SELECT ${values} AS "row" FROM "${table}"`).all()
  return rows.map(({ row }) => `INSERT INTO "${table}" VALUES (${row});`)
}

/** Saves the files that a process would leave if it were killed now. The folder does not change. */
export const save = (folder: string, saved: string): void => {
  rmSync(saved, { recursive: true, force: true })
  mkdirSync(saved, { recursive: true })
  const copy = `${folder}.copy`
  cpSync(folder, copy, { recursive: true })
  writeFileSync(join(saved, "gateway.sql"), dumped(pathsIn(copy).path))
  writeFileSync(join(saved, "flows.sql"), dumped(Flows.pathIn(copy)))
  for (const name of plain.filter((each) => existsSync(join(copy, each)))) cpSync(join(copy, name), join(saved, name))
  for (const name of readdirSync(join(copy, "brief-keys"))) {
    const key = readFileSync(join(copy, "brief-keys", name))
    writeFileSync(join(saved, `${name}.brief-key`), `${key.toString("base64")}\n`)
  }
  rmSync(copy, { recursive: true })
}

/** Writes a database as after a kill: its log exists, and all of its content is in the file. */
const filled = (path: string, sql: string): void => {
  const database = new DatabaseSync(path)
  database.exec("PRAGMA journal_mode = WAL; PRAGMA foreign_keys = OFF")
  database.exec(`BEGIN; ${readFileSync(sql, "utf8")} COMMIT`)
  database.close()
  writeFileSync(`${path}-wal`, "")
}

/** Writes the saved files into a data folder. */
export const restore = (saved: string, folder: string): void => {
  filled(pathsIn(folder).path, join(saved, "gateway.sql"))
  filled(Flows.pathIn(folder), join(saved, "flows.sql"))
  mkdirSync(join(folder, "brief-keys"), { mode: 0o700 })
  for (const name of readdirSync(saved)) {
    if (plain.includes(name)) writeFileSync(join(folder, name), readFileSync(join(saved, name)), { mode: 0o600 })
    if (name.endsWith(".brief-key")) {
      const key = Buffer.from(readFileSync(join(saved, name), "utf8"), "base64")
      writeFileSync(join(folder, "brief-keys", basename(name, ".brief-key")), key, { mode: 0o600 })
    }
  }
}
