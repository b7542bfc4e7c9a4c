/**
 * A thread that runs simulations one after another. A planted defect is put into its source file while that file is loaded, before
 * anything of the simulation.
 */
import { parentPort, workerData } from "node:worker_threads"
import { Duration } from "effect"
import * as Plant from "../planted/Plant.ts"
import type { Done, Task } from "./cli/Pool.ts"

if (workerData?.patch !== undefined) Plant.inThread(workerData.patch)

/** The waits of a merchant that polls seldom: as long in total as those of the flows, with a sixth of the requests. */
const seldom = [
  ...Array.from({ length: 10 }, () => Duration.seconds(30)),
  ...Array.from({ length: 5 }, () => Duration.minutes(11))
]

const { run } = await import("./Simulation.ts")
const { memory } = await import("./storage/Storage.ts")
const { sqlite } = await import("./storage/SqliteFiles.ts")

parentPort?.on("message", async (task: Task) => {
  const {
    goal,
    maxConcurrent,
    frequentFault,
    maxPayments,
    plain,
    polls,
    restores,
    seed,
    steps,
    ways,
    without = []
  } = task
  const storage = plain === undefined ? {} : { storage: plain === "memory" ? memory : sqlite(), durable: false }
  const options = {
    ...(maxConcurrent === undefined ? {} : { maxConcurrent }),
    ...(frequentFault === undefined ? {} : { frequentFault }),
    ...(maxPayments === undefined ? {} : { maxPayments }),
    ...(goal === undefined ? {} : { goal }),
    ...(restores === undefined ? {} : { restores }),
    ...(ways === undefined ? {} : { ways }),
    ...(polls === undefined ? {} : { pauses: seldom })
  }
  const startedMs = performance.now()
  const result = await run({ ...storage, ...options, seed, steps, without: new Set(without) }).catch(
    (defect: unknown) => ({
      hash: "",
      payments: 0,
      counts: {},
      transitions: {},
      answered: new Set<string>(),
      problems: [`the run failed: ${defect instanceof Error ? defect.stack : String(defect)}`],
      lines: []
    })
  )
  const lines = task.wantsLines === true ? result.lines : []
  const tookMs = performance.now() - startedMs
  const done: Done = { task, result: { ...result, lines }, tookMs }
  parentPort?.postMessage(done)
})
