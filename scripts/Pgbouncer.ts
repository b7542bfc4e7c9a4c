/**
 * Finds the connection pool of `tests/pgbouncer`: the pgbouncer of the machine. Without one, Debian's package is installed if
 * this process may do so. The tests start their own pgbouncer and leave running ones alone.
 */
import { spawnSync } from "node:child_process"
import * as Debian from "./Debian.ts"
import * as Postgres from "./Postgres.ts"

/** Returns the program's path, or `undefined` if pgbouncer or its PostgreSQL server is missing. */
export const find = (): string | undefined =>
  Postgres.find() === undefined ? undefined : Debian.find("pgbouncer", "/usr/sbin/pgbouncer")

/**
 * Returns the result of {@link find}. If nothing is installed, installs Debian's package without its service, as root on a
 * machine with apt.
 */
export const findOrInstall = (): string | undefined => {
  const path = find()
  if (path !== undefined || !Debian.mayInstall() || Postgres.findOrInstall() === undefined) return path
  Debian.withoutServices(() =>
    Debian.install(
      "pgbouncer",
      "No pgbouncer is installed. Installing the Debian package for the tests of a connection pool."
    )
  )
  // Prevents the service from starting with the machine.
  if (find() !== undefined) spawnSync("update-rc.d", ["pgbouncer", "disable"], { stdio: "ignore" })
  return find()
}

export const howToGet =
  "install a PostgreSQL server and pgbouncer, on Debian with: apt-get install postgresql pgbouncer"
