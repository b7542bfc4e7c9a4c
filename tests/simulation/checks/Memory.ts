/**
 * What the processes of a run keep when nothing is left to be done. What a process keeps in memory is measured by ending it: it
 * is what can be collected then and could not before.
 */
import { getHeapStatistics, setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import type { Effect } from "effect"
import * as Account from "../merchant/Account.ts"
import type { SimulationRun } from "../SimulationRun.ts"
import type { World } from "../World.ts"
import type { Check, Problems } from "./Check.ts"

/** What one process kept. */
export interface Retained {
  /** What waited for its time. */
  readonly waiting: number
  /** Undefined: not measured. */
  readonly bytes: number | undefined
}

let collector: unknown

/** What is in use, in bytes, after everything unreachable is collected; undefined: this engine cannot collect on request. */
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

/** Ends a process, and returns what it kept until then. */
export const retainedUntil = async (
  { loop, run, settle }: Pick<World, "loop" | "run" | "settle">,
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

/** The gateway looks again from time to time after what is due, what is old, and its clock. */
const loops = 5

/** An empty process with its caches, which are full after some thousand requests. */
const processBytes = 8_000_000
const bytesPerRequest = 4_000

/** What is too much for a process that was asked for so much. */
export const exceeded = (
  name: string,
  { bytes = 0, waiting }: Retained,
  maxWaiting: number,
  requests: number
): Problems => [
  ...(waiting > maxWaiting
    ? [`${name}: ${waiting} things wait for their time, at most ${maxWaiting} were expected`]
    : []),
  ...(bytes > processBytes + bytesPerRequest * requests
    ? [`${name} keeps ${bytes} bytes after ${requests} requests`]
    : [])
]

/** A file of durable flows for each endpoint, with its log before that is written back; and so much for each flow. */
const fileBytes = 10_000_000
const bytesPerFlow = 50_000

/** Collecting what is free takes seconds in a large run: it is done for one of so many seeds. */
const measuredEvery = 16

const ended = async ({ actions, world }: SimulationRun): Promise<Problems> => {
  const isMeasured = world.seed % measuredEvery === 0
  const problems = [
    ...exceeded(
      "the gateway",
      await retainedUntil(world, world.gateway.kill(), isMeasured),
      loops,
      world.exchanges.length
    )
  ]
  for (const { account, disk, kill } of world.merchants) {
    const { login } = account
    const flows = [...actions.values()].filter(({ intent }) => intent.login === login)
    const runs = flows.reduce((sum, { intent }) => sum + intent.attempts, 0)
    const bytes = disk.bytes()
    if (bytes > fileBytes * Account.endpoints.length + bytesPerFlow * runs)
      problems.push(`${login} has ${bytes} bytes of files after ${runs} runs of flows`)
    // A request of a flow is followed by a few questions.
    problems.push(...exceeded(login, await retainedUntil(world, kill, isMeasured), 0, 10 * runs))
  }
  return problems
}

export const memory: Check = {
  name: "memory",
  what: "In the end nothing waits for its time but a few loops of the gateway. The files of durable flows, and in one of 16 seeds the memory of each process, are in proportion to the requests.",
  begin: (simulation) => ({ atEnd: () => ended(simulation) })
}
