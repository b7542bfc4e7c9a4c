/**
 * Runs runs on a thread of its own: one after another, as they are handed out. A defect that is planted in a source file is put
 * there while the file is loaded, before anything of the world is.
 */
import { readFileSync } from "node:fs"
import { registerHooks } from "node:module"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { parentPort, workerData } from "node:worker_threads"
import { Duration } from "effect"
import type { Done, Task } from "./cli/Pool.ts"
import type { Patch } from "./planted/Patch.ts"

const root = join(import.meta.dirname, "../..")

/** What the thread was given at its start: the patch of one planted defect, or nothing. */
const patch: Patch | undefined = workerData?.patch

if (patch !== undefined) {
  const path = join(root, patch.file)
  registerHooks({
    load: (url, context, next) => {
      if (!url.startsWith("file:") || fileURLToPath(url) !== path) return next(url, context)
      const source = readFileSync(path, "utf8").replace(patch.find, () => patch.replace)
      return { format: "module-typescript", source, shortCircuit: true }
    }
  })
}

/** The waits of a merchant that polls seldom: as long in all as those of the flows, with a sixth of the requests. */
const seldom = [
  ...Array.from({ length: 10 }, () => Duration.seconds(30)),
  ...Array.from({ length: 5 }, () => Duration.minutes(11))
]

const { run } = await import("./Simulation.ts")
const { memory } = await import("./storage/Storage.ts")
const { sqlite } = await import("./storage/SqliteFiles.ts")

parentPort?.on("message", async (task: Task) => {
  const { goal, maxConcurrent, frequentFault, plain, polls, seed, steps, without = [] } = task
  const storage = plain === undefined ? {} : { storage: plain === "memory" ? memory : sqlite(), durable: false }
  const crowd = {
    ...(maxConcurrent === undefined ? {} : { maxConcurrent }),
    ...(frequentFault === undefined ? {} : { frequentFault }),
    ...(goal === undefined ? {} : { goal }),
    ...(polls === undefined ? {} : { pauses: seldom })
  }
  const startedMs = performance.now()
  const result = await run({ ...storage, ...crowd, seed, steps, without: new Set(without) }).catch(
    (defect: unknown) => ({
      hash: "",
      payments: 0,
      counts: {},
      transitions: {},
      answered: new Set<string>(),
      problems: [`the run died: ${defect instanceof Error ? defect.stack : String(defect)}`],
      lines: []
    })
  )
  const lines = task.wantsLines === true ? result.lines : []
  const done: Done = { task, result: { ...result, lines }, tookMs: performance.now() - startedMs }
  parentPort?.postMessage(done)
})
