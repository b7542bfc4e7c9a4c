/** Finds the proxy of `npm run drill`: the nginx of the machine. Without one, Debian's package is installed without its service. */
import { spawnSync } from "node:child_process"
import * as Debian from "./Debian.ts"

/** Returns the program's path, or `undefined`. */
export const find = (): string | undefined => Debian.find("nginx", "/usr/sbin/nginx")

/** Returns the result of {@link find}. If nothing is installed, installs Debian's package, as root on a machine with apt. */
export const findOrInstall = (): string | undefined => {
  const path = find()
  if (path !== undefined || !Debian.mayInstall()) return path
  Debian.withoutServices(() =>
    Debian.install("nginx", "No nginx is installed. Installing the Debian package for the drill.")
  )
  // Prevents the service from starting with the machine.
  if (find() !== undefined) spawnSync("update-rc.d", ["nginx", "disable"], { stdio: "ignore" })
  return find()
}

export const howToGet = "install nginx, on Debian with: apt-get install nginx"
