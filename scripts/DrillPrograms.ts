/**
 * Finds the programs of `npm run drill`: the proxy nginx, and faketime, which moves the clock of one process. Without them, Debian's packages
 * are installed, and no service is started.
 */
import { spawnSync } from "node:child_process"
import * as Debian from "./Debian.ts"

const packages = ["nginx", "faketime"] as const
export type Name = (typeof packages)[number]

/** Returns the program's path, or `undefined`. */
export const find = (name: Name): string | undefined => Debian.find(name, `/usr/sbin/${name}`)

const missing = (): ReadonlyArray<Name> => packages.filter((name) => find(name) === undefined)

/** Installs what is missing, as root on a machine with apt. Returns the programs that are still missing. */
export const installMissing = (): ReadonlyArray<Name> => {
  const wanted = Debian.mayInstall() ? missing() : []
  Debian.withoutServices(() => {
    for (const name of wanted)
      Debian.install(name, `${name} is not installed. Installing the Debian package for the drill.`)
  })
  // Prevents the service from starting with the machine.
  if (wanted.includes("nginx")) spawnSync("update-rc.d", ["nginx", "disable"], { stdio: "ignore" })
  return missing()
}

/** Returns the library that a process loads to have a clock of its own, or `undefined`. */
export const clockLibrary = (): string | undefined => {
  const { status, stdout } = spawnSync("faketime", ["-m", "-f", "+0d", "printenv", "LD_PRELOAD"], { encoding: "utf8" })
  return status === 0 ? stdout.trim() : undefined
}

export const howToGet = `install ${packages.join(" and ")}, on Debian with: apt-get install ${packages.join(" ")}`
