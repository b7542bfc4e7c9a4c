import { describe, expect, it } from "@effect/vitest"
import { files, librarySources, read } from "../../scripts/Workspace.ts"
import * as Folders from "./Folders.ts"
import * as ImportCycles from "./ImportCycles.ts"
import { chain, specifiers as imports } from "./Reach.ts"

/** Imports that are gone when the types are stripped. */
const typesOnly = /^(?:import|export) (?:type [^"]*?|\{(?:\s*type [\w ]+,?)+\s*\}) from "[^"]+"$/gm

describe("folders of a package", () => {
  const inGateway = files.filter((path) => /^gateway\/gateway\/src\/.*\.ts$/.test(path))
  const graph = ImportCycles.graphOf(inGateway, (path) => imports(read(path)))
  const file = (path: string) => `gateway/gateway/src/${path}.ts`
  it.each([
    ["orders/record/Order", "recurring/decide/Billing", true],
    ["recurring/decide/Billing", "orders/record/Order", false],
    ["orders/outcomes/Asker", "orders/record/Order", false],
    ["Gateway", "http/Front", false],
    ["kernel/Job", "Gateway", true],
    ["somewhere/Else", "kernel/Job", true]
  ])("of the gateway: %s may not import %s: %s", (from, to, isRefused) =>
    expect(Folders.upward(new Map([[file(from), [file(to)]]]), Folders.gateway).length > 0).toBe(isRefused)
  )
  it("of the gateway import only lower folders", () => expect(Folders.upward(graph, Folders.gateway)).toEqual([]))
  it("of the gateway are all in the list of layers", () =>
    expect([...new Set(inGateway.map((path) => Folders.folderOf(path)))].sort()).toEqual([...Folders.gateway].sort()))
  const sourcesOf = (folder: string) => files.filter((path) => path.startsWith(`${folder}/`) && path.endsWith(".ts"))
  it.each(Object.entries(Folders.inside))("of %s import only lower folders, and each has its place", (root, order) => {
    const sources = sourcesOf(root)
    const own = ImportCycles.graphOf(sources, (path) => imports(read(path)))
    expect(Folders.upward(own, order, root)).toEqual([])
    expect([...new Set(sources.map((path) => Folders.folderOf(path, root)))].sort()).toEqual([...order].sort())
  })
  it("of the crash test that plan, judge and report have no effects", () => {
    const acts = /from "node:|import [^"]*\b(?:Effect|Layer|Clock|Random)\b[^"]* from "effect"/
    const pure = sourcesOf("tools/crashtest/src").filter((path) => Folders.pureOfCrashtest.has(Folders.folderOf(path)))
    expect(pure.length).toBeGreaterThan(10)
    expect(pure.filter((path) => acts.test(read(path)))).toEqual([])
  })
  const hasEffects = /import (?!type)[^"]*\b(?:Effect|Layer|Context|Clock|Random)\b[^"]*"effect"|from "node:/
  const builds = /^import (?!type).*kernel\/(?:Decision|Change)\.ts"$|^import (?!type).*"\.\/(?:Decision|Change)\.ts"$/m
  it("of the gateway: what builds a decision without effects lies where decisions lie", () =>
    expect(
      inGateway.filter(
        (path) =>
          builds.test(read(path)) &&
          !hasEffects.test(read(path)) &&
          !Folders.decides.test(path) &&
          !/\/(?:kernel|storeContract|restore)\//.test(path)
      )
    ).toEqual([]))
  it("of the gateway: what a decision loads has no effects either", () => {
    const loads = ImportCycles.graphOf(inGateway, (path) => imports(read(path).replace(typesOnly, "")))
    const deciding = inGateway.filter((path) => Folders.decides.test(path))
    expect(deciding.length).toBeGreaterThan(50)
    expect(deciding.flatMap((path) => chain(loads, path, (other) => hasEffects.test(read(other))) ?? [])).toEqual([])
  })
  it("have no circular imports", () => {
    const sources = files.filter((path) => librarySources.test(path))
    const all = ImportCycles.graphOf(sources, (path) => imports(read(path)))
    expect(ImportCycles.cycles(Folders.graphOf(all))).toEqual([])
  })
})
