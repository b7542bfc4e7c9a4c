/**
 * Finds the browser of `tests/browser`: the Chromium or Chrome of the machine. Without one, Debian's package is installed if this
 * process may do so. The headless shell is the same engine without windows, and needs half the time.
 */
import * as Debian from "./Debian.ts"

const names = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "/usr/bin/chromium"]

/** Returns the program's path, or `undefined`. */
export const find = (): string | undefined => Debian.find(...names)

const shell = "chromium-headless-shell"

/**
 * Returns the result of {@link find}. If nothing is installed, installs Debian's package, as root on a machine with apt: the
 * headless shell if it is available.
 */
export const findOrInstall = (): string | undefined => {
  const path = find()
  if (path?.endsWith(shell) === true || !Debian.mayInstall()) return path
  if (path !== undefined)
    Debian.installNow(
      shell,
      "Installing the Debian package chromium-headless-shell, which is faster, for the browser tests."
    )
  else {
    Debian.install(
      shell,
      "No Chromium or Chrome is installed. Installing the Debian package chromium-headless-shell for the browser tests."
    )
    if (find() === undefined)
      Debian.install("chromium", "This Debian has no chromium-headless-shell. Installing its package chromium.")
  }
  return find()
}

export const howToGet = "install Chromium or Chrome, on Debian with: apt-get install chromium"
