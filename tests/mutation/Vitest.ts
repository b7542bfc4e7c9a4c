/** Runs vitest as a process of its own, so that endless tests can be stopped. */
import { spawn } from "node:child_process"
import { closeSync, existsSync, openSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "../../scripts/Workspace.ts"
import { type Plan, readEvents, type WorkerEvent } from "./Plan.ts"

const pollMs = 500
/** A process hangs if it computes longer than this without an event, plus this multiple of the usual time of its tests. */
const maxComputedMs = 20_000
const maxTimesLonger = 10
/** The limit while it loads modules and scans a whole test file. */
const maxScanMs = 600_000
/** Tests that wait forever compute nothing. They time out, or are stopped after this time. */
const maxIdleMs = 1_800_000

/** Returns the processor time if it can be read. On a busy machine, clock time does not show an endless loop. */
const computedMs = (pid: number): number => {
  if (!existsSync("/proc/self/stat")) return performance.now()
  const file = `/proc/${pid}/stat`
  if (!existsSync(file)) return 0
  const [user, system] = readFileSync(file, "utf8")
    .replace(/^.*\) /s, "")
    .split(" ")
    .slice(11, 13)
  return 10 * (Number(user) + Number(system))
}

const end = (pid: number) => {
  try {
    process.kill(pid, "SIGKILL")
  } catch {
    // The process has ended already.
  }
}

/** Runs a plan and reports each event once. */
export const run = async (
  folder: string,
  request: Omit<Plan, "eventsFile">,
  onEvent: (event: WorkerEvent) => void
): Promise<"ended" | "hung"> => {
  const planFile = join(folder, "plan.json")
  const plan: Plan = { ...request, eventsFile: join(folder, "news.jsonl") }
  writeFileSync(planFile, JSON.stringify(plan))
  writeFileSync(plan.eventsFile, "")
  const log = openSync(join(folder, "vitest.log"), "w")
  const vitest = join(root, "node_modules/vitest/vitest.mjs")
  const child = spawn(process.execPath, [vitest, "run", "--config", join(import.meta.dirname, "vitest.config.ts")], {
    cwd: root,
    stdio: ["ignore", log, log],
    env: { ...process.env, MUTATION_PLAN: planFile }
  })
  let pid: number | undefined
  const stop = () => {
    if (pid !== undefined) end(pid)
    child.kill()
  }
  process.once("exit", stop)
  let count = 0
  let last = { clockMs: performance.now(), computedMs: 0, limitMs: maxScanMs }
  const readNewEvents = () => {
    const events = readEvents(plan.eventsFile)
    for (const event of events.slice(count)) {
      if (event.tag === "started") pid = event.pid
      const usuallyMs = event.tag === "running" ? event.usuallyMs : 0
      last = {
        clockMs: performance.now(),
        computedMs: pid === undefined ? 0 : computedMs(pid),
        limitMs: event.tag === "scanning" ? maxScanMs : maxComputedMs + maxTimesLonger * usuallyMs
      }
      onEvent(event)
    }
    count = events.length
  }
  const isLate = () =>
    performance.now() - last.clockMs > maxIdleMs ||
    (pid !== undefined && computedMs(pid) - last.computedMs > last.limitMs)
  const { promise, reject, resolve } = Promise.withResolvers<"ended" | "hung">()
  let isHung = false
  const timer = setInterval(() => {
    try {
      readNewEvents()
      if (isHung || !isLate()) return
      isHung = true
      stop()
    } catch (error) {
      stop()
      reject(error)
    }
  }, pollMs)
  child.on("exit", () => {
    try {
      readNewEvents()
      resolve(isHung ? "hung" : "ended")
    } catch (error) {
      reject(error)
    }
  })
  return promise.finally(() => {
    clearInterval(timer)
    closeSync(log)
    process.removeListener("exit", stop)
  })
}
