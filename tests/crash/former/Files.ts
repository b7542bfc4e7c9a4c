/** The files of a version's data folder as text that can be kept and read: the database as SQL, short-lived keys as Base64. */
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

/** Keeps what a process that is killed now would leave behind. The folder stays as it is. */
export const keep = (folder: string, kept: string): void => {
  rmSync(kept, { recursive: true, force: true })
  mkdirSync(kept, { recursive: true })
  const copy = `${folder}.copy`
  cpSync(folder, copy, { recursive: true })
  writeFileSync(join(kept, "gateway.sql"), dumped(pathsIn(copy).path))
  writeFileSync(join(kept, "flows.sql"), dumped(Flows.pathIn(copy)))
  for (const name of plain.filter((each) => existsSync(join(copy, each)))) cpSync(join(copy, name), join(kept, name))
  for (const name of readdirSync(join(copy, "brief-keys"))) {
    const key = readFileSync(join(copy, "brief-keys", name))
    writeFileSync(join(kept, `${name}.brief-key`), `${key.toString("base64")}\n`)
  }
  rmSync(copy, { recursive: true })
}

/** A database whose process was killed: its log is there, and all of it is in the file. */
const filled = (path: string, sql: string): void => {
  const database = new DatabaseSync(path)
  database.exec("PRAGMA journal_mode = WAL; PRAGMA foreign_keys = OFF")
  database.exec(`BEGIN; ${readFileSync(sql, "utf8")} COMMIT`)
  database.close()
  writeFileSync(`${path}-wal`, "")
}

/** Makes a data folder of it. */
export const lay = (kept: string, folder: string): void => {
  filled(pathsIn(folder).path, join(kept, "gateway.sql"))
  filled(Flows.pathIn(folder), join(kept, "flows.sql"))
  mkdirSync(join(folder, "brief-keys"), { mode: 0o700 })
  for (const name of readdirSync(kept)) {
    if (plain.includes(name)) writeFileSync(join(folder, name), readFileSync(join(kept, name)), { mode: 0o600 })
    if (name.endsWith(".brief-key")) {
      const key = Buffer.from(readFileSync(join(kept, name), "utf8"), "base64")
      writeFileSync(join(folder, "brief-keys", basename(name, ".brief-key")), key, { mode: 0o600 })
    }
  }
}
