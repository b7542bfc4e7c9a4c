/** Lists every generated file of the repository, so that a test can compare it with the output of its generator. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { packages, read, root } from "./Workspace.ts"

/** The default export of a generator: contents by path from the repository's root. */
export type Generator = () => Promise<Readonly<Record<string, string>>>

const generators = [
  "scripts/exports.ts",
  "scripts/folders.ts",
  "tests/simulation/docs.ts",
  "tests/rules/docs.ts",
  "tests/deploy/docs.ts",
  ...packages.map(({ folder }) => `${folder}/scripts/docs.ts`)
]

/**
 * Runs all generators: those of this folder, of the simulation, of the rules and of the kit, and the `scripts/docs.ts` of each package.
 */
export const generate: Generator = async () => {
  const written: Record<string, string> = {}
  for (const path of generators) {
    if (!existsSync(join(root, path))) continue
    const module: { readonly default: Generator } = await import(pathToFileURL(join(root, path)).href)
    Object.assign(written, await module.default())
  }
  return written
}

/** Returns the paths of files whose contents differ from the output of their generator. */
export const stale = (generated: Readonly<Record<string, string>>): ReadonlyArray<string> =>
  Object.keys(generated).filter((path) => !existsSync(join(root, path)) || read(path) !== generated[path])
