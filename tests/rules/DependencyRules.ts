import type { Manifest } from "../../scripts/Workspace.ts"

const EXACT = /^(?:npm:[\w-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/

/** The catalog of pnpm-workspace.yaml: version by name. */
export const catalogOf = (workspace: string): Readonly<Record<string, string>> => {
  const [, block = ""] = /^catalog:\n((?: {2}.*\n)*)/m.exec(workspace) ?? []
  return Object.fromEntries(
    [...block.matchAll(/^ {2}"?([^":]+)"?: *"?([^"\n]+?)"?$/gm)].map(([, name = "", version = ""]) => [name, version])
  )
}

/** Catalog entries that could resolve to something else tomorrow. */
export const wrongVersions = (catalog: Readonly<Record<string, string>>): ReadonlyArray<string> =>
  Object.entries(catalog).flatMap(([name, version]) =>
    EXACT.test(version) ? [] : [`${name}: ${version} is not an exact version`]
  )

/** Versions in a package.json: from the catalog or the workspace, ranges only for peers, exact ones for the pinned Node. */
export const wrongRanges = (manifest: Manifest): ReadonlyArray<string> => {
  const wrong = (group: Readonly<Record<string, string>> | undefined, right: RegExp, say: string) =>
    Object.entries(group ?? {}).flatMap(([name, range]) =>
      right.test(range) ? [] : [`${name}: ${range} should be ${say}`]
    )
  const inner = /^(catalog:|workspace:\*)$/
  return [
    ...wrong(manifest.dependencies, inner, "catalog: or workspace:*"),
    ...wrong(manifest.devDependencies, inner, "catalog: or workspace:*"),
    ...wrong(manifest.optionalDependencies, EXACT, "an exact version"),
    ...wrong(
      manifest.peerDependencies,
      /^~\d+\.\d+\.\d+(?: \|\| ~\d+\.\d+\.\d+)*$|^workspace:\^$/,
      "~ ranges or workspace:^"
    )
  ]
}

/** Dependencies without a line in docs/contributors/dependencies.md, and lines without a dependency. */
export const wrongList = (names: ReadonlyArray<string>, list: string): ReadonlyArray<string> => {
  const listed = [...list.matchAll(/^- `([^`]+)`/gm)].map(([, name = ""]) => name)
  return [
    ...names
      .filter((name) => !listed.includes(name))
      .map((name) => `${name} has no line in docs/contributors/dependencies.md`),
    ...listed
      .filter((name) => !names.includes(name))
      .map((name) => `docs/contributors/dependencies.md has a line for ${name}, which nothing uses`)
  ]
}
