/**
 * Writes `publishConfig.exports` of each library from its `exports`, and the address of the repository. In the repository, a
 * public module maps to its source; in the published package, it maps to its build.
 */
import { libraries, type Manifest, read } from "./Workspace.ts"

const built = (source: string) => {
  const module = source.replace(/^\.\/src\//, "./dist/").replace(/\.ts$/, "")
  return { types: `${module}.d.ts`, default: `${module}.js` }
}

/**
 * Returns every public module by name, with its types and its code. There are no patterns, so that no module is public by
 * accident.
 */
export const published = (exports: NonNullable<Manifest["exports"]>) =>
  Object.fromEntries(Object.entries(exports).map(([subpath, source]) => [subpath, built(source)]))

const { bugs, homepage, repository } = JSON.parse(read("package.json"))

/** Returns the package.json of each library as it must be. The address of the repository comes from the root's package.json. */
export default async (): Promise<Record<string, string>> =>
  Object.fromEntries(
    libraries.map(({ folder }) => {
      const path = `${folder}/package.json`
      const manifest = JSON.parse(read(path))
      manifest.publishConfig = { ...manifest.publishConfig, exports: published(manifest.exports) }
      manifest.repository = { ...repository, directory: folder }
      manifest.homepage = `${homepage}/tree/main/${folder}#readme`
      manifest.bugs = bugs
      return [path, `${JSON.stringify(manifest, null, 2)}\n`]
    })
  )
