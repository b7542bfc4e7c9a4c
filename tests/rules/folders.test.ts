import { describe, expect, it } from "@effect/vitest"
import { files, librarySources, read } from "../../scripts/Workspace.ts"
import * as Decisions from "./Decisions.ts"
import * as Folders from "./Folders.ts"
import * as ImportCycles from "./ImportCycles.ts"
import { specifiers as imports } from "./Reach.ts"

describe("folders of a package", () => {
  const inGateway = files.filter((path) => /^gateway\/gateway\/src\/.*\.ts$/.test(path))
  const graph = ImportCycles.graphOf(inGateway, (path) => imports(read(path)))
  const file = (path: string) => `gateway/gateway/src/${path}.ts`
  it.each([
    ["orders/Order", "recurring/Billing", true],
    ["recurring/Billing", "orders/Order", false],
    ["orders/outcomes/Asker", "orders/Order", false],
    ["Gateway", "http/Front", false],
    ["kernel/Job", "Gateway", true],
    ["somewhere/Else", "kernel/Job", true]
  ])("of the gateway: %s may not import %s: %s", (from, to, isRefused) =>
    expect(Folders.upward(new Map([[file(from), [file(to)]]]), Folders.gateway).length > 0).toBe(isRefused)
  )
  it("of the gateway import only lower folders", () => expect(Folders.upward(graph, Folders.gateway)).toEqual([]))
  it("of the gateway are all in the list of layers", () =>
    expect([...new Set(inGateway.map(Folders.folderOf))].sort()).toEqual([...Folders.gateway].sort()))
  const sourcesOf = (folder: string) =>
    files.filter((path) => path.startsWith(`${folder}/src/`) && path.endsWith(".ts"))
  it.each(Object.entries(Folders.ofPackages))(
    "of %s import only lower folders, and each has its place",
    (name, order) => {
      const sources = sourcesOf(name)
      const own = ImportCycles.graphOf(sources, (path) => imports(read(path)))
      expect(Folders.upward(own, order)).toEqual([])
      expect([...new Set(sources.map(Folders.folderOf))].sort()).toEqual([...order].sort())
    }
  )
  it("of the crash test that plan, judge and report have no effects", () => {
    const acts = /from "node:|import [^"]*\b(?:Effect|Layer|Clock|Random)\b[^"]* from "effect"/
    const pure = sourcesOf("tools/crashtest").filter((path) => Folders.pureOfCrashtest.has(Folders.folderOf(path)))
    expect(pure.length).toBeGreaterThan(10)
    expect(pure.filter((path) => acts.test(read(path)))).toEqual([])
  })
  it("contain every listed file of pure decisions", () => {
    const names = new Set(inGateway)
    expect(Decisions.decisions.filter((path) => !names.has(file(path)))).toEqual([])
  })
  it("have each file of pure decisions listed", () => {
    const listed = new Set(Decisions.decisions.map(file))
    const decides =
      /^import (?!type).*kernel\/(?:Decision|Change)\.ts"$|^import (?!type).*"\.\/(?:Decision|Change)\.ts"$/m
    const pure = inGateway.filter((path) => decides.test(read(path)) && !/from "effect"/.test(read(path)))
    expect(pure.filter((path) => !listed.has(path) && !path.includes("/storeContract/"))).toEqual([])
  })
  it("have no circular imports", () => {
    const sources = files.filter((path) => librarySources.test(path))
    const all = ImportCycles.graphOf(sources, (path) => imports(read(path)))
    expect(ImportCycles.cycles(Folders.graphOf(all))).toEqual([])
  })
})
