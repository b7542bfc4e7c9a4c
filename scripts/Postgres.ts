/**
 * Finds the PostgreSQL server of the tests: the one that the machine has installed. Without one, Debian's package is installed if
 * this process may do so. The tests start their own servers and leave running ones alone.
 */
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { delimiter, dirname, join } from "node:path"
import * as Debian from "./Debian.ts"

/** The folder in which Debian installs the programs of each version. It is not in `PATH`. */
const debian = "/usr/lib/postgresql"

/** Returns the folder with `initdb`, `postgres` and the tools of a standby, searched along `PATH`, or `undefined`. */
export const find = (): string | undefined => {
  const versions = existsSync(debian) ? readdirSync(debian).sort((one, other) => Number(other) - Number(one)) : []
  return [
    ...(process.env.PATH ?? "").split(delimiter),
    ...versions.map((version) => join(debian, version, "bin"))
  ].find((folder) => ["initdb", "postgres", "pg_basebackup"].every((name) => Debian.isProgram(join(folder, name))))
}

/** Configuration file that prevents Debian's package from creating a database and a service. */
const programsOnly = "/etc/postgresql-common/createcluster.d/pay.conf"

/** Returns the result of {@link find}. If nothing is installed, installs Debian's package, as root on a machine with apt. */
export const findOrInstall = (): string | undefined => {
  const path = find()
  if (path !== undefined || !Debian.mayInstall()) return path
  mkdirSync(dirname(programsOnly), { recursive: true })
  writeFileSync(programsOnly, "create_main_cluster = false\n")
  Debian.install(
    "postgresql",
    "No PostgreSQL server is installed. Installing the Debian package for the tests on PostgreSQL."
  )
  rmSync(programsOnly, { force: true })
  return find()
}

export const howToGet = "install a PostgreSQL server, on Debian with: apt-get install postgresql"
