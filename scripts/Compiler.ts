/**
 * Finds the C compiler of `tests/disk`, which builds a small library that records the writes and syncs of a process: the `cc` of
 * the machine. Without one, Debian's package is installed if this process may do so. Only Linux has the files in /proc that the
 * tests read.
 */
import * as Debian from "./Debian.ts"

/** Returns the program's path, or `undefined`. */
export const find = (): string | undefined => (process.platform === "linux" ? Debian.find("cc") : undefined)

/** Returns the result of {@link find}. If nothing is installed, installs Debian's package, as root on a machine with apt. */
export const findOrInstall = (): string | undefined => {
  const path = find()
  if (path !== undefined || !Debian.mayInstall()) return path
  Debian.install(
    "gcc",
    "No C compiler is installed. Installing the Debian package gcc for the tests of storage faults."
  )
  Debian.install("libc6-dev", "Installing the Debian package libc6-dev, which has the headers.")
  return find()
}

export const howToGet = "install a C compiler on Linux, on Debian with: apt-get install gcc libc6-dev"
