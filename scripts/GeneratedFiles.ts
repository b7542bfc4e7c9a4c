/** Every file of the repository that a program writes, so that it cannot drift from what it describes. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { packages, read, root } from "./Workspace.ts"

/** What a generator exports as its default: contents by path from the root. */
export type Generator = () => Promise<Readonly<Record<string, string>>>

const generators = [
  "scripts/exports.ts",
  "tests/simulation/docs.ts",
  "tests/rules/docs.ts",
  ...packages.map(({ folder }) => `${folder}/scripts/docs.ts`)
]

/** Runs all generators: `scripts/exports.ts`, those of the simulation and of the rules, and the `scripts/docs.ts` of any package. */
export const generate: Generator = async () => {
  const written: Record<string, string> = {}
  for (const path of generators) {
    if (!existsSync(join(root, path))) continue
    const module: { readonly default: Generator } = await import(pathToFileURL(join(root, path)).href)
    Object.assign(written, await module.default())
  }
  return written
}

/** The paths whose contents on the disk are not what their generator writes. */
export const stale = (generated: Readonly<Record<string, string>>): ReadonlyArray<string> =>
  Object.keys(generated).filter((path) => !existsSync(join(root, path)) || read(path) !== generated[path])
