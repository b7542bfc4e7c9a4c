import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import { publint } from "publint"
import * as Runtimes from "../../scripts/Runtimes.ts"
import { libraries, type Package, read, root } from "../../scripts/Workspace.ts"
import { compile, passes, tool } from "../rules/Tool.ts"
import { type Consumer, install, link, loadedBy, specifiers } from "./Consumer.ts"
import { fences } from "./Fences.ts"

const MINUTE = 60_000
/** The packages that need a newer Node than others. Some modules of the others load on an older one, too. */
const saying = ["flows", "gateway", "signing", "sqlite", "storage", "transport"]
let consumer: Consumer
beforeAll(async () => {
  consumer = await install()
}, 15 * MINUTE)
afterAll(() => consumer?.remove())

describe.concurrent.each(libraries)("$manifest.name, packed", (pkg: Package) => {
  it("has a package.json that publint accepts", async () => {
    const { messages } = await publint({ pkgDir: consumer.installed(pkg), pack: false, strict: true })
    expect(messages).toEqual([])
  })

  it("has a license, a description of its use, and its repository", () => {
    const text = (name: string) => readFileSync(join(consumer.installed(pkg), name), "utf8")
    expect(text("LICENSE")).toBe(read("LICENSE"))
    const readme = text("README.md")
    expect(readme).toContain(`# ${pkg.manifest.name}\n`)
    expect(readme).toMatch(/^npm install .*@pay\//m)
    expect(fences(readme)).not.toEqual([])
    expect(readme).toContain("](../../docs/")
    const { bugs, files, homepage, keywords, publishConfig, repository } = JSON.parse(text("package.json"))
    expect({ bugs, homepage, keywords, repository }).toEqual({
      bugs: expect.stringContaining("https://"),
      homepage: expect.stringContaining(pkg.folder),
      keywords: expect.arrayContaining(["payments"]),
      repository: { type: "git", url: expect.stringContaining("https://"), directory: pkg.folder }
    })
    expect(files).toContain("CHANGELOG.md")
    expect(publishConfig?.access ?? "public").toBe("public")
  })

  it("exports the same modules as in the repository", () => {
    const own = Object.keys(pkg.manifest.exports ?? {}).map((subpath) => pkg.manifest.name + subpath.slice(1))
    expect(specifiers(consumer, pkg)).toEqual(own)
  })
})

it("each exported module loads in Node", async () => {
  const offered = libraries.flatMap((pkg) => specifiers(consumer, pkg))
  expect(offered.length).toBeGreaterThan(libraries.length)
  expect((await loadedBy(consumer, offered)).length).toBeGreaterThan(offered.length)
})

const importEach = `
const answers = new Set()
for (const specifier of process.argv.slice(1)) await import(specifier).catch((error) => answers.add(String(error)))
console.log(JSON.stringify([...answers].sort()))
`

/** What modules say that do not load: each sentence once. */
const complaints = async (program: string, imports: ReadonlyArray<string>, nodeOptions = "") => {
  const args = ["--input-type=module", "--eval", importEach, ...imports]
  const { answer } = await passes(tool(program, args, { cwd: consumer.folder, env: { NODE_OPTIONS: nodeOptions } }))
  return JSON.parse(answer)
}

/** The modules of the libraries. Those of the client tell an older Node so in tests of their own. */
const offeredOnEffect = () =>
  libraries.filter(({ manifest }) => manifest.name !== "@pay/client").flatMap((pkg) => specifiers(consumer, pkg))

const sentences = (names: ReadonlyArray<string>, version: string) =>
  names.map((name) => `Error: @pay/${name} needs Node 22.19 or later, and this is Node ${version}: https://nodejs.org`)

it("each package that an older Node cannot run says so in one sentence", async () => {
  const versions = "Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.20.2'}})"
  const own = `--import=data:text/javascript,${encodeURIComponent(versions)}`
  expect(await complaints(process.execPath, offeredOnEffect(), own)).toEqual(sentences(saying, "20.20.2"))
  for (const { manifest } of libraries) expect(manifest).toMatchObject({ engines: { node: ">=22.19" } })
})

/** `npm run test:external` sets the variable. */
const older = process.env.PAY_OTHER_RUNTIMES === undefined ? [] : Runtimes.install(Runtimes.older)
describe.each(older)("the libraries on $name", ({ command: [program], name }) => {
  it("load, or say in one sentence which Node they need", async () =>
    expect(await complaints(program, offeredOnEffect())).toEqual(sentences(saying, name.replace("node ", ""))))
})

/** How a project finds packages: as Node does, and as bundlers do. */
const resolutions = {
  Node: ["--module", "NodeNext"],
  bundlers: ["--module", "Preserve", "--moduleResolution", "Bundler"]
}

const typeCheck = async ({ folder }: Consumer, imports: ReadonlyArray<string>, resolution = resolutions.Node) => {
  const lines = imports.map((specifier, index) => `export * as module${index} from "${specifier}"`)
  writeFileSync(join(folder, "everything.ts"), lines.join("\n"))
  const flags = ["--noEmit", "--strict", "--target", "ES2024", "--types", "node", ...resolution]
  await passes(compile([...flags, "everything.ts"], { cwd: folder }))
}

describe("the types of all exported modules", () => {
  it.each(Object.entries(resolutions))(
    "compile in another project, resolved as by %s",
    (_, resolution) =>
      typeCheck(
        consumer,
        libraries.flatMap((pkg) => specifiers(consumer, pkg)),
        resolution
      ),
    15 * MINUTE
  )
})

const offeredBy = (name: string, which: (specifier: string) => boolean = () => true) =>
  libraries.filter(({ manifest }) => manifest.name === name).flatMap((pkg) => specifiers(consumer, pkg).filter(which))

describe("the modules that an import loads", () => {
  it("are its own and Node's only, for @pay/signing", async () => {
    const others = (await loadedBy(consumer, offeredBy("@pay/signing"))).filter(
      (url) => !url.startsWith("node:") && !url.includes("/node_modules/@pay/signing/")
    )
    expect(others).toEqual([])
  })

  it("contain no explanation, for @pay/signing without Explain", async () => {
    const explaining = async (which: (specifier: string) => boolean) =>
      (await loadedBy(consumer, offeredBy("@pay/signing", which))).filter((url) => url.includes("/dist/explain/"))
    expect(await explaining((specifier) => !specifier.endsWith("/Explain"))).toEqual([])
    expect(await explaining((specifier) => specifier.endsWith("/Explain"))).not.toEqual([])
  })

  it("contain Effect, for @pay/schema", async () => {
    expect((await loadedBy(consumer, offeredBy("@pay/schema"))).some((url) => url.includes("/effect/"))).toBe(true)
  })

  it("contain neither @pay/sqlite nor @pay/workflow-sqlite, for @pay/flows without ./durable", async () => {
    const needed = ["@pay/signing", "@pay/schema", "@pay/transport", "@pay/flows"]
    const some = libraries.filter(({ manifest }) => needed.includes(manifest.name))
    const without = await install(some, consumer)
    try {
      const isDurable = (specifier: string) => specifier.startsWith("@pay/flows/durable")
      const others = offeredBy("@pay/flows", (specifier) => !isDurable(specifier))
      expect((await loadedBy(without, others)).length).toBeGreaterThan(others.length)
      await typeCheck(without, others)
      for (const durable of offeredBy("@pay/flows", isDurable).filter((name) => /durable$|Cluster|WebFile/.test(name)))
        await expect(loadedBy(without, [durable])).rejects.toThrow(/Cannot find package '@pay\/(workflow-)?sqlite'/)
    } finally {
      without.remove()
    }
  })

  it("contain no sandbox, for @pay/server in production", async () => {
    const production = offeredBy("@pay/server", (specifier) => !/sandbox/i.test(specifier))
    expect((await loadedBy(consumer, production)).filter((url) => url.includes("/@pay/sandbox/"))).toEqual([])
  })
})

describe("with the oldest effect of the peer range", () => {
  it("each exported module loads and compiles, and the payment of docs/merchants/testing-effect.md runs", async () => {
    const older = await install(libraries, consumer)
    try {
      const effect = join(older.folder, "node_modules/effect")
      rmSync(effect)
      link(join(root, "tests/node_modules/effect-oldest"), effect)
      const { version } = JSON.parse(readFileSync(join(effect, "package.json"), "utf8"))
      for (const { manifest } of libraries)
        expect(manifest.peerDependencies?.effect ?? `~${version}`).toMatch(`~${version}`)
      const offered = libraries.flatMap((pkg) => specifiers(consumer, pkg))
      expect((await loadedBy(older, offered)).length).toBeGreaterThan(offered.length)
      await typeCheck(older, offered)
      const snippet = fences(read("docs/merchants/testing-effect.md")).find(({ code }) =>
        code.includes("Effect.runPromise")
      )
      writeFileSync(join(older.folder, "run.mts"), `${snippet?.code}\nconsole.log(JSON.stringify(await run()))\n`)
      const { answer } = await passes(tool(process.execPath, ["run.mts"], { cwd: older.folder }))
      expect(JSON.parse(answer)).toEqual(["approved", "approved"])
    } finally {
      older.remove()
    }
  })
})
