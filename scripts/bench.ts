/**
 * `npm run bench`: runs every benchmark of bench/, each in its own process, so that the engine's optimizations for one benchmark
 * do not affect another. `npm run bench -- S G` runs those whose id or file name starts with S or G. Fails if a limit is missed.
 */
import { spawnSync } from "node:child_process"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import type { Benchmark } from "../tools/bench/Measure.ts"
import { root } from "./Workspace.ts"

const folder = join(root, "tools/bench")
const wanted = process.argv.slice(2)
const names: Array<string> = []
let runs = 0
let failed = false

for (const file of readdirSync(folder)
  .filter((name) => name.endsWith(".ts"))
  .sort()) {
  const module: { readonly default?: Benchmark } = await import(pathToFileURL(join(folder, file)).href)
  if (module.default === undefined) continue
  const own = [module.default.id, file.replace(/\.ts$/, "")]
  names.push(own.join(" or "))
  if (wanted.length > 0 && !wanted.some((prefix) => own.some((name) => name.startsWith(prefix)))) continue
  const { status } = spawnSync(process.execPath, [join(folder, file)], { cwd: folder, stdio: "inherit" })
  console.log()
  runs += 1
  if (status !== 0) failed = true
}
if (runs === 0) {
  console.error(`No benchmark has a name that starts with ${wanted.join(" or ")}. The names are: ${names.join(", ")}`)
}
process.exitCode = failed || runs === 0 ? 1 : 0
