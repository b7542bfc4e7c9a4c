/** A shop that has the packed `@pay/client` and nothing else of ours: it installs, compiles, loads, and makes payments. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs"
import { isBuiltin } from "node:module"
import { dirname, join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import * as Gateway from "../../packages/client/test/Gateway.ts"
import * as Runtimes from "../../scripts/Runtimes.ts"
import { read } from "../../scripts/Workspace.ts"
import { compile, passes, tool } from "../rules/Tool.ts"
import * as ClientShop from "./ClientShop.ts"
import { programs } from "./ClientShopping.ts"

const MINUTE = 60_000
let project: ClientShop.Project
let installed: ReadonlyArray<string>
let pieces: ReadonlyArray<string>
beforeAll(async () => {
  project = await ClientShop.install()
  installed = ClientShop.installedIn(project)
  pieces = ClientShop.writeShop(project)
}, 15 * MINUTE)
afterAll(() => project?.remove())

const packed = () =>
  readdirSync(project.client, { recursive: true, encoding: "utf8" }).filter((path) =>
    statSync(join(project.client, path)).isFile()
  )

/** Relative imports of a packed file, each as a path of the package. */
const importsOf = (path: string) =>
  [...readFileSync(join(project.client, path), "utf8").matchAll(/(?:from|import)\s*\(?"(\.{1,2}\/[^"]+)"/g)].map(
    ([, to = ""]) => join(dirname(path), path.endsWith(".d.ts") ? to.replace(/\.ts$/, ".d.ts") : to)
  )

const reachable = (entries: ReadonlyArray<string>): ReadonlySet<string> => {
  const paths = new Set(entries)
  for (const path of paths) for (const to of importsOf(path)) paths.add(to)
  return paths
}

describe("the packed client", () => {
  it("is installed by npm without any other package", () => {
    expect(installed).toEqual(["@pay/client"])
    const { dependencies, optionalDependencies, peerDependenciesMeta, scripts } = JSON.parse(
      readFileSync(join(project.client, "package.json"), "utf8")
    )
    expect({ dependencies, optionalDependencies, peerDependenciesMeta }).toEqual({
      peerDependenciesMeta: { undici: { optional: true } }
    })
    expect(scripts?.install ?? scripts?.postinstall).toBeUndefined()
  })

  it("contains the files that its imports reach, and no others", () => {
    const code = reachable(["dist/main.js", "dist/Durable.js", "dist/Pooled.js"])
    const types = reachable(["dist/main.d.ts", "dist/Durable.d.ts", "dist/Pooled.d.ts"])
    expect([...code, ...types].filter((path) => !existsSync(join(project.client, path)))).toEqual([])
    const beside = packed().filter((path) => !code.has(path) && !types.has(path) && path !== "CHANGELOG.md")
    expect(beside.sort()).toEqual(["LICENSE", "README.md", "package.json"])
  })

  // Minified code has no blank before the name; texts in the code that write programs have one.
  it("imports no other package, so that it can be bundled", () => {
    const named = (entry: string) =>
      [...reachable([entry])].flatMap((path) =>
        [...readFileSync(join(project.client, path), "utf8").matchAll(/(?:\bfrom|\bimport\(?)"([^."][^"]*)"/g)]
          .map(([, name = ""]) => name)
          .filter((name) => !isBuiltin(name))
      )
    expect(named("dist/main.js")).toEqual([])
    expect(named("dist/Durable.js")).toEqual([])
    expect(named("dist/Pooled.js")).toEqual(["undici"])
  })

  it("loads only its own files and node: modules, by import and by require", async () => {
    const loads = `
      import { createRequire, registerHooks } from "node:module"
      const loaded = []
      registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
      const name = "@pay/client"
      const { Pay } = await import(name)
      const required = createRequire(import.meta.filename ?? process.cwd() + "/x.js")(name)
      console.log(JSON.stringify({ loaded, same: required.Pay === Pay && typeof Pay.client === "function" }))`
    const options = { cwd: project.folder, env: { NODE_OPTIONS: "" } }
    const imported = await passes(tool(process.execPath, ["--input-type=module", "--eval", loads], options))
    const { loaded, same } = JSON.parse(imported.answer)
    expect(same).toBe(true)
    expect(loaded.filter((url: string) => !url.startsWith("node:") && !url.includes("/@pay/client/"))).toEqual([])
    const requires = `console.log(typeof require("@pay/client").Pay.client)`
    const alone = await passes(tool(process.execPath, ["--input-type=commonjs", "--eval", requires], options))
    expect(alone.output).toBe("function")
  })

  it("has at most 0.88 MB, and 0.68 MB without durable flows", () => {
    const bytes = (paths: Iterable<string>) =>
      [...paths].reduce((sum, path) => sum + statSync(join(project.client, path)).size, 0)
    expect.soft(bytes(packed())).toBeLessThan(880_000)
    expect.soft(bytes(reachable(["dist/main.js"]))).toBeLessThan(680_000)
  })
})

describe("the types of the packed client", () => {
  const check = (flags: ReadonlyArray<string>, files: ReadonlyArray<string>) =>
    passes(
      compile(["--noEmit", "--strict", "--target", "ES2024", "--module", "NodeNext", ...flags, ...files], {
        cwd: project.folder
      })
    )

  it("need no other package, not even the types of Node", async () => {
    const flags = ["--lib", "ES2024,DOM,DOM.AsyncIterable", "--types", "", "--skipLibCheck", "false"]
    const files = ["main.d.ts", "Pooled.d.ts"].map((name) => join("node_modules/@pay/client/dist", name))
    await check(flags, files)
  })

  it("compile the documented shop, on Express and on Hono", async () => {
    expect(pieces).toContain("shop/express.ts")
    expect(pieces).toContain("shop/hono.ts")
    const flags = ["--types", "node", "--allowImportingTsExtensions", "--exactOptionalPropertyTypes", "--skipLibCheck"]
    await check(flags, pieces)
  })
})

describe("docs/merchants/client.md", () => {
  const mentioned = () =>
    new Set([...read("docs/merchants/client.md").matchAll(/^\| `(\w+)`/gm)].map(([, name = ""]) => name))
  const declared = (path: string, pattern: RegExp) =>
    [...readFileSync(join(project.client, "dist", path), "utf8").matchAll(pattern)].map(([, name = ""]) => name)

  it("lists each error code", () => {
    const codes = declared("Errors.d.ts", /class (\w+)Error extends/g).filter((name) => name !== "Pay")
    expect(codes.length).toBeGreaterThan(10)
    expect(codes.filter((code) => !mentioned().has(code))).toEqual([])
  })

  it("lists each setting", () => {
    const [options = ""] = declared("contract/Client.d.ts", /interface ClientOptions \{([\s\S]*?)\n\}/g)
    const names = [...options.matchAll(/readonly (\w+)\??:/g)].map(([, name = ""]) => name)
    expect(names.length).toBeGreaterThan(10)
    expect(names.filter((name) => !mentioned().has(name))).toEqual([])
  })
})

/** This Node; `npm run test:external` adds the oldest Node that is promised, Bun and Deno. */
const runtimes: ReadonlyArray<Runtimes.Command> =
  process.env.PAY_OTHER_RUNTIMES === undefined
    ? [{ name: "this Node", command: [process.execPath] }]
    : Runtimes.install()

const shops = runtimes.flatMap(({ command, name }) =>
  ["express", "hono"].map((server) => ({ server, name, runtime: command }))
)

describe.each(shops)("the shop of docs/merchants/client.md on $server, run by $name", ({ runtime, server }) => {
  let gateway: Gateway.Gateway
  let shop: ClientShop.Shop
  beforeAll(async () => {
    gateway = await Gateway.start()
    shop = await ClientShop.openShop(project, { file: `shop/${server}.ts`, runtime }, gateway.baseUrl)
  })
  afterAll(async () => {
    shop?.close()
    await gateway?.close()
  })

  for (const [what, run] of Object.entries(programs)) it(what, () => run(shop, gateway))
})
