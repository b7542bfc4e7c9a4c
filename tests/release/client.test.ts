/** A shop that has the packed `@pay/client` and nothing else of ours: it installs, compiles, loads, and makes payments. */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { isBuiltin } from "node:module"
import { dirname, join } from "node:path"
import { gzipSync } from "node:zlib"
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import { rolldown } from "rolldown"
import * as Gateway from "../../packages/client/test/Gateway.ts"
import * as Notices from "../../scripts/Notices.ts"
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

/** What a packed file requires or imports, and the types that a declaration names. */
const specifiersIn = (path: string) =>
  [...textOf(path).matchAll(/(?:\brequire\(|^(?:import|export)\b[^"`\n]*)"([^"\n]+)"/gm)].map(([, name = ""]) => name)

const textOf = (path: string) => readFileSync(join(project.client, path), "utf8")

/** Relative imports of a packed file, each as a path of the package. A declaration describes a file with another ending. */
const importsOf = (path: string) =>
  specifiersIn(path)
    .filter((name) => name.startsWith("."))
    .map((name) => join(dirname(path), /\.d\.m?ts$/.test(path) ? name.replace(/\.[jt]s$/, ".d.ts") : name))

const reachable = (entries: ReadonlyArray<string>): ReadonlySet<string> => {
  const paths = new Set(entries)
  for (const path of paths) for (const to of importsOf(path)) paths.add(to)
  return paths
}

const entries = ["main", "Receiver", "Durable", "Pooled"]
const filesOf = (ending: string, names: ReadonlyArray<string> = entries) =>
  reachable(names.map((name) => `dist/${name}.${ending}`))

describe("the packed client", () => {
  it("is installed by npm without any other package", () => {
    expect(installed).toEqual(["@pay/client"])
    const { dependencies, optionalDependencies, peerDependenciesMeta, scripts } = JSON.parse(textOf("package.json"))
    expect({ dependencies, optionalDependencies, peerDependenciesMeta }).toEqual({
      peerDependenciesMeta: { undici: { optional: true } }
    })
    expect(scripts?.install ?? scripts?.postinstall).toBeUndefined()
  })

  it("contains the files that its imports reach, their source maps, its notices, and no others", () => {
    const code = filesOf("mjs", [...entries, "Testing"])
    const reached = new Set([...code, ...filesOf("d.mts", [...entries, "Testing"])])
    expect([...reached].filter((path) => !existsSync(join(project.client, path)))).toEqual([])
    const maps = [...code].filter((path) => textOf(path).includes("//# sourceMappingURL=")).map((path) => `${path}.map`)
    const beside = packed().filter((path) => !reached.has(path) && !maps.includes(path) && path !== "CHANGELOG.md")
    expect(beside.sort()).toEqual([
      "LICENSE",
      "README.md",
      ...[Notices.fileName, `Testing-${Notices.fileName}`].map((name) => `dist/${name}`),
      "package.json"
    ])
    expect(maps).toContain("dist/chunks/Client.js.map")
  })

  it("imports no other package, so that it can be bundled", () => {
    const named = (entry: string) =>
      [...reachable([entry])].flatMap(specifiersIn).filter((name) => !name.startsWith(".") && !isBuiltin(name))
    expect(named("dist/main.mjs")).toEqual([])
    expect(named("dist/Receiver.mjs")).toEqual([])
    expect(named("dist/Testing.mjs")).toEqual([])
    expect(named("dist/Durable.mjs")).toEqual([])
    expect(named("dist/Pooled.mjs")).toEqual(["undici"])
  })

  it("loads only its own files and node: modules, and the same ones by import and by require", async () => {
    const loads = `
      import { createRequire, registerHooks } from "node:module"
      const loaded = []
      registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
      const require = createRequire(process.cwd() + "/x.js")
      const differing = []
      for (const name of ["@pay/client", "@pay/client/callbacks", "@pay/client/durable", "@pay/client/testing"]) {
        const [imported, required] = [await import(name), require(name)]
        const { "module.exports": _, ...named } = imported
        for (const each of new Set([...Object.keys(named), ...Object.keys(required)]))
          if (imported[each] === undefined || imported[each] !== required[each]) differing.push(each)
      }
      console.log(JSON.stringify({ loaded, differing }))`
    const options = { cwd: project.folder, env: { NODE_OPTIONS: "" } }
    const imported = await passes(tool(process.execPath, ["--input-type=module", "--eval", loads], options))
    const { differing, loaded } = JSON.parse(imported.answer)
    expect(differing).toEqual([])
    expect(loaded.length).toBeGreaterThan(0)
    expect(loaded.filter((url: string) => !url.startsWith("node:") && !url.includes("/@pay/client/"))).toEqual([])
  })

  it("prints an error with its name, its facts and the functions that it came through", async () => {
    const program = `
      const { Pay } = require("@pay/client")
      const pay = Pay.client({ baseUrl: "http://127.0.0.1:1", login: "shop", controlKey: "key", endpointId: "1" })
      pay.status("INV-1").then(({ error }) => console.log(error))`
    const { output } = await passes(tool(process.execPath, ["--eval", program], { cwd: project.folder }))
    expect(output).toMatch(/^NotSentError: STATUS was not sent/)
    expect(output).toMatch(/ at statusOf \(.*Client\.js:\d+/)
    expect(output).toContain("code: 'NotSent'")
  })

  it.each([
    ["require", `require("@pay/client")`, "commonjs"],
    ["import", `import "@pay/client/callbacks"`, "module"]
  ])("tells an old Node which one it needs: by %s", async (_, code, type) => {
    const versions = "Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.20.2'}})"
    const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(versions)}` }
    const { output } = await tool(process.execPath, [`--input-type=${type}`, "--eval", code], {
      cwd: project.folder,
      env
    })
    expect(output).toContain(
      "Error: @pay/client needs Node 22.19 or later, and this is Node 20.20.2: https://nodejs.org"
    )
    const { engines } = JSON.parse(textOf("package.json"))
    expect(engines).toEqual({ node: ">=22.19" })
  })

  it.each([
    [Notices.fileName, entries],
    [`Testing-${Notices.fileName}`, ["Testing"]]
  ])("contains the licence of each package whose code is in it, in %s", (file, names) => {
    const others = names === entries ? new Set<string>() : filesOf("mjs")
    const foreign = [...filesOf("mjs", names)]
      .filter((path) => !others.has(path))
      .flatMap((path) =>
        [...textOf(path).matchAll(/^\/\/ (\S+)$/gm)].flatMap(([, source = ""]) => Notices.packageOf(source) ?? [])
      )
      .map((folder) => folder.replace(/^.*\/node_modules\//, ""))
    const listed = Notices.listed(textOf(`dist/${file}`))
    expect([...listed.keys()]).toEqual([...new Set(foreign)].sort())
    expect([...listed.keys()]).toContain("effect")
    for (const [name, text] of listed)
      expect([name, text]).toEqual([name, expect.stringMatching(/the software is provided/i)])
  })
})

/** Bytes with gzip, of code as it is shipped and as a bundler of a program minifies it. */
describe("the size of the packed client", () => {
  const gzipped = (paths: Iterable<string>) =>
    gzipSync(Buffer.concat([...paths].map((path) => readFileSync(join(project.client, path))))).length

  it("is at most 225 KB, and 185 KB without durable flows", () => {
    expect.soft(gzipped(filesOf("mjs"))).toBeLessThan(225_000)
    expect.soft(gzipped(reachable(["dist/main.mjs"]))).toBeLessThan(185_000)
  })

  it("is at most 9.1 KB for callbacks alone", () =>
    expect(gzipped(reachable(["dist/Receiver.mjs"]))).toBeLessThanOrEqual(9100))

  it("is at most 950 KB for the gateway of tests, which only they load", () => {
    const others = filesOf("mjs")
    expect(gzipped([...filesOf("mjs", ["Testing"])].filter((path) => !others.has(path)))).toBeLessThan(950_000)
    expect([...others].filter((path) => /testing/i.test(path))).toEqual([])
  })

  it("is at most 140 KB in a program whose bundler minifies it", async () => {
    const bundle = await rolldown({ input: join(project.client, "dist/main.mjs"), platform: "node" })
    const { output } = await bundle.generate({ format: "esm", minify: true })
    const code = output.map((each) => (each.type === "chunk" ? each.code : ""))
    expect(gzipSync(code.join("")).length).toBeLessThan(140_000)
  })
})

describe("the types of the packed client", () => {
  const check = (flags: ReadonlyArray<string>, files: ReadonlyArray<string>) =>
    passes(
      compile(["--noEmit", "--strict", "--target", "ES2024", "--module", "NodeNext", ...flags, ...files], {
        cwd: project.folder
      })
    )

  const shop = `
    import { CallbackRefusedError, type Client, Pay, type PayError } from "@pay/client"
    import { receiver } from "@pay/client/callbacks"
    import * as Durable from "@pay/client/durable"
    import { type TestGateway, testGateway } from "@pay/client/testing"
    import * as Pooled from "@pay/client/undici"
    export const pay: Client = Pay.client({ baseUrl: "", login: "", controlKey: "" })
    export const gateway: Promise<TestGateway> = testGateway()
    export const error: PayError = new CallbackRefusedError({ message: receiver({ controlKey: "" }).verify("").clientOrderId, retryable: false })
    export const other: readonly [Client, Promise<Client>] = [Pooled.Pay.client({ baseUrl: "", login: "", controlKey: "" }), Durable.open({ baseUrl: "", login: "", controlKey: "", path: "", encryptionKey: "" })]`

  it("need no other package, not even the types of Node, for import and for require", async () => {
    const flags = ["--lib", "ES2024,DOM,DOM.AsyncIterable", "--types", "", "--skipLibCheck", "false"]
    const files = ["shop.mts", "shop.cts"]
    for (const file of files) writeFileSync(join(project.folder, file), shop)
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
