/**
 * Lives until each transition of orders has met each fault, as far as it can: each next run aims at the transition with the most empty cells,
 * and at the faults that it has not met. A transition that runs in vain were aimed at waits longer, and fewer faults at a time are then
 * as frequent.
 */
import * as Coverage from "./Coverage.ts"
import * as Failure from "./Failure.ts"
import * as Pool from "./Pool.ts"
import * as Progress from "./Progress.ts"

const progressFile = "simulation-cover.json"

/** What is aimed at does not change what a cell says: that the product was right where a transition met a fault. */
const beside = ["tests/simulation/goals", "tests/simulation/cli"]

interface Limits {
  readonly runs: number
  readonly ms: number
}

export const run = async ({ runs, ms }: Limits, steps: number): Promise<boolean> => {
  const progress = Progress.open(progressFile, 1, { steps })
  const sources = Progress.sourcesNow(beside)
  if (progress.runs > 0) console.log(`goes on after ${progress.runs} runs`)
  const [startedMs, earlierMs] = [performance.now(), progress.ms]
  const spentMs = () => performance.now() - startedMs
  const taken = new Set(progress.above)
  const failed: Array<Pool.Task> = []
  /** By the transition: how many runs that aimed at it have filled none of its cells, since one did. */
  const vain = new Map<string, number>()
  const aimed = new Set<string>()
  let [seed, begun] = [progress.below, 0]

  const next = (): Pool.Task | undefined => {
    if (begun >= runs || spentMs() >= ms) return undefined
    const { empty } = Coverage.of(progress.cells)
    const worth = ([transition, { length }]: readonly [string, ReadonlyArray<string>]) =>
      (length / (1 + (vain.get(transition) ?? 0))) * (aimed.has(transition) ? 0.5 : 1)
    const [result] = [...empty].sort((one, other) => worth(other) - worth(one))
    if (result === undefined) return undefined
    const [transition, all] = result
    // Lives on files take several times as long: what needs none is met in memory first.
    const inMemory = all.filter((fault) => !Coverage.ofFiles.has(fault))
    const missing = inMemory.length > 0 ? inMemory : all
    while (taken.has(seed)) seed += 1
    seed += 1
    begun += 1
    aimed.add(transition)
    const most = Math.max(1, Math.ceil(missing.length / (1 + (vain.get(transition) ?? 0))))
    const from = seed % missing.length
    const faults = [...missing.slice(from), ...missing.slice(0, from)].slice(0, most)
    const plain = inMemory.length > 0 ? "memory" : "files"
    return { seed: seed - 1, steps, goal: { transition, faults }, plain }
  }

  const line = () => {
    const coverage = Coverage.of(progress.cells)
    return `${progress.runs} runs, ${Coverage.emptyCells(coverage)} cells of ${coverage.empty.size} transitions left`
  }
  const telling = setInterval(() => console.log(line()), 10_000)
  await Pool.run(next, (done) => {
    const transition = done.task.goal?.transition ?? ""
    aimed.delete(transition)
    if (done.result.problems.length > 0) {
      failed.push(done.task)
      console.log(`fails: ${Failure.keep(done.task)}: ${done.result.problems[0]}`)
      return
    }
    const left = () => Coverage.of(progress.cells).empty.get(transition)?.length ?? 0
    const before = left()
    Progress.add(progress, done, sources)
    vain.set(transition, left() < before ? 0 : (vain.get(transition) ?? 0) + 1)
    progress.ms = earlierMs + spentMs()
    Progress.save(progressFile, progress)
  })
  clearInterval(telling)
  for (const row of Coverage.lines(progress.cells)) console.log(row)
  for (const row of Progress.partLines(progress)) console.log(row)
  console.log(`${line()}; ${Math.round(progress.ms / 1000)} s in all`)
  for (const task of failed) console.log(`fails: ${JSON.stringify(task)}`)
  return failed.length === 0 && Coverage.of(progress.cells).empty.size === 0
}
