/** Files that import each other in a circle: none of them can be understood, tested or moved without the others. */
import { posix } from "node:path"

export type Imports = ReadonlyMap<string, ReadonlyArray<string>>

/** What each file imports of the files beside it; packages are left out. */
export const graphOf = (
  files: ReadonlyArray<string>,
  specifiersOf: (path: string) => ReadonlyArray<string>
): Imports => {
  const names = new Set(files)
  return new Map(
    files.map((path) => [
      path,
      specifiersOf(path)
        .filter((specifier) => specifier.startsWith("."))
        .map((specifier) => posix.join(posix.dirname(path), specifier))
        .filter((target) => names.has(target))
    ])
  )
}

/** Groups of nodes each of which can be reached from each other one (Tarjan's strongly connected components), of two or more. */
export const cycles = (graph: Imports): ReadonlyArray<ReadonlyArray<string>> => {
  const order = new Map<string, number>()
  const open: Array<string> = []
  const matches: Array<ReadonlyArray<string>> = []
  const visit = (node: string): number => {
    const own = order.size
    order.set(node, own)
    open.push(node)
    let low = own
    for (const next of graph.get(node) ?? []) {
      if (!order.has(next)) low = Math.min(low, visit(next))
      else if (open.includes(next)) low = Math.min(low, order.get(next) ?? low)
    }
    if (low === own) {
      const group = open.splice(open.indexOf(node))
      if (group.length > 1) matches.push(group.sort())
    }
    return low
  }
  for (const node of graph.keys()) if (!order.has(node)) visit(node)
  return matches.sort()
}
