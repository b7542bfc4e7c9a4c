/** The guide for newcomers is up to date: every file that it names exists. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { read, root } from "../../scripts/Workspace.ts"
import * as Folders from "./Folders.ts"
import * as Reading from "./Reading.ts"

const guide = read("docs/contributors/contributing.md")

/** The files that a section of the guide lists. */
const listed = (title: string): ReadonlyArray<string> => {
  const [, section = ""] = guide.split(`## ${title}`)
  return [...(section.split("\n## ")[0] ?? "").matchAll(/^- `([^`]+)`/gm)].map(([, path = ""]) => path)
}

describe("the guide for newcomers", () => {
  it.each([
    ["An optional field that is stored and returned", 6],
    ["An operation of an existing pattern", 8]
  ])("lists files that exist, at most %2$i: %1$s", (title, most) => {
    const paths = listed(title)
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([])
    expect(paths.length).toBeGreaterThan(0)
    expect(paths.length).toBeLessThanOrEqual(most)
  })
  it("follows a sale through 25 files that exist", () => {
    const [, walk = ""] = guide.split("## One sale, file by file")
    const steps = [...(walk.split("\n## ")[0] ?? "").matchAll(/^\d+\. `([^`]+)`/gm)].map(([, path = ""]) => path)
    expect(steps).toHaveLength(25)
    expect(steps.filter((path) => !existsSync(join(root, "gateway/gateway/src", path)))).toEqual([])
    expect(new Set(steps).size).toBe(steps.length)
  })
  it("states how many lines a merchant reads to trust a sale, to a tenth", () => {
    const [, section = ""] = guide.split("## What a merchant reads to trust a sale")
    const stated = [...section.matchAll(/(\d+) lines at most/g)].map(([, lines]) => Number(lines))
    const parts = Reading.parts()
    const contract = parts.filter(({ name }) => name === "@pay/schema")
    const others = parts.filter((part) => !contract.includes(part))
    expect(others.map(({ name }) => name)).toEqual(["@pay/flows", "@pay/signing", "@pay/transport"])
    for (const [index, group] of [others, contract].entries()) {
      const lines = group.reduce((sum, part) => sum + part.lines, 0)
      expect(stated[index]).toBeGreaterThanOrEqual(lines)
      expect(stated[index]).toBeLessThan(lines * 1.1)
    }
  })
  it("names every folder of the gateway, in the order of the layers", () => {
    const named = [...guide.matchAll(/^\| `([a-z]+)` \|/gm)].map(([, name]) => name)
    expect(named).toEqual(Folders.gateway.filter((name) => ![".", "storeContract", "public"].includes(name)))
  })
})
