/** The packages as somebody else has them: packed, unpacked, and installed in a project of their own. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { libraries, type Package, root } from "../../scripts/Workspace.ts"
import { passes, tool } from "../rules/Tool.ts"

const pnpm = join(root, ".tools/node_modules/.bin/pnpm")

export interface Consumer {
  /** The project's folder. `@pay/*` and what they need are in its node_modules. */
  readonly folder: string
  readonly tarball: (pkg: Package) => string
  readonly installed: (pkg: Package) => string
  readonly remove: () => void
}

/** Packs a package into a folder, which has nothing else, and returns the tarball. */
export const pack = async ({ folder }: Package, into: string): Promise<string> => {
  mkdirSync(into, { recursive: true })
  await passes(tool(pnpm, ["pack", "--pack-destination", into], { cwd: join(root, folder) }))
  return join(into, readdirSync(into)[0] ?? "")
}

/** Installs the libraries, or some of them as somebody who needs no others; `from`: a project whose tarballs are installed. */
export const install = async (which: ReadonlyArray<Package> = libraries, from?: Consumer): Promise<Consumer> => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "pay consumer ")))
  const consumer: Consumer = {
    folder,
    tarball: ({ folder: pkg }) => {
      const packed = join(folder, "packed", pkg)
      return join(packed, readdirSync(packed)[0] ?? "")
    },
    installed: ({ manifest }) => join(folder, "node_modules", manifest.name),
    remove: () => rmSync(folder, { recursive: true, force: true })
  }
  const add = async (pkg: Package) => {
    const packed = join(folder, "packed", pkg.folder)
    mkdirSync(consumer.installed(pkg), { recursive: true })
    const tarball = from === undefined ? await pack(pkg, packed) : from.tarball(pkg)
    await passes(tool("tar", ["-xzf", tarball, "-C", consumer.installed(pkg), "--strip-components=1"]))
    for (const name of foreign(pkg))
      link(join(root, pkg.folder, "node_modules", name), join(folder, "node_modules", name))
  }
  await Promise.all(which.map(add))
  link(join(root, "node_modules/@types/node"), join(folder, "node_modules/@types/node"))
  return consumer
}

/** What a package asks its user to install besides other packages of ours. */
const foreign = ({ manifest }: Package): ReadonlyArray<string> =>
  Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }).filter((name) => !name.startsWith("@pay/"))

/** Makes a folder appear in another place, unless something is there. */
export const link = (from: string, to: string) => {
  mkdirSync(dirname(to), { recursive: true })
  if (!existsSync(to)) symlinkSync(realpathSync(from), to)
}

/** Every import that a package offers, as the unpacked package.json says. */
export const specifiers = (consumer: Consumer, pkg: Package): ReadonlyArray<string> => {
  const manifest = JSON.parse(readFileSync(join(consumer.installed(pkg), "package.json"), "utf8"))
  return Object.keys(manifest.exports).map((subpath) => manifest.name + subpath.slice(1))
}

const importAll = `
import { registerHooks } from "node:module"
const loaded = []
registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
for (const specifier of process.argv.slice(1)) await import(specifier)
console.log(JSON.stringify(loaded))
`

/** Imports modules on plain Node, in a process of their own, and tells every module that this loaded. */
export const loadedBy = async (consumer: Consumer, imports: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
  const args = ["--input-type=module", "--eval", importAll, ...imports]
  const { answer } = await passes(tool(process.execPath, args, { cwd: consumer.folder, env: { NODE_OPTIONS: "" } }))
  return JSON.parse(answer)
}
