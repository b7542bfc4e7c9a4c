/** `npm run docs`: writes every generated file. `npm run check` fails if a generated file is stale. */
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { generate, stale } from "./GeneratedFiles.ts"
import { root } from "./Workspace.ts"

const generated = await generate()
const changed = stale(generated)
for (const path of changed) {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), generated[path] ?? "")
  console.log(`written: ${path}`)
}
console.log(`${Object.keys(generated).length} generated files, ${changed.length} changed`)
