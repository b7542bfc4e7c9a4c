/**
 * Runs simulations until each transition of orders has met each possible fault. The goal of each run is the transition with the most
 * empty cells, and its missing faults. A transition whose runs filled no cell gets a lower priority, and fewer faults at a time.
 */
import * as Coverage from "./Coverage.ts"
import * as Failure from "./Failure.ts"
import * as Pool from "./Pool.ts"
import * as Progress from "./Progress.ts"

const progressFile = "simulation-cover.json"

/** Folders whose changes do not invalidate filled cells, because goals do not change what the checks found. */
const ignoredFolders = ["tests/simulation/goals", "tests/simulation/cli"]

interface Limits {
  readonly runs: number
  readonly ms: number
}

export const run = async ({ runs, ms }: Limits, steps: number): Promise<boolean> => {
  const progress = Progress.open(progressFile, 1, { steps })
  const sources = Progress.sourcesNow(ignoredFolders)
  if (progress.runs > 0) console.log(`continues after ${progress.runs} runs`)
  const [startedMs, earlierMs] = [performance.now(), progress.ms]
  const spentMs = () => performance.now() - startedMs
  const finishedSeeds = new Set(progress.above)
  const failed: Array<Pool.Task> = []
  /** The number of runs since the last one that filled a cell of the transition, by transition. */
  const fruitlessRuns = new Map<string, number>()
  const targeted = new Set<string>()
  let [seed, started] = [progress.below, 0]

  const next = (): Pool.Task | undefined => {
    if (started >= runs || spentMs() >= ms) return undefined
    const { empty } = Coverage.of(progress.cells)
    const priority = ([transition, { length }]: readonly [string, ReadonlyArray<string>]) =>
      (length / (1 + (fruitlessRuns.get(transition) ?? 0))) * (targeted.has(transition) ? 0.5 : 1)
    const [result] = [...empty].sort((one, other) => priority(other) - priority(one))
    if (result === undefined) return undefined
    const [transition, all] = result
    // Runs on files take several times as long, so that faults without files come first.
    const inMemory = all.filter((fault) => !Coverage.fileFaults.has(fault))
    const missing = inMemory.length > 0 ? inMemory : all
    while (finishedSeeds.has(seed)) seed += 1
    seed += 1
    started += 1
    targeted.add(transition)
    const most = Math.max(1, Math.ceil(missing.length / (1 + (fruitlessRuns.get(transition) ?? 0))))
    const from = seed % missing.length
    const faults = [...missing.slice(from), ...missing.slice(0, from)].slice(0, most)
    const plain = inMemory.length > 0 ? "memory" : "files"
    return { seed: seed - 1, steps, goal: { transition, faults }, plain }
  }

  const line = () => {
    const coverage = Coverage.of(progress.cells)
    return `${progress.runs} runs, ${Coverage.emptyCells(coverage)} cells of ${coverage.empty.size} transitions empty`
  }
  const progressTimer = setInterval(() => console.log(line()), 10_000)
  await Pool.run(next, (done) => {
    const transition = done.task.goal?.transition ?? ""
    targeted.delete(transition)
    if (done.result.problems.length > 0) {
      failed.push(done.task)
      console.log(`failed: ${Failure.saveReplay(done.task)}: ${done.result.problems[0]}`)
      return
    }
    const left = () => Coverage.of(progress.cells).empty.get(transition)?.length ?? 0
    const before = left()
    Progress.add(progress, done, sources)
    fruitlessRuns.set(transition, left() < before ? 0 : (fruitlessRuns.get(transition) ?? 0) + 1)
    progress.ms = earlierMs + spentMs()
    Progress.save(progressFile, progress)
  })
  clearInterval(progressTimer)
  for (const row of Coverage.lines(progress.cells)) console.log(row)
  for (const row of Progress.partLines(progress)) console.log(row)
  console.log(`${line()}; ${Math.round(progress.ms / 1000)} s in total`)
  for (const task of failed) console.log(`failed: ${JSON.stringify(task)}`)
  return failed.length === 0 && Coverage.of(progress.cells).empty.size === 0
}
