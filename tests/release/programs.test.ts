/** The programs as somebody else has them: packed, and unpacked without anything beside them. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import { publint } from "publint"
import * as Notices from "../../scripts/Notices.ts"
import * as Runtimes from "../../scripts/Runtimes.ts"
import * as Sbom from "../../scripts/Sbom.ts"
import { libraries, type Package, programs, read } from "../../scripts/Workspace.ts"
import { passes, tool } from "../rules/Tool.ts"
import { pack } from "./Consumer.ts"

const folder = mkdtempSync(join(tmpdir(), "pay programs "))
const unpacked = ({ folder: path }: Package) => join(folder, path.replaceAll("/", "-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

beforeAll(async () => {
  for (const pkg of programs) {
    const tarball = await pack(pkg, `${unpacked(pkg)}-packed`)
    await passes(tool("mkdir", ["-p", unpacked(pkg)]))
    await passes(tool("tar", ["-xzf", tarball, "-C", unpacked(pkg), "--strip-components=1"]))
  }
})

interface Metafile {
  readonly outputs: Readonly<Record<string, { readonly inputs: Readonly<Record<string, { bytesInOutput: number }>> }>>
}

/** The packages of others whose code a program contains, as the bundler has noted it. */
const bundledIn = ({ folder: path }: Package): ReadonlyArray<string> => {
  const { outputs }: Metafile = JSON.parse(read(`${path}/dist/metafile-esm.json`))
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs))
  const modules = inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([module]) => `/${module}`)
  const names = modules.flatMap((module) => Notices.packageOf(module)?.replace(/^.*\/node_modules\//, "") ?? [])
  return [...new Set(names)].sort()
}

/** `npm run test:external` sets the variable. */
const older = process.env.PAY_OTHER_RUNTIMES === undefined ? [] : Runtimes.install(Runtimes.older)

describe.each(programs)("$manifest.name, packed", (pkg: Package) => {
  it("is accepted by publint, has a licence, and needs no other package", async () => {
    const { messages } = await publint({ pkgDir: unpacked(pkg), pack: false, strict: true })
    expect(messages).toEqual([])
    expect(readFileSync(join(unpacked(pkg), "LICENSE"), "utf8")).toBe(read("LICENSE"))
    const {
      dependencies,
      peerDependencies,
      private: isPrivate
    } = JSON.parse(readFileSync(join(unpacked(pkg), "package.json"), "utf8"))
    expect([dependencies, peerDependencies, isPrivate]).toEqual([undefined, undefined, undefined])
  })

  it("contains the licence of each package whose code is in it", () => {
    const listed = Notices.listed(readFileSync(join(unpacked(pkg), "dist", Notices.fileName), "utf8"))
    expect([...listed.keys()].sort()).toEqual(bundledIn(pkg))
    expect([...listed.keys()]).toContain("effect")
  })

  it("starts alone, and says on an old Node which one it needs", async () => {
    const [[name, path] = ["", ""]] = Object.entries(pkg.manifest.bin ?? {})
    const started = await tool(process.execPath, [join(unpacked(pkg), path), "--version"], { cwd: folder })
    expect(started.output).toMatch(name === "pay" ? /^\d+\.\d+\.\d+/ : /starts one of: production, sandbox, world/)
    const versions = "Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.20.2'}})"
    const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(versions)}` }
    const old = await tool(process.execPath, [join(unpacked(pkg), path)], { cwd: folder, env })
    expect(old.output).toBe(`${name} needs Node 22.19 or later, and this is Node 20.20.2: https://nodejs.org`)
  })

  it.each(older)("says which Node it needs, on $name", async ({ command: [node], name: version }) => {
    const [[name, path] = ["", ""]] = Object.entries(pkg.manifest.bin ?? {})
    const { output } = await tool(node, [join(unpacked(pkg), path)], { cwd: folder })
    const sentence = `${name} needs Node 22.19 or later, and this is ${version.replace("node", "Node")}: https://nodejs.org`
    expect(output).toBe(sentence)
  })
})

describe("the list of components", () => {
  const listOf = (name: string) => {
    const [pkg] = [...libraries, ...programs].filter(({ manifest }) => manifest.name === name)
    if (pkg === undefined) throw new Error(`there is no ${name}`)
    const { bomFormat, components } = JSON.parse(Sbom.write(pkg))
    expect(bomFormat).toBe("CycloneDX")
    const names = components.map((each: { group?: string; name: string }) =>
      [each.group, each.name].filter(Boolean).join("/")
    )
    return { pkg, names: new Set<string>(names) }
  }

  it("of a bundle has what the bundle contains, and not what made it", () => {
    const { names, pkg } = listOf("@pay/client")
    for (const name of Sbom.contained(pkg) ?? []) expect(names).toContain(name)
    expect([names.has("effect"), names.has("@pay/flows"), names.has("rolldown"), names.has("vitest")]).toEqual([
      ...[true, true],
      ...[false, false]
    ])
  })

  it("of a library has its dependencies", () => {
    const { names } = listOf("@pay/transport")
    expect([...names].sort()).toEqual(expect.arrayContaining(["@pay/schema", "@pay/signing", "undici"]))
    expect(names.has("vitest")).toBe(false)
  })
})
