/**
 * The pool of connections in front of PostgreSQL in `tests/pgbouncer`: whatever pgbouncer the machine has; Debian's, where there is
 * none and this may install it. The tests start one of their own; none that runs is touched.
 */
import { spawnSync } from "node:child_process"
import { existsSync, rmSync, writeFileSync } from "node:fs"
import { delimiter, join } from "node:path"
import * as Debian from "./Debian.ts"
import * as Postgres from "./Postgres.ts"

/** The program's path, looked for along `path`; undefined where it or its server is not there. */
export const find = (path = process.env.PATH ?? ""): string | undefined =>
  Postgres.find(path) === undefined
    ? undefined
    : [...path.split(delimiter), "/usr/sbin"].map((folder) => join(folder, "pgbouncer")).find(Debian.isProgram)

/** Debian's packages start no service while this program says so. */
const policy = "/usr/sbin/policy-rc.d"

/** What {@link find} finds, or Debian's, installed now without its service if this is root on a machine with apt. */
export const findOrInstall = (): string | undefined => {
  const path = find()
  if (path !== undefined || !Debian.mayInstall() || Postgres.findOrInstall() === undefined) return path
  const isOurs = !existsSync(policy)
  if (isOurs) writeFileSync(policy, "#!/bin/sh\nexit 101\n", { mode: 0o755 })
  Debian.install("pgbouncer", "No pgbouncer here: installing Debian's for the tests of a pool between, once.")
  if (isOurs) rmSync(policy)
  // Nor does the service start with the machine.
  if (find() !== undefined) spawnSync("update-rc.d", ["pgbouncer", "disable"], { stdio: "ignore" })
  return find()
}

export const howToGet =
  "install a PostgreSQL server and pgbouncer, on Debian with: apt-get install postgresql pgbouncer"
