/** The next release, tried in a copy of the repository: `changeset version`, `publish-plan` and `publish`. */
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { files, type Package, packages, publishedPackages, read, root } from "../../scripts/Workspace.ts"
import { passes, tool } from "../rules/Tool.ts"
import * as Registry from "./Registry.ts"
import * as RepositoryCopy from "./RepositoryCopy.ts"

const changesets = files.filter((path) => /^\.changeset\/[\w-]+\.md$/.test(path) && !path.endsWith("README.md"))
/** A change of every published package: just after a release, the folder has no other. */
const change = `---\n${publishedPackages.map(({ manifest }) => `"${manifest.name}": patch\n`).join("")}---\n\nA change of every package.\n`

/** The packages that a changeset names, and its text. */
const contentOf = (changeset: string) => {
  const [, header = "", text = ""] = changeset.split(/^---\n/m)
  return { names: [...header.matchAll(/"([^"]+)":/g)].map(([, name = ""]) => name), text: text.trim() }
}

const copy = RepositoryCopy.make()
const { folder } = copy
afterAll(copy.remove)

/** Makes the packages of the copy find each other, as an installation does. pnpm reads their versions there when it packs. */
const linkPackages = ({ folder: path, manifest }: Package) => {
  const needed = { ...manifest.dependencies, ...manifest.devDependencies, ...manifest.peerDependencies }
  mkdirSync(join(folder, path, "node_modules/@pay"), { recursive: true })
  for (const {
    folder: other,
    manifest: { name }
  } of packages)
    if (name in needed) symlinkSync(join(folder, other), join(folder, path, "node_modules", name))
}

/** Runs `changeset` in the copy, with no settings of this user, and a registry if one is given. */
const changeset = (command: ReadonlyArray<string>, registry = "http://127.0.0.1:9/") =>
  passes(
    tool("changeset", command, {
      cwd: folder,
      env: { HOME: folder, npm_config_registry: registry, pnpm_config_registry: registry }
    })
  )

const manifestOf = ({ folder: path }: Package) => JSON.parse(readFileSync(join(folder, path, "package.json"), "utf8"))

beforeAll(async () => {
  for (const path of files.filter((name) => /(?:^|\/)package\.json$|^pnpm-|^\.changeset\//.test(name))) copy.add(path)
  for (const pkg of publishedPackages) {
    const isPacked = (name: string) => name.startsWith(`${pkg.folder}/`) && !name.endsWith(".ts")
    for (const path of files.filter(isPacked)) copy.add(path)
    if (existsSync(join(root, pkg.folder, "dist"))) copy.add(`${pkg.folder}/dist`)
    linkPackages(pkg)
  }
  copy.add("LICENSE")
  copy.linkInstalled("")
  writeFileSync(join(folder, ".changeset/change.md"), change)
  await changeset(["version"])
})

it("a package that was never released is named by one changeset, which makes it 0.1.0", () => {
  for (const { folder: path, manifest } of publishedPackages) {
    if (JSON.parse(read(`${path}/package.json`)).version !== "0.0.0") continue
    const naming = changesets.map(read).filter((text) => contentOf(text).names.includes(manifest.name))
    expect.soft(naming, manifest.name).toHaveLength(1)
    expect.soft(naming.join(), manifest.name).toContain(`"${manifest.name}": minor\n`)
  }
})

it("changeset version gives each changed package a new version, and a changelog with the text of its changesets", () => {
  for (const pkg of publishedPackages) {
    const { version } = JSON.parse(read(`${pkg.folder}/package.json`))
    expect.soft(manifestOf(pkg).version, pkg.manifest.name).not.toBe(version)
    const changelog = readFileSync(join(folder, pkg.folder, "CHANGELOG.md"), "utf8")
    const texts = [...changesets.map(read), change]
      .map(contentOf)
      .filter((each) => each.names.includes(pkg.manifest.name))
    for (const { text } of texts) expect.soft(changelog).toContain(text.split("\n", 1)[0])
  }
})

it.effect(
  "changeset publish sends each package once, with exact versions of ours, after publish-plan has listed it",
  () =>
    Effect.gen(function* () {
      const registry = yield* Registry.open
      const { host } = new URL(registry.url)
      writeFileSync(join(folder, ".npmrc"), `registry=${registry.url}\n//${host}/:_authToken=a-token-of-no-registry\n`)
      const releases = publishedPackages.map((pkg) => `${pkg.manifest.name}@${manifestOf(pkg).version}`).sort()
      const plan = yield* Effect.promise(() => changeset(["publish-plan"], registry.url))
      expect([...plan.output.matchAll(/- (@pay\/\S+) \(latest\)/g)].map(([, each]) => each).sort()).toEqual(releases)
      expect(registry.releases).toEqual([])
      yield* Effect.promise(() => changeset(["publish", "--no-git-tag"], registry.url))
      expect(registry.releases.map(({ name, version }) => `${name}@${version}`).sort()).toEqual(releases)
      const ours = registry.releases.flatMap(({ dependencies }) =>
        Object.entries(dependencies ?? {}).filter(([name]) => name.startsWith("@pay/"))
      )
      expect(ours.map((each) => each.join("@")).filter((each) => !releases.includes(each))).toEqual([])
      expect(ours.length).toBeGreaterThan(releases.length)
    })
)
