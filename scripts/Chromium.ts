/**
 * The browser of `tests/browser`: whatever Chromium or Chrome the machine has; Debian's, where there is none and this may
 * install it. Nothing is downloaded past the system's own packages.
 */
import { spawnSync } from "node:child_process"
import { accessSync, constants } from "node:fs"
import { delimiter, isAbsolute, join } from "node:path"

const names = ["chromium", "chromium-browser", "google-chrome", "/usr/bin/chromium"]

const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** The program's path, looked for along `path`; undefined where there is none. */
export const find = (path = process.env.PATH ?? ""): string | undefined =>
  names
    .flatMap((name) => (isAbsolute(name) ? [name] : path.split(delimiter).map((folder) => join(folder, name))))
    .find(isProgram)

const aptGet = "/usr/bin/apt-get"
const longestMs = 300_000

/** Runs on stderr, asks nothing, and gives up by itself where there is no network. */
const apt = (...args: ReadonlyArray<string>): boolean =>
  spawnSync(aptGet, ["-y", "-q", "-o", "Acquire::Retries=0", "-o", "Acquire::http::Timeout=15", ...args], {
    stdio: ["ignore", process.stderr.fd, process.stderr.fd],
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    timeout: longestMs
  }).status === 0

/** What {@link find} finds, or Debian's, installed now if this is root on a machine with apt. */
export const findOrInstall = (): string | undefined => {
  const found = find()
  if (found !== undefined || process.getuid?.() !== 0 || !isProgram(aptGet)) return found
  process.stderr.write("No Chromium or Chrome here: installing Debian's for the browser tests, once.\n")
  apt("update")
  apt("install", "--no-install-recommends", "chromium")
  return find()
}

export const howToGet = "install Chromium or Chrome, on Debian with: apt-get install chromium"
