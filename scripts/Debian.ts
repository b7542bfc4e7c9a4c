/** Installs programs that some tests need, by Debian's package manager. */
import { spawnSync } from "node:child_process"
import { accessSync, constants, existsSync, rmSync, writeFileSync } from "node:fs"
import { delimiter, isAbsolute, join } from "node:path"

/** Returns the first program that exists, given by its name along `PATH` or by its whole path, or `undefined`. */
export const find = (...names: ReadonlyArray<string>): string | undefined => {
  const folders = (process.env.PATH ?? "").split(delimiter)
  return names
    .flatMap((name) => (isAbsolute(name) ? [name] : folders.map((folder) => join(folder, name))))
    .find(isProgram)
}

export const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

const aptGet = "/usr/bin/apt-get"
const longestMs = 300_000

/** Returns whether this process may install packages: it runs as root on a machine with apt. */
export const mayInstall = (): boolean => process.getuid?.() === 0 && isProgram(aptGet)

/** Runs apt-get without questions, with its output on stderr and a time limit for the network. Returns whether it succeeded. */
const apt = (...args: ReadonlyArray<string>): boolean =>
  spawnSync(aptGet, ["-y", "-q", "-o", "Acquire::Retries=0", "-o", "Acquire::http::Timeout=15", ...args], {
    stdio: ["ignore", process.stderr.fd, process.stderr.fd],
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    timeout: longestMs
  }).status === 0

/**
 * Prints the message, and installs a package from the machine's current package lists. If they do not contain the package,
 * nothing is installed.
 */
export const installNow = (name: string, message: string): void => {
  process.stderr.write(`${message}\n`)
  apt("install", "--no-install-recommends", name)
}

/** Like {@link installNow}, after an update of the package lists. Only the system's package manager downloads files. */
export const install = (name: string, message: string): void => {
  process.stderr.write(`${message}\n`)
  apt("update")
  apt("install", "--no-install-recommends", name)
}

/** File of a program that makes Debian's packages start no service while it exists. */
const policy = "/usr/sbin/policy-rc.d"

/** Installs something, and lets its packages start no service meanwhile. */
export const withoutServices = (install: () => void): void => {
  const isOurs = !existsSync(policy)
  if (isOurs) writeFileSync(policy, "#!/bin/sh\nexit 101\n", { mode: 0o755 })
  install()
  if (isOurs) rmSync(policy)
}
