/** What a developer of a merchant reads to trust a sale: the files that the flow `CardSale` loads, and their lines. */
import { files, libraries, librarySources, read } from "../../scripts/Workspace.ts"
import * as Reach from "./Reach.ts"

const start = "packages/flows/src/payments/CardPayment.ts"

export interface Part {
  readonly name: string
  readonly files: number
  readonly lines: number
}

/** The packages of these files. */
export const parts = (): ReadonlyArray<Part> => {
  const sources = files.filter((path) => librarySources.test(path))
  const graph = Reach.graphOf(sources, Reach.publicModules(libraries), (path) => Reach.specifiers(read(path)))
  const loaded = [...Reach.reached(graph, start)]
  return libraries.flatMap(({ folder, manifest: { name } }) => {
    const own = loaded.filter((path) => path.startsWith(`${folder}/`))
    const lines = own.reduce((sum, path) => sum + read(path).trimEnd().split("\n").length, 0)
    return own.length === 0 ? [] : [{ name, files: own.length, lines }]
  })
}
