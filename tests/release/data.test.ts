/** The packages that contain only data: each packed file that package.json names is there and can be read. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import { publint } from "publint"
import { dataPackages, type Package, read } from "../../scripts/Workspace.ts"
import { passes, tool } from "../rules/Tool.ts"
import { pack } from "./Consumer.ts"
import { fences } from "./Fences.ts"

const folder = mkdtempSync(join(tmpdir(), "pay data "))
const unpacked = ({ manifest }: Package) => join(folder, manifest.name.replace("@pay/", ""))

beforeAll(async () => {
  for (const pkg of dataPackages) {
    const tarball = await pack(pkg, join(folder, "packed"))
    await passes(tool("mkdir", ["-p", unpacked(pkg)]))
    await passes(tool("tar", ["-xzf", tarball, "-C", unpacked(pkg), "--strip-components=1"]))
  }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe.each(dataPackages)("$manifest.name, packed", (pkg: Package) => {
  it("has a package.json that publint accepts", async () => {
    const { messages } = await publint({ pkgDir: unpacked(pkg), pack: false, strict: true })
    expect(messages).toEqual([])
  })

  it("has a license, and a description of its use", () => {
    const text = (name: string) => readFileSync(join(unpacked(pkg), name), "utf8")
    expect(text("LICENSE")).toBe(read("LICENSE"))
    const readme = text("README.md")
    expect(readme).toContain(`# ${pkg.manifest.name}\n`)
    expect(fences(readme)).not.toEqual([])
    expect(readme).toContain("](../../docs/")
  })

  it("contains each file of its exports, in the format of its name", () => {
    for (const path of Object.values(pkg.manifest.exports ?? {})) {
      const text = readFileSync(join(unpacked(pkg), path), "utf8")
      if (path.endsWith(".json")) expect(JSON.parse(text)).toBeTypeOf("object")
      else {
        const [head = "", ...rows] = text.trimEnd().split("\n")
        const columns = head.split("\t").length
        expect(rows.length).toBeGreaterThan(5)
        for (const row of rows) expect(row.split("\t"), path).toHaveLength(columns)
      }
    }
  })
})
