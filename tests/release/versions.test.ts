/** Versions and changelogs that a release makes of the changesets, tried in a copy of the repository. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { expect, it } from "@effect/vitest"
import { dataPackages, files, libraries, read, root } from "../../scripts/Workspace.ts"
import { passes, tool } from "../rules/Tool.ts"

const published = [...libraries, ...dataPackages]

const changesets = files
  .filter((path) => /^\.changeset\/[\w-]+\.md$/.test(path) && !path.endsWith("README.md"))
  .map(read)

/** A change of every published package: just after a release, no other stands in the folder. */
const change = `---\n${published.map(({ manifest }) => `"${manifest.name}": patch\n`).join("")}---\n\nA change of every package.\n`

/** Packages that a changeset names, and the first line of its text. */
const contentOf = (changeset: string) => {
  const [, header = "", body = ""] = changeset.split(/^---\n/m)
  return {
    names: [...header.matchAll(/"([^"]+)":/g)].map(([, name = ""]) => name),
    text: body.trim().split("\n", 1)[0]
  }
}

it("a release gives each changed package a new version, and a changelog with the text of its changesets", async () => {
  const folder = mkdtempSync(join(tmpdir(), "pay versions "))
  try {
    for (const path of files.filter((name) => /(?:^|\/)package\.json$|^pnpm-|^\.changeset\//.test(name))) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      cpSync(join(root, path), join(folder, path))
    }
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"))
    // The hash of the commit that added a changeset is left out of its line: the copy has no history.
    const config = JSON.parse(read(".changeset/config.json"))
    writeFileSync(
      join(folder, ".changeset/line.mjs"),
      "export default { getReleaseLine: async ({ summary }) => summary, getDependencyReleaseLine: async () => '' }"
    )
    writeFileSync(join(folder, ".changeset/config.json"), JSON.stringify({ ...config, changelog: "./line.mjs" }))
    writeFileSync(join(folder, ".changeset/change.md"), change)
    await passes(tool("changeset", ["version"], { cwd: folder }))
    for (const { folder: pkg, manifest } of published) {
      const named = [...changesets, change].map(contentOf).filter(({ names }) => names.includes(manifest.name))
      const manifests = [root, folder].map((from) => readFileSync(join(from, pkg, "package.json"), "utf8"))
      const [before, after] = manifests.map((text) => JSON.parse(text).version)
      expect.soft(after, manifest.name).not.toBe(before)
      const changelog = readFileSync(join(folder, pkg, "CHANGELOG.md"), "utf8")
      for (const { text } of named) expect.soft(changelog).toContain(text)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
