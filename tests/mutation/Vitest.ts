/** Vitest as a process of its own, so that tests that never end can be stopped. */
import { spawn } from "node:child_process"
import { closeSync, existsSync, openSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "../../scripts/Workspace.ts"
import { listen, type News, type Plan } from "./Plan.ts"

const lookMs = 500
/** A process that computes for so long without a word hangs, and longer than tests usually take. */
const mostComputedMs = 20_000
const mostTimesLonger = 10
/** While it loads modules and looks at a whole test file. */
const mostLookingMs = 600_000
/** Tests that wait for what never comes compute nothing: they time out by themselves, or are stopped after so long. */
const mostIdleMs = 1_800_000

/** Processor time, where it can be read: on a busy machine, time by the clock says nothing of a loop without an end. */
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
    // It has ended by itself.
  }
}

/** Runs a plan and tells each piece of news once. */
export const run = async (
  folder: string,
  request: Omit<Plan, "news">,
  report: (news: News) => void
): Promise<"ended" | "hung"> => {
  const planFile = join(folder, "plan.json")
  const plan: Plan = { ...request, news: join(folder, "news.jsonl") }
  writeFileSync(planFile, JSON.stringify(plan))
  writeFileSync(plan.news, "")
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
  let last = { clockMs: performance.now(), computedMs: 0, mostMs: mostLookingMs }
  const hear = () => {
    const news = listen(plan.news)
    for (const piece of news.slice(count)) {
      if (piece.tag === "started") pid = piece.pid
      const usuallyMs = piece.tag === "running" ? piece.usuallyMs : 0
      last = {
        clockMs: performance.now(),
        computedMs: pid === undefined ? 0 : computedMs(pid),
        mostMs: piece.tag === "looking" ? mostLookingMs : mostComputedMs + mostTimesLonger * usuallyMs
      }
      report(piece)
    }
    count = news.length
  }
  const isLate = () =>
    performance.now() - last.clockMs > mostIdleMs ||
    (pid !== undefined && computedMs(pid) - last.computedMs > last.mostMs)
  const { promise, reject, resolve } = Promise.withResolvers<"ended" | "hung">()
  let isHung = false
  const timer = setInterval(() => {
    try {
      hear()
      if (isHung || !isLate()) return
      isHung = true
      stop()
    } catch (error) {
      stop()
      reject(error)
    }
  }, lookMs)
  child.on("exit", () => {
    try {
      hear()
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
