/** The packages and files of this repository, read from the disk without git, so that an unpacked archive works, too. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"

export const root = dirname(import.meta.dirname)

/** Folder for compiled code: programs that tests start one after another compile each module only once. */
export const compileCache = join(root, "node_modules/.cache/pay/compiled")

/** The parts of a package.json that the rules of the repository read. */
export interface Manifest {
  readonly name: string
  readonly description?: string
  readonly private?: boolean
  readonly packageManager?: string
  readonly scripts?: Readonly<Record<string, string>>
  readonly bin?: Readonly<Record<string, string>>
  readonly exports?: Readonly<Record<string, string>>
  readonly publishConfig?: Readonly<Record<string, unknown>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

/** A workspace package: its folder from the root (`packages/signing`) and its manifest. */
export interface Package {
  readonly folder: string
  readonly manifest: Manifest
}

export const read = (path: string): string => readFileSync(join(root, path), "utf8")

const withManifest = (folder: string): ReadonlyArray<Package> => {
  const path = join(folder, "package.json")
  return existsSync(join(root, path)) ? [{ folder, manifest: JSON.parse(read(path)) }] : []
}

const foldersIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(folder, entry.name))
    .sort()

/** The folders of packages: what merchants import, the gateway, its adapters to banks, the tools that check them, and the programs that use them. */
export const packageFolders = ["packages", "gateway", "acquirers", "tools", "apps"] as const

/** Every package of the workspace, except the root. */
export const packages = [...packageFolders.flatMap(foldersIn), "tests", "examples"].flatMap(withManifest)

/** The packages that a release publishes. */
export const publishedPackages = packages.filter(({ manifest }) => manifest.private !== true)

/** The published packages that are programs to start. Their files contain all that they need. */
export const programs = publishedPackages.filter(({ manifest }) => manifest.bin !== undefined)

const isData = ({ manifest }: Package): boolean =>
  Object.values(manifest.exports ?? {}).every((path) => /\.(?:json|tsv)$/.test(path))

/** The published packages that contain code. */
export const libraries = publishedPackages.filter((pkg) => !isData(pkg) && !programs.includes(pkg))

/** The published packages that contain only files to read. */
export const dataPackages = publishedPackages.filter((pkg) => isData(pkg) && !programs.includes(pkg))

const sourcesOf = (owners: ReadonlyArray<Package>): RegExp =>
  new RegExp(`^(?:${owners.map(({ folder }) => folder).join("|")})/src/.*\\.ts$`)

/** Matches the sources of libraries. */
export const librarySources = sourcesOf(libraries)

/** Matches the sources of libraries and programs. */
export const allSources = sourcesOf(packages)

const notOurs = new Set([
  ".data",
  ".git",
  ".release",
  ".reports",
  ".tools",
  ".turbo",
  "coverage",
  "dist",
  "node_modules"
])

/** pnpm makes such a file for a moment, to learn whether it can link from its store. */
const momentary = "_tmp_"

const filesUnder = (folder: string): ReadonlyArray<string> =>
  readdirSync(join(root, folder), { withFileTypes: true })
    .filter(({ name }) => !notOurs.has(name) && !name.startsWith(momentary))
    .flatMap((entry) => (entry.isDirectory() ? filesUnder(join(folder, entry.name)) : join(folder, entry.name)))

/** Every file that is checked in, written by a person or a generator, as paths from the root. */
export const files = filesUnder("").toSorted()
