/** What a program loads: the files that can be reached by imports from the modules that it names, in any package. */
import { posix } from "node:path"
import type { Package } from "../../scripts/Workspace.ts"
import type { Imports } from "./ImportCycles.ts"
import { codeOf } from "./SourceRules.ts"

const specifier = /^\s*(?:import|export)\b[^"'`;]*?\bfrom\s*"([^"]+)"|\bimport(?:\s+|\s*\(\s*)"([^"$]+)"/gm

/** The specifiers of the imports and exports of a text, dynamic ones included. */
export const specifiers = (text: string): ReadonlyArray<string> =>
  [...codeOf(text).matchAll(specifier)].map(([, from, bare]) => from ?? bare ?? "")

/** The file of each public module, by the name under which it is imported: `@pay/schema/Money`. */
export const publicModules = (packages: ReadonlyArray<Package>): ReadonlyMap<string, string> =>
  new Map(
    packages.flatMap(({ folder, manifest }) =>
      Object.entries(manifest.exports ?? {}).map(
        ([subpath, source]) => [posix.join(manifest.name, subpath), posix.join(folder, source)] as const
      )
    )
  )

/** What each file imports of its own package and of public modules. Imports of types and dynamic imports count too. */
export const graphOf = (
  files: ReadonlyArray<string>,
  modules: ReadonlyMap<string, string>,
  specifiersOf: (path: string) => ReadonlyArray<string>
): Imports =>
  new Map(
    files.map((path) => [
      path,
      specifiersOf(path).flatMap(
        (specifier) =>
          (specifier.startsWith(".") ? posix.join(posix.dirname(path), specifier) : modules.get(specifier)) ?? []
      )
    ])
  )

/** The files that a file loads, itself included. */
export const reached = (graph: Imports, from: string): ReadonlySet<string> => {
  const visited = new Set([from])
  // A set that grows while it is read: each file is visited once.
  for (const path of visited) for (const next of graph.get(path) ?? []) visited.add(next)
  return visited
}

/** The chain of imports from a file to the nearest one that is searched for; none where it reaches no such file. */
export const chain = (
  graph: Imports,
  from: string,
  isSearched: (path: string) => boolean
): ReadonlyArray<string> | undefined => {
  const visited = new Set([from])
  const open: Array<ReadonlyArray<string>> = [[from]]
  for (const path of open) {
    const last = path.at(-1) ?? from
    if (isSearched(last)) return path
    for (const next of graph.get(last) ?? []) {
      if (visited.has(next)) continue
      visited.add(next)
      open.push([...path, next])
    }
  }
  return undefined
}
