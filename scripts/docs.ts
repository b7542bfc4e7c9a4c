/** `npm run docs`: writes every generated file. `npm run check` fails if a generated file is stale. */
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { generate, stale } from "./GeneratedFiles.ts"
import { root } from "./Workspace.ts"

/** `docs/operations.md` is made from `docs/served.json`, which is generated too: a second round brings it up to date. */
const rounds = 2
const written = new Set<string>()
let files = 0

for (let round = 1; round <= rounds; round += 1) {
  const generated = await generate()
  const changed = stale(generated)
  for (const path of changed) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), generated[path] ?? "")
    if (!written.has(path)) console.log(`written: ${path}`)
    written.add(path)
  }
  files = Object.keys(generated).length
  if (changed.length === 0) break
}
console.log(`${files} generated files, ${written.size} changed`)
