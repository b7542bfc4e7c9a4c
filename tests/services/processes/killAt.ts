/** Loaded before a shop. Kills its process at a statement on one of its databases that `KILL_AT` names, as JSON of {@link Moment}. */
import { basename } from "node:path"
import { DatabaseSync } from "node:sqlite"

export interface Moment {
  readonly file: string
  readonly sql: string
  readonly when: "before" | "after"
  /** How often the statement runs before it is the moment. */
  readonly skips: number
}

const moment: Moment | undefined = process.env.KILL_AT === undefined ? undefined : JSON.parse(process.env.KILL_AT)
let skipped = 0

const isIt = (database: DatabaseSync, sql: string): boolean =>
  moment !== undefined &&
  sql.startsWith(moment.sql) &&
  basename(database.location() ?? "") === moment.file &&
  ++skipped > moment.skips

/** Runs a statement; at the moment, the process does not go on. */
const through = <A>(database: DatabaseSync, sql: string, run: () => A): A => {
  const dies = isIt(database, sql)
  if (dies && moment?.when === "before") process.kill(process.pid, "SIGKILL")
  const result = run()
  if (dies) process.kill(process.pid, "SIGKILL")
  return result
}

const { exec, prepare } = DatabaseSync.prototype

DatabaseSync.prototype.exec = function (sql) {
  return through(this, sql, () => exec.call(this, sql))
}

DatabaseSync.prototype.prepare = function (sql, ...rest) {
  const statement = prepare.call(this, sql, ...rest)
  if (moment !== undefined && sql.startsWith(moment.sql)) {
    const { run } = statement
    statement.run = (...values) => through(this, sql, () => Reflect.apply(run, statement, values))
  }
  return statement
}
