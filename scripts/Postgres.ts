/**
 * The server of tests on PostgreSQL: whatever PostgreSQL server the machine has; Debian's, where there is none and this may
 * install it. The tests start one of their own; none that runs is touched.
 */
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { delimiter, dirname, join } from "node:path"
import * as Debian from "./Debian.ts"

/** Where Debian keeps the programs of each version, outside of everybody's path. */
const debian = "/usr/lib/postgresql"

/** The folder with `initdb`, `postgres` and the tools of a standby, looked for along `path`; undefined where there is none. */
export const find = (path = process.env.PATH ?? ""): string | undefined => {
  const versions = existsSync(debian) ? readdirSync(debian).sort((one, other) => Number(other) - Number(one)) : []
  return [...path.split(delimiter), ...versions.map((version) => join(debian, version, "bin"))].find((folder) =>
    ["initdb", "postgres", "pg_basebackup"].every((name) => Debian.isProgram(join(folder, name)))
  )
}

/** With this Debian's package brings its programs only: no database of the machine's own, no service. */
const programsOnly = "/etc/postgresql-common/createcluster.d/pay.conf"

/** What {@link find} finds, or Debian's, installed now if this is root on a machine with apt. */
export const findOrInstall = (): string | undefined => {
  const path = find()
  if (path !== undefined || !Debian.mayInstall()) return path
  mkdirSync(dirname(programsOnly), { recursive: true })
  writeFileSync(programsOnly, "create_main_cluster = false\n")
  Debian.install("postgresql", "No PostgreSQL server here: installing Debian's for the tests on it, once.")
  rmSync(programsOnly, { force: true })
  return find()
}

export const howToGet = "install a PostgreSQL server, on Debian with: apt-get install postgresql"
