/** Threads that run simulations. */
import { availableParallelism } from "node:os"
import { join } from "node:path"
import { Worker } from "node:worker_threads"
import type { Way } from "@pay/gateway/Acquirer"
import type { Patch } from "../../planted/Defect.ts"
import type { CoverageGoal } from "../goals/CoverageGoal.ts"
import type { Result } from "../Simulation.ts"

/** The parameters of one run, as a thread gets them and as a replay file stores them. */
export interface Task {
  readonly seed: number
  readonly steps: number
  /** Steps that are left out. */
  readonly without?: ReadonlyArray<number>
  /** The maximum number of payments that a merchant starts at once. Default: 20. */
  readonly maxConcurrent?: number
  /** The number of payments after which no further step happens. Default: no limit. */
  readonly maxPayments?: number
  /** The name of a fault that is far more frequent than the others. Default: drawn from the seed. */
  readonly frequentFault?: string
  /** Whether backups of the gateway's store are restored. Default: drawn from the seed. */
  readonly restores?: boolean
  /** How the bank ends lost answers to requests of every kind. Default: drawn from the seed. */
  readonly ways?: ReadonlyArray<Way>
  /** The transition and the faults that the run should reach. Default: none. */
  readonly goal?: CoverageGoal
  /** Puts all flows in memory, and the gateway's store in memory or on files. Default: drawn from the seed. */
  readonly plain?: "memory" | "files"
  /** Whether merchants request the status of a payment seldom, and rely on callbacks. Default: as often as flows do. */
  readonly polls?: "seldom"
  /** Whether the result contains the log. */
  readonly wantsLines?: boolean
}

export interface Done {
  readonly task: Task
  readonly result: Result
  readonly tookMs: number
}

export interface Thread {
  /** Runs one task. A thread runs one task at a time. */
  readonly run: (task: Task) => Promise<Done>
  readonly end: () => Promise<void>
}

/** Starts a thread. `patch`: a defect that is planted in the sources that it loads. */
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

/** Does the work this number of times concurrently. Default: once for each core. */
export const eachThread = async (work: () => Promise<void>, threads = availableParallelism()): Promise<void> => {
  await Promise.all(Array.from({ length: threads }, work))
}

/** Runs the tasks that `next` returns on all cores, until it returns none. Reports each result. */
export const run = (next: () => Task | undefined, onDone: (done: Done) => void): Promise<void> =>
  eachThread(async () => {
    const own = thread()
    for (let task = next(); task !== undefined; task = next()) onDone(await own.run(task))
    await own.end()
  })

/** Runs one task on a thread of its own. */
export const single = async (task: Task): Promise<Done> => {
  const own = thread()
  const done = await own.run(task)
  await own.end()
  return done
}
