/**
 * The browser of `tests/browser`: whatever Chromium or Chrome the machine has; Debian's, where there is none and this may
 * install it. The headless shell is the same engine without windows around its pages: it takes half the time.
 */
import { delimiter, isAbsolute, join } from "node:path"
import * as Debian from "./Debian.ts"

const names = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "/usr/bin/chromium"]

/** The program's path, looked for along `path`; undefined where there is none. */
export const find = (path = process.env.PATH ?? ""): string | undefined =>
  names
    .flatMap((name) => (isAbsolute(name) ? [name] : path.split(delimiter).map((folder) => join(folder, name))))
    .find(Debian.isProgram)

const shell = "chromium-headless-shell"

/** What {@link find} finds; Debian's, installed now, if this is root on a machine with apt: the headless shell wherever it can be had. */
export const findOrInstall = (): string | undefined => {
  const path = find()
  if (path?.endsWith(shell) === true || !Debian.mayInstall()) return path
  if (path !== undefined)
    Debian.installNow(shell, "Installing Debian's headless shell of Chromium for the browser tests, once.")
  else {
    Debian.install(shell, "No Chromium or Chrome here: installing Debian's for the browser tests, once.")
    if (find() === undefined) Debian.install("chromium", "This Debian has no headless shell: installing its Chromium.")
  }
  return find()
}

export const howToGet = "install Chromium or Chrome, on Debian with: apt-get install chromium"
