/**
 * What is published is not what is edited: in the repository a public module maps to its source, in the tarball to
 * its build. This writes the second map (`publishConfig.exports`) from the first (`exports`), and where the repository is.
 */
import { libraries, type Manifest, read } from "./Workspace.ts"

const built = (source: string) => {
  const module = source.replace(/^\.\/src\//, "./dist/").replace(/\.ts$/, "")
  return { types: `${module}.d.ts`, default: `${module}.js` }
}

/** Every public module by name, with its types and its code; never a pattern, so that nothing is public by accident. */
export const published = (exports: NonNullable<Manifest["exports"]>) =>
  Object.fromEntries(Object.entries(exports).map(([subpath, source]) => [subpath, built(source)]))

const { bugs, homepage, repository } = JSON.parse(read("package.json"))

/** The package.json of each library as it should be. Where the repository is, that of the root says. */
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
