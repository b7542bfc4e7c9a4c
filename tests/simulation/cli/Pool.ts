/** Threads that run runs. */
import { availableParallelism } from "node:os"
import { join } from "node:path"
import { Worker } from "node:worker_threads"
import type { CoverageGoal } from "../goals/CoverageGoal.ts"
import type { Patch } from "../planted/Patch.ts"
import type { Result } from "../Simulation.ts"

/** One run, as a thread is asked for it and as a file keeps it. */
export interface Task {
  readonly seed: number
  readonly steps: number
  /** Steps that are left out. */
  readonly without?: ReadonlyArray<number>
  /** How many payments a merchant begins at once, at most. Default: few. */
  readonly maxConcurrent?: number
  /** The name of a fault that happens far more often than others. Default: as the seed draws. */
  readonly frequentFault?: string
  /** What it is to have much of. Default: as the seed draws. */
  readonly goal?: CoverageGoal
  /** All flows in memory, and the gateway's store in memory or on files, whatever the seed would draw. */
  readonly plain?: "memory" | "files"
  /** Whether merchants request the status of a payment seldom, and rely on callbacks. Default: as often as flows do. */
  readonly polls?: "seldom"
  /** Whether the log is wanted. */
  readonly wantsLines?: boolean
}

export interface Done {
  readonly task: Task
  readonly result: Result
  readonly tookMs: number
}

export interface Thread {
  /** One at a time. */
  readonly run: (task: Task) => Promise<Done>
  readonly end: () => Promise<void>
}

/** `patch`: a defect that is planted in it. */
export const thread = (patch?: Patch): Thread => {
  const worker = new Worker(join(import.meta.dirname, "../worker.ts"), { workerData: { patch } })
  return {
    run: (task) =>
      new Promise((resolve, reject) => {
        const leave = () => {
          worker.off("error", onError)
          worker.off("message", onDone)
        }
        const onError = (error: Error) => {
          leave()
          reject(error)
        }
        const onDone = (done: Done) => {
          leave()
          resolve(done)
        }
        worker.on("error", onError)
        worker.on("message", onDone)
        worker.postMessage(task)
      }),
    end: async () => {
      await worker.terminate()
    }
  }
}

/** Does the work with so many threads at once; default: one for each core. */
export const eachThread = async (work: () => Promise<void>, threads = availableParallelism()): Promise<void> => {
  await Promise.all(Array.from({ length: threads }, work))
}

/** Runs what `next` hands out until it has nothing more, on all cores; each that is done is reported as it ends. */
export const run = (next: () => Task | undefined, tell: (done: Done) => void): Promise<void> =>
  eachThread(async () => {
    const own = thread()
    for (let task = next(); task !== undefined; task = next()) tell(await own.run(task))
    await own.end()
  })

/** One run on a thread of its own. */
export const single = async (task: Task): Promise<Done> => {
  const own = thread()
  const done = await own.run(task)
  await own.end()
  return done
}
