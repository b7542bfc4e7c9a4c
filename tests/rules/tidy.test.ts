import { posix } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { allSources, files, libraries, librarySources, packages, read } from "../../scripts/Workspace.ts"
import { deadExports } from "./DeadExports.ts"
import * as Dependencies from "./DependencyRules.ts"
import * as FileRules from "./FileRules.ts"
import * as ImportCycles from "./ImportCycles.ts"
import * as Layers from "./Layers.ts"
import * as Reach from "./Reach.ts"
import { breaches, type SourceRule, sourceRules } from "./SourceRules.ts"
import { wordRules } from "./WordRules.ts"

const root = JSON.parse(read("package.json"))
/** Files that hold bad examples on purpose, or that no person writes. */
const exempt = /^(tests\/rules\/(SourceRules|WordRules|tidy\.test)\.ts|tests\/rules\/fixtures\/.*|pnpm-lock\.yaml)$/
const judged = files.filter((path) => !exempt.test(path))
const { specifiers: imports } = Reach

describe.each([...sourceRules, ...wordRules])("the rule that $name", (rule: SourceRule) => {
  it.each(rule.bad)("rejects: %s", (snippet) => expect(breaches(rule, `\n${snippet}\n`)).toHaveLength(1))
  it.each(rule.good)("accepts: %s", (snippet) => expect(breaches(rule, `\n${snippet}\n`)).toEqual([]))
  it("is kept by every file", () => {
    const where = judged.filter((path) => rule.where.test(path) && !(path in (rule.except ?? {})))
    expect(where).not.toEqual([])
    const matches = where.flatMap((path) => breaches(rule, read(path)).map((breach) => `${path}:${breach}`))
    expect(matches, `instead: ${rule.instead}`).toEqual([])
  })
  it("has no exception that is not needed", () => {
    const needless = Object.keys(rule.except ?? {}).filter((path) => breaches(rule, read(path)).length === 0)
    expect(needless).toEqual([])
  })
})

describe("files", () => {
  it.each([
    ["packages/schema/src/Utils.ts", 10],
    ["packages/schema/src/shared/Money.ts", 10],
    ["packages/schema/src/money.ts", 10],
    ["packages/schema/src/Money.ts", 301],
    ["examples/everything.mjs", 61],
    ["examples/crashtest/flask/shop.py", 121],
    ["README.md", 121]
  ])("are rejected: %s of %i lines", (path, lines) => expect(FileRules.wrongFile(path, lines)).toHaveLength(1))
  it("are accepted with the name of their concept, up to the limit of lines", () =>
    expect(FileRules.wrongFile("packages/schema/src/BaseTypes.ts", 300)).toEqual([]))
  it("are named after their concept, and short", () => {
    const lines = (path: string) => read(path).trimEnd().split("\n").length
    const wrong = files.flatMap((path) => FileRules.wrongFile(path, lines(path)).map((reason) => `${path}: ${reason}`))
    expect(wrong).toEqual([])
  })
})

describe("the index of examples", () => {
  it("lists each example, and nothing else", () => {
    const programs = files.flatMap((path) => /^examples\/([^/]+\.(?:ts|mjs))$/.exec(path)?.[1] ?? [])
    const listed = [...read("examples/README.md").matchAll(/\]\(([^/)]+)\)/g)].map(([, name]) => name)
    expect(listed.toSorted()).toEqual(programs)
  })
})

describe("layers", () => {
  const manifest = (name: string, ...names: ReadonlyArray<string>) => ({
    name,
    devDependencies: Object.fromEntries(names.map((dependency) => [dependency, "workspace:*"]))
  })
  it.each([
    ["upward", manifest("@pay/schema", "@pay/transport")],
    ["sideways", manifest("@pay/gateway", "@pay/transport")],
    ["to itself", manifest("@pay/schema", "@pay/schema")],
    ["without a layer", manifest("@pay/attic", "@pay/schema")],
    ["signing on Effect", manifest("@pay/signing", "effect")]
  ])("reject a dependency %s", (_, wrong) => expect(Layers.wrongDependencies(wrong)).toHaveLength(1))
  it("accept a dependency on a lower layer", () =>
    expect(Layers.wrongDependencies(manifest("@pay/schema", "@pay/signing", "effect"))).toEqual([]))
  it.each([
    ["upward", "@pay/transport/Wire", false],
    ["to itself", "@pay/schema/Money", false],
    ["not declared", "undici", false],
    ["published, but only for development", "@pay/signing/Form", true]
  ])("reject an import %s", (_, specifier, published) =>
    expect(Layers.wrongImport(manifest("@pay/schema", "@pay/signing"), specifier, published)).toBeDefined()
  )
  it.each(["@pay/signing/Form", "./Money.ts", "node:crypto"])("accept an import of %s", (specifier) =>
    expect(Layers.wrongImport(manifest("@pay/schema", "@pay/signing"), specifier, false)).toBeUndefined()
  )
  it("are kept by every package.json", () =>
    expect(packages.flatMap(({ manifest }) => Layers.wrongDependencies(manifest))).toEqual([]))
  it.each(libraries)("equal the references of $folder/tsconfig.json", ({ folder, manifest }) => {
    const references: ReadonlyArray<{ readonly path: string }> = JSON.parse(read(`${folder}/tsconfig.json`)).references
    const own = Layers.builtFrom(manifest).filter((name) => name in Layers.layers)
    const folders = libraries.flatMap((other) => (own.includes(other.manifest.name) ? [other.folder] : []))
    expect(references.map(({ path }) => posix.join(folder, path)).sort()).toEqual(folders.sort())
  })
  it("are read from every kind of import", () => {
    const kinds =
      'import {\n  a\n} from "a"\nexport * as b from "b"\nimport "c"\nawait import("d")\nsay("moved from", "e")'
    expect(imports(kinds)).toEqual(["a", "b", "c", "d"])
  })
  it("are kept by every import", () => {
    const wrong = packages.flatMap(({ folder, manifest }) =>
      judged
        .filter((path) => path.startsWith(`${folder}/`) && path.endsWith(".ts"))
        .flatMap((path) => {
          const published = librarySources.test(path)
          return imports(read(path)).flatMap((specifier) => {
            const reason = Layers.wrongImport(manifest, specifier, published)
            return reason === undefined ? [] : [`${path}: ${reason}`]
          })
        })
    )
    expect(wrong).toEqual([])
  })
})

it("every package.json says what its package is for, in one sentence", () => {
  const wrong = packages.filter(
    ({ manifest: { description = "" } }) => !/^[A-Z`][^\n]{20,200}[^.\n]$/.test(description)
  )
  expect(wrong.map(({ folder }) => folder)).toEqual([])
})

describe("circular imports of files", () => {
  const graph = (text: string) =>
    new Map(text.split("; ").map((line) => [line.slice(0, 1), [...line.slice(2)].filter((name) => name !== " ")]))
  it.each([
    ["a>b; b>a", [["a", "b"]]],
    ["a>b; b>c; c>a; d>a", [["a", "b", "c"]]],
    [
      "a>b; b>a; c>d; d>c a",
      [
        ["a", "b"],
        ["c", "d"]
      ]
    ]
  ])("are found: %s", (text, groups) => expect(ImportCycles.cycles(graph(text))).toEqual(groups))
  it("are not found without a circle", () => expect(ImportCycles.cycles(graph("a>b c; b>c d; c>d; d>"))).toEqual([]))
  it("do not exist", () => {
    const sources = files.filter((path) => allSources.test(path))
    const cycles = ImportCycles.cycles(ImportCycles.graphOf(sources, (path) => imports(read(path))))
    expect(cycles).toEqual([])
  })
})

describe("exported values", () => {
  it.each([
    ["export const a = 1\nexport const b = 2", ["B.a"], false, ["b"]],
    ["export { a, b as c } from './B.ts'", ["B.a"], false, ["c"]],
    ["export { a } from './B.ts'", [], true, []],
    ["export const a = 1", [], true, ["a"]],
    ["export * as A from './A.ts'\nexport * as B from './B.ts'", ["B.b"], true, ["A"]],
    ["export type A = 1\nexport class B {}", [], false, []]
  ])("are found without a use: %j", (text, importers, isPublic, dead) =>
    expect(deadExports(text, importers, isPublic)).toEqual(dead)
  )
  it("are used by another file", () => {
    const sources = files.filter((path) => /\.m?ts$/.test(path) && !path.includes("/fixtures/"))
    const modules = Reach.publicModules(packages)
    const importersOf = new Map<string, Array<string>>()
    for (const [path, targets] of Reach.graphOf(sources, modules, (path) => imports(read(path)))) {
      // An index names modules, and uses none of their values.
      if (path.endsWith("/src/index.ts")) continue
      for (const target of targets) importersOf.set(target, [...(importersOf.get(target) ?? []), path])
    }
    // TypeScript in documents is compiled, and shows how a value is used.
    for (const path of files.filter((each) => each.endsWith(".md"))) {
      const document = read(path)
      for (const [specifier, target] of modules)
        if (document.includes(`"${specifier}"`)) importersOf.set(target, [...(importersOf.get(target) ?? []), path])
    }
    /** Returns the files that use a module: its importers, and the importers of modules that pass on all of it. */
    const usersOf = (path: string) => {
      const passedOn = new RegExp(`^export \\* .*from "[^"]*/${path.split("/").at(-1)}"`, "m")
      const importers = importersOf.get(path) ?? []
      return importers.flatMap((by) => (passedOn.test(read(by)) ? (importersOf.get(by) ?? []) : by))
    }
    const publicPaths = new Set(modules.values())
    const dead = sources
      .filter((path) => /\/src\/|^tests\/|\/test\//.test(path) && !/\.test\.ts$|\/src\/index\.ts$/.test(path))
      .flatMap((path) => {
        const mayPassOn = publicPaths.has(path) && !path.includes("/src/public/")
        const users = usersOf(path).map((each) => read(each))
        return deadExports(read(path), users, mayPassOn).map((name) => `${path}: ${name}`)
      })
    expect(dead, "remove `export`, or the value").toEqual([])
  })
})

describe("explanations of wrong signatures", () => {
  const sources = files.filter((path) => librarySources.test(path))
  const modules = Reach.publicModules(libraries)
  const graph = Reach.graphOf(sources, modules, (path) => imports(read(path)))
  const isExplain = (path: string) => path.startsWith("packages/signing/src/explain/")
  const inExplain = sources.filter(isExplain)
  const others = [...modules].filter(([, file]) => !isExplain(file))

  it.each([
    ["a>b; b>c", ["a", "b", "c"]],
    ["a>d b; b>c; d>e; e>c", ["a", "b", "c"]],
    ["a>b; b>a; c>a", undefined]
  ])("are found along imports: %s", (text, result) => {
    const small = new Map(text.split("; ").map((line) => [line.slice(0, 1), line.slice(2).split(" ")]))
    expect(Reach.chain(small, "a", (path) => path === "c")).toEqual(result)
  })
  it("are found along imports of other packages", () => {
    const file = modules.get("@pay/transport/PayClient") ?? ""
    expect(Reach.chain(graph, file, (path) => path.startsWith("packages/signing/src/oauth/"))).toBeDefined()
  })
  it("are exported by one public module, which loads all of them", () => {
    const offered = [...modules].filter(([, file]) => isExplain(file))
    expect(offered).toEqual([["@pay/signing/Explain", "packages/signing/src/explain/Explain.ts"]])
    const [[, entry = ""] = []] = offered
    expect(inExplain.filter((file) => Reach.chain(graph, entry, (path) => path === file) === undefined)).toEqual([])
  })
  it("are loaded by no other public module of any package", () => {
    expect(others.length).toBe(modules.size - 1)
    expect(others.flatMap(([, file]) => Reach.chain(graph, file, isExplain)?.join(" > ") ?? [])).toEqual([])
  })
  it("import lower modules of @pay/signing, which do not import them", () => {
    const signing = sources.filter((path) => path.startsWith("packages/signing/src/"))
    const below = signing.filter((path) => !isExplain(path))
    const imported = new Set(inExplain.flatMap((path) => graph.get(path) ?? []))
    expect([...imported].filter((path) => !signing.includes(path))).toEqual([])
    expect(below.some((path) => imported.has(path))).toBe(true)
    expect(below.filter((path) => graph.get(path)?.some(isExplain))).toEqual([])
  })
})

describe("dependencies", () => {
  const catalog = Dependencies.catalogOf(read("pnpm-workspace.yaml"))
  it("are rejected with a version range in the catalog", () =>
    expect(
      Dependencies.wrongVersions(Dependencies.catalogOf('a: 1\ncatalog:\n  effect: ^4.1.0\n  "@x/y": 1.2.3\n'))
    ).toEqual(["effect: ^4.1.0 is not an exact version"]))
  it("have exact versions in the catalog", () => {
    expect(Object.keys(catalog)).toContain("effect")
    expect(Dependencies.wrongVersions(catalog)).toEqual([])
  })
  it("are rejected with a version outside of the catalog", () =>
    expect(
      Dependencies.wrongRanges({ name: "x", dependencies: { a: "1.0.0" }, peerDependencies: { b: "^1.0.0" } })
    ).toHaveLength(2))
  it("come from the catalog or the workspace", () =>
    expect([root, ...packages.map(({ manifest }) => manifest)].flatMap(Dependencies.wrongRanges)).toEqual([]))
  it("are rejected without a reason in the list, as is a reason without its dependency", () =>
    expect(Dependencies.wrongList(["effect", "undici"], "- `effect`: …\n- `axios`: …\n")).toHaveLength(2))
  it("have a reason in docs/contributors/dependencies.md", () => {
    const names = [...Object.keys(catalog), ...Object.keys(root.optionalDependencies ?? {}), "pnpm"]
    expect(Dependencies.wrongList(names, read("docs/contributors/dependencies.md"))).toEqual([])
  })
})
