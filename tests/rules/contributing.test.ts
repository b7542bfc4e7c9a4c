/** The guide for newcomers is up to date: its patches apply, it lists their files, and every file that it names exists. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { files, read, root } from "../../scripts/Workspace.ts"
import * as Folders from "./Folders.ts"
import { passes, tool } from "./Tool.ts"

const guide = read("docs/contributing.md")

/** The files that a section of the guide lists. */
const listed = (patch: string): ReadonlyArray<string> => {
  const [, section = ""] = guide.split(`(proofs/${patch})`)
  return [...(section.split("\n## ")[0] ?? "").matchAll(/^- `([^`]+)`/gm)].map(([, path = ""]) => path)
}

/** The files that a patch changes. */
const changed = (patch: string): ReadonlyArray<string> =>
  [...read(`docs/proofs/${patch}`).matchAll(/^\+\+\+ b\/(.+)$/gm)].map(([, path = ""]) => path)

describe("the guide for newcomers", () => {
  const patches = files
    .filter((path) => path.startsWith("docs/proofs/"))
    .map((path) => path.replace("docs/proofs/", ""))
  it("has two patches", () => expect(patches).toEqual(["operation.patch", "optional-field.patch"]))
  it.each(patches)("lists the files that %s changes", (patch) =>
    expect([...listed(patch)].sort()).toEqual([...changed(patch)].sort())
  )
  it.each([
    ["optional-field.patch", 6],
    ["operation.patch", 8]
  ])("has %s change at most %i files outside of tests/golden/frozen", (patch, most) =>
    expect(changed(patch).filter((path) => !path.startsWith("tests/golden/frozen/")).length).toBeLessThanOrEqual(most)
  )
  it.each(patches)("has %s apply to the repository", async (patch) => {
    await passes(tool("git", ["apply", "--check", `docs/proofs/${patch}`]))
  })
  it("follows a sale through 25 files that exist", () => {
    const [, walk = ""] = guide.split("## One sale, file by file")
    const steps = [...(walk.split("\n## ")[0] ?? "").matchAll(/^\d+\. `([^`]+)`/gm)].map(([, path = ""]) => path)
    expect(steps).toHaveLength(25)
    expect(steps.filter((path) => !existsSync(join(root, "packages/gateway/src", path)))).toEqual([])
    expect(new Set(steps).size).toBe(steps.length)
  })
  it("names every folder of the gateway, in the order of the layers", () => {
    const named = [...guide.matchAll(/^\| `([a-z]+)` \|/gm)].map(([, name]) => name)
    expect(named).toEqual(Folders.gateway.filter((name) => name !== "." && name !== "storeContract"))
  })
})
