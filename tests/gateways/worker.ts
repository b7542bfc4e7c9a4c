/** Runs one gateway on a thread of its own, and says its address. A planted defect is put in while its file is loaded. */
import { readFileSync } from "node:fs"
import { registerHooks } from "node:module"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { parentPort, workerData } from "node:worker_threads"
import { Effect } from "effect"
import type { Patch } from "../simulation/planted/Patch.ts"

const root = join(import.meta.dirname, "../..")
const patch: Patch = workerData.patch

registerHooks({
  load: (url, context, next) => {
    const path = join(root, patch.file)
    if (!url.startsWith("file:") || fileURLToPath(url) !== path) return next(url, context)
    const source = readFileSync(path, "utf8").replace(patch.find, () => patch.replace)
    return { format: "module-typescript", source, shortCircuit: true }
  }
})

const { gateway } = await import("./TestRun.ts")

await Effect.runPromise(
  Effect.scoped(
    Effect.gen(function* () {
      const baseUrl = yield* gateway()
      parentPort?.postMessage(baseUrl)
      return yield* Effect.never
    })
  )
)
