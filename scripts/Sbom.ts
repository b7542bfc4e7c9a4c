/** The list of components of a package, as CycloneDX, which pnpm writes from the lockfile. */
import { execFileSync } from "node:child_process"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as Notices from "./Notices.ts"
import { type Package, root } from "./Workspace.ts"

const pnpm = join(root, ".tools/node_modules/.bin/pnpm")

interface Component {
  readonly name: string
  readonly group?: string
  readonly "bom-ref"?: string
}

interface Sbom {
  readonly components: ReadonlyArray<Component>
  readonly dependencies: ReadonlyArray<{ readonly ref: string; readonly dependsOn?: ReadonlyArray<string> }>
}

const nameOf = ({ group, name }: Component): string => (group === undefined ? name : `${group}/${name}`)

/** The packages whose code the built files contain, or `undefined` if the package is installed with its dependencies. */
export const contained = ({ folder }: Package): ReadonlySet<string> | undefined => {
  const dist = join(root, folder, "dist")
  const files = existsSync(dist) ? readdirSync(dist).filter((name) => name.endsWith(Notices.fileName)) : []
  if (files.length === 0) return undefined
  return new Set(files.flatMap((file) => [...Notices.listed(readFileSync(join(dist, file), "utf8")).keys()]))
}

/** Of a bundle, what it was made with and does not contain is left out: pnpm counts both as development. */
const only = (sbom: Sbom, names: ReadonlySet<string>): Sbom => {
  const components = sbom.components.filter((each) => each.group === "@pay" || names.has(nameOf(each)))
  const left = new Set(sbom.components.filter((each) => !components.includes(each)).map((each) => each["bom-ref"]))
  const dependencies = sbom.dependencies
    .filter(({ ref }) => !left.has(ref))
    .map(({ dependsOn = [], ref }) => ({ ref, dependsOn: dependsOn.filter((other) => !left.has(other)) }))
  return { ...sbom, components, dependencies }
}

/** Writes the components of a package: its dependencies, or what its built files contain. */
export const write = (pkg: Package): string => {
  const names = contained(pkg)
  const type = pkg.manifest.bin === undefined ? "library" : "application"
  const flags = ["--sbom-format", "cyclonedx", "--sbom-type", type, ...(names === undefined ? ["--prod"] : [])]
  const text = execFileSync(pnpm, ["sbom", "--filter", pkg.manifest.name, ...flags], { cwd: root, encoding: "utf8" })
  const sbom: Sbom = JSON.parse(text)
  return `${JSON.stringify(names === undefined ? sbom : only(sbom, names), null, 2)}\n`
}
