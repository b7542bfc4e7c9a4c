/**
 * Moves source files as `moves.json` defines, and changes every import and path that names them. Files that were moved before are
 * not changed, so the script can run again: `node scripts/restructure/move.mjs`.
 */
import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { dirname, join, relative, resolve } from "node:path"

const root = resolve(import.meta.dirname, "../..")
const { moves, root: base } = JSON.parse(readFileSync(join(import.meta.dirname, "moves.json"), "utf8"))
const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], { cwd: root, encoding: "utf8" })
  .split("\n")
  .filter((path) => /\.(ts|mts|mjs|md|json)$/.test(path) && existsSync(join(root, path)))
  .filter((path) => !path.startsWith("scripts/restructure/"))

/** The old and the new absolute path of each file that is moved. */
const moved = new Map(
  Object.entries(moves)
    .map(([from, to]) => [join(root, base, `${from}.ts`), join(root, base, `${to}.ts`)])
    .filter(([from]) => existsSync(from))
)

/** Returns the import specifier from one file to another. */
const specifier = (from, to) => {
  const path = relative(dirname(from), to)
  return path.startsWith(".") ? path : `./${path}`
}

const imports = (text, path) => {
  const after = moved.get(path) ?? path
  return text.replace(/\b(from |import |import\()"(\.{1,2}\/[^"]+\.ts)"/g, (whole, before, target) => {
    const absolute = resolve(dirname(path), target)
    const now = moved.get(absolute) ?? absolute
    return now === absolute && after === path ? whole : `${before}"${specifier(after, now)}"`
  })
}

/** Replaces the paths from the repository's root, and the paths in the package's exports. */
const paths = (text, isManifest) => {
  let next = text
  for (const [from, to] of moved) {
    const [old, now] = [from, to].map((path) => relative(join(root, base), path).replace(/\.ts$/, ""))
    next = next.replaceAll(`${base}/${old}.ts`, `${base}/${now}.ts`)
    if (!isManifest) continue
    next = next
      .replaceAll(`"./src/${old}.ts"`, `"./src/${now}.ts"`)
      .replaceAll(`"./dist/${old}.js"`, `"./dist/${now}.js"`)
      .replaceAll(`"./dist/${old}.d.ts"`, `"./dist/${now}.d.ts"`)
  }
  return next
}

for (const path of files) {
  const absolute = join(root, path)
  const text = readFileSync(absolute, "utf8")
  const isManifest = absolute === join(root, base, "../package.json")
  const next = paths(path.endsWith(".ts") ? imports(text, absolute) : text, isManifest)
  if (next !== text) writeFileSync(absolute, next)
}
for (const [from, to] of moved) {
  mkdirSync(dirname(to), { recursive: true })
  renameSync(from, to)
}
console.log(`${moved.size} of ${Object.keys(moves).length} files moved`)
