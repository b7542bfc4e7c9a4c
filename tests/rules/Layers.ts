import type { Manifest } from "../../scripts/Workspace.ts"

/** The layer of each package. A package imports only from lower layers, in its tests too. */
export const layers: Readonly<Record<string, number>> = {
  "@pay/signing": 0,
  "@pay/sqlite": 0,
  "@pay/schema": 1,
  "@pay/workflow-sqlite": 1,
  "@pay/transport": 2,
  "@pay/conformance": 2,
  "@pay/vectors": 2,
  "@pay/gateway": 2,
  "@pay/flows": 3,
  "@pay/storage": 3,
  "@pay/sandbox": 3,
  "@pay/client": 5,
  "@pay/server": 4,
  "@pay/adyen": 4.5,
  "@pay/shop": 4,
  "@pay/cli": 5,
  "@pay/crashtest": 4.5,
  "@pay/demo": 7,
  "@pay/docs": 8,
  "@pay/gateway-program": 5,
  "@pay/tests": 6,
  "@pay/bench": 7,
  "@pay/examples": 6
}

/** Packages that must do without certain others, whatever their layer is. */
const without: Readonly<Record<string, RegExp>> = {
  "@pay/signing": /^(effect|@effect\/(?!vitest)|undici)/
}

/** Packages whose build contains what they import: nothing of it is installed beside them. */
const bundled: ReadonlySet<string> = new Set(["@pay/client", "@pay/cli", "@pay/gateway-program"])

/** The package that an import names: `@pay/schema/Money` is of `@pay/schema`; none for built-ins and own files. */
const packageOf = (specifier: string): string | undefined =>
  /^(?:node:|\.)/.test(specifier) ? undefined : /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0]

const reason = (from: string, to: string): string | undefined => {
  if (without[from]?.test(to)) return `${from} does without ${to}`
  const own = layers[from]
  const other = layers[to]
  if (own === undefined) return `${from} has no layer yet: give it one in tests/rules/Layers.ts`
  if (other === undefined || other < own) return undefined
  return from === to
    ? `${from} imports itself by name: import the file, "./X.ts"`
    : `${from} (layer ${own}) imports ${to} (layer ${other}): move what both need to a lower layer, or the code that needs both to a higher one`
}

/** The packages of this repository whose types the build of a package reads. */
export const builtFrom = ({ dependencies, name, peerDependencies }: Manifest): ReadonlyArray<string> =>
  bundled.has(name)
    ? ["@pay/flows", "@pay/gateway", "@pay/sandbox", "@pay/schema", "@pay/signing", "@pay/transport"]
    : Object.keys({ ...dependencies, ...peerDependencies })

/** What is wrong with the dependencies that a package declares. */
export const wrongDependencies = ({ name, ...manifest }: Manifest): ReadonlyArray<string> =>
  [manifest.dependencies, manifest.devDependencies, manifest.peerDependencies, manifest.optionalDependencies]
    .flatMap((group) => Object.keys(group ?? {}))
    .flatMap((dependency) => reason(name, dependency) ?? [])

/** What is wrong with one import in a package: its direction, or that whoever installs the package would not get it. */
export const wrongImport = (from: Manifest, specifier: string, published: boolean): string | undefined => {
  const to = packageOf(specifier)
  if (to === undefined) return undefined
  const direction = reason(from.name, to)
  if (direction !== undefined) return direction
  const declared = {
    ...from.dependencies,
    ...from.peerDependencies,
    ...(published && !bundled.has(from.name) ? {} : from.devDependencies)
  }
  return to in declared
    ? undefined
    : `${from.name} does not declare ${to}${published ? " as a dependency or a peer" : ""}`
}
