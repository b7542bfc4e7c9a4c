/**
 * The memory and timers that the processes of a run retain when no work is left. The memory of a process is measured by ending it:
 * it is what the garbage collector frees after that.
 */
import { getHeapStatistics, setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import type { Effect } from "effect"
import * as Account from "../merchant/Account.ts"
import type { SimulatedSystem } from "../SimulatedSystem.ts"
import type { SimulationRun } from "../SimulationRun.ts"
import type { Check, Problems } from "./Check.ts"

/** What a process retained. */
export interface Retained {
  /** The number of its timers. */
  readonly waiting: number
  /** Undefined if not measured. */
  readonly bytes: number | undefined
}

let collector: unknown

/** Returns the used bytes after a garbage collection; undefined if the engine cannot collect on request. */
const usedBytes = (): number | undefined => {
  if (collector === undefined) {
    setFlagsFromString("--expose-gc")
    collector = runInNewContext("globalThis.gc") ?? null
  }
  if (typeof collector !== "function") return undefined
  for (let round = 0; round < 2; round += 1) collector()
  const { external_memory, used_heap_size } = getHeapStatistics()
  return used_heap_size + external_memory
}

/** Ends a process, and returns what it retained until then. */
export const retainedUntil = async (
  { loop, run, settle }: Pick<SimulatedSystem, "loop" | "run" | "settle">,
  end: Effect.Effect<void>,
  isMeasured: boolean
): Promise<Retained> => {
  await settle()
  const waiting = loop.sleeping()
  const before = isMeasured ? usedBytes() : undefined
  await run(end)
  await settle()
  const after = before === undefined ? undefined : usedBytes()
  return {
    waiting: waiting - loop.sleeping(),
    bytes: before === undefined || after === undefined ? undefined : before - after
  }
}

/** The gateway's periodic tasks, such as the scheduler and housekeeping. */
const periodicTasks = 5

/** The memory of an empty process with full caches. */
const processBytes = 8_000_000
const bytesPerRequest = 4_000

/** Reports a process that retained too much for its number of requests. */
export const exceeded = (
  name: string,
  { bytes = 0, waiting }: Retained,
  maxWaiting: number,
  requests: number
): Problems => [
  ...(waiting > maxWaiting ? [`${name}: ${waiting} timers are left, at most ${maxWaiting} were expected`] : []),
  ...(bytes > processBytes + bytesPerRequest * requests
    ? [`${name} retains ${bytes} bytes after ${requests} requests`]
    : [])
]

/** The maximum size of a file of durable flows with its log, and of each flow in it. */
const fileBytes = 10_000_000
const bytesPerFlow = 50_000

/** A garbage collection takes seconds in a large run, so that only one of so many seeds is measured. */
const measuredEvery = 16

const ended = async ({ actions, system }: SimulationRun): Promise<Problems> => {
  const isMeasured = system.seed % measuredEvery === 0
  const problems = [
    ...exceeded(
      "the gateway",
      await retainedUntil(system, system.gateway.kill(), isMeasured),
      periodicTasks,
      system.exchanges.length
    )
  ]
  for (const { account, disk, kill } of system.merchants) {
    const { login } = account
    const flows = [...actions.values()].filter(({ intent }) => intent.login === login)
    const runs = flows.reduce((sum, { intent }) => sum + intent.attempts, 0)
    const bytes = disk.bytes()
    if (bytes > fileBytes * Account.endpoints.length + bytesPerFlow * runs)
      problems.push(`${login} has ${bytes} bytes of files after ${runs} runs of flows`)
    // A flow sends a few status requests for each request.
    problems.push(...exceeded(login, await retainedUntil(system, kill, isMeasured), 0, 10 * runs))
  }
  return problems
}

export const memory: Check = {
  name: "memory",
  what: "At the end only a few periodic tasks of the gateway have timers. The files of durable flows, and in one of 16 seeds the memory of each process, are in proportion to the requests.",
  begin: (simulation) => ({ atEnd: () => ended(simulation) })
}
