/**
 * The C compiler of `tests/disk`, which watches what a process writes and syncs by a small library of its own: whatever `cc`
 * the machine has; Debian's, where there is none and this may install it. Only Linux has the files in /proc that it reads.
 */
import { delimiter, join } from "node:path"
import * as Debian from "./Debian.ts"

/** The program's path, looked for along `path`; undefined where there is none. */
export const find = (path = process.env.PATH ?? ""): string | undefined =>
  process.platform === "linux"
    ? path
        .split(delimiter)
        .map((folder) => join(folder, "cc"))
        .find(Debian.isProgram)
    : undefined

/** What {@link find} finds, or Debian's, installed now if this is root on a machine with apt. */
export const findOrInstall = (): string | undefined => {
  const path = find()
  if (path !== undefined || !Debian.mayInstall()) return path
  Debian.install("gcc", "No C compiler here: installing Debian's for the tests of storage faults, once.")
  Debian.install("libc6-dev", "Its headers, too.")
  return find()
}

export const howToGet = "install a C compiler on Linux, on Debian with: apt-get install gcc libc6-dev"
