/** Programs of the machine that some tests need, and how Debian's package manager brings them. */
import { spawnSync } from "node:child_process"
import { accessSync, constants } from "node:fs"

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

/** Whether this may install packages: root, on a machine with apt. */
export const mayInstall = (): boolean => process.getuid?.() === 0 && isProgram(aptGet)

/** Runs on stderr, asks nothing, and gives up by itself where there is no network. */
const apt = (...args: ReadonlyArray<string>): boolean =>
  spawnSync(aptGet, ["-y", "-q", "-o", "Acquire::Retries=0", "-o", "Acquire::http::Timeout=15", ...args], {
    stdio: ["ignore", process.stderr.fd, process.stderr.fd],
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    timeout: longestMs
  }).status === 0

/** Installs what the machine's lists of packages name now, and gives up at once where they name it not. */
export const installNow = (name: string, why: string): void => {
  process.stderr.write(`${why}\n`)
  apt("install", "--no-install-recommends", name)
}

/** Nothing is downloaded past the system's own packages. */
export const install = (name: string, why: string): void => {
  apt("update")
  installNow(name, why)
}
