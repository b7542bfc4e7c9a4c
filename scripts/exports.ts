/**
 * Writes the address of the repository into the package.json of each published package, and `publishConfig.exports` of each
 * library from its `exports`. In the repository, a public module maps to its source; in the published package, it maps to its
 * build.
 */
import { libraries, type Manifest, publishedPackages, read } from "./Workspace.ts"

const built = (source: string, type: unknown) => {
  const module = source.replace(/^\.\/src\//, "./dist/").replace(/\.ts$/, "")
  const common = { types: `${module}.d.ts`, default: `${module}.js` }
  return type === "commonjs" ? { import: { types: `${module}.d.mts`, default: `${module}.mjs` }, ...common } : common
}

/**
 * Returns every public module by name, with its types and its code. There are no patterns, so that no module is public by
 * accident. A package that is published as CommonJS has a module for `import`, too.
 */
export const published = (exports: NonNullable<Manifest["exports"]>, type?: unknown) =>
  Object.fromEntries(Object.entries(exports).map(([subpath, source]) => [subpath, built(source, type)]))

/** The one address of the repository, from which the others follow: `homepage` of the root's package.json. */
const { homepage } = JSON.parse(read("package.json"))

/** Returns the package.json of each published package as it must be. */
export default async (): Promise<Record<string, string>> =>
  Object.fromEntries(
    publishedPackages.map((pkg) => {
      const path = `${pkg.folder}/package.json`
      const manifest = JSON.parse(read(path))
      manifest.repository = { type: "git", url: `git+${homepage}.git`, directory: pkg.folder }
      manifest.homepage = `${homepage}/tree/main/${pkg.folder}#readme`
      manifest.bugs = `${homepage}/issues`
      if (libraries.includes(pkg))
        manifest.publishConfig = {
          ...manifest.publishConfig,
          exports: published(manifest.exports, manifest.publishConfig?.type)
        }
      return [path, `${JSON.stringify(manifest, null, 2)}\n`]
    })
  )
