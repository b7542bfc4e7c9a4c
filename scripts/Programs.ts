/** The programs of other languages that run the snippets of the documentation, and the Debian packages that contain them. */
import * as Debian from "./Debian.ts"

const packages = {
  bash: "bash",
  curl: "curl",
  go: "golang-go",
  java: "default-jdk-headless",
  openssl: "openssl",
  php: "php-cli",
  python3: "python3"
} as const
export type Name = keyof typeof packages

/** Returns the programs among `names` that are not installed. */
export const missing = (names: ReadonlyArray<Name>): ReadonlyArray<Name> =>
  names.filter((name) => Debian.find(name) === undefined)

/** Installs the missing Debian packages, as root on a machine with apt. Returns the programs that are still missing. */
export const installMissing = (names: ReadonlyArray<Name>): ReadonlyArray<Name> => {
  if (Debian.mayInstall())
    for (const name of missing(names))
      Debian.install(
        packages[name],
        `${name} is not installed. Installing the Debian package ${packages[name]} for the snippets of the documentation.`
      )
  return missing(names)
}

/** Programs that the tests of the documentation's snippets need. */
const ofTests = ["bash", "curl", "openssl"] as const

export const find = (): string | undefined => (missing(ofTests).length === 0 ? "curl" : undefined)

export const findOrInstall = (): string | undefined => (installMissing(ofTests).length === 0 ? "curl" : undefined)

export const howToGet = "install bash, curl and openssl, on Debian with: apt-get install bash curl openssl"
