/**
 * Lives until each move of orders has met each fault, as far as it can: each next life aims at the move with the most empty cells,
 * and at the faults that it has not met. A move that lives in vain were aimed at waits longer, and fewer faults at a time are then
 * as frequent.
 */
import * as Coverage from "./Coverage.ts"
import * as Failure from "./Failure.ts"
import * as Pool from "./Pool.ts"
import * as Progress from "./Progress.ts"

const progressFile = "simulation-cover.json"

/** What is aimed at does not change what a cell says: that the product was right where a move met a fault. */
const beside = ["tests/simulation/aim", "tests/simulation/cli"]

interface Limits {
  readonly lives: number
  readonly ms: number
}

export const run = async ({ lives, ms }: Limits, steps: number): Promise<boolean> => {
  const progress = Progress.open(progressFile, 1, { steps })
  const sources = Progress.sourcesNow(beside)
  if (progress.lives > 0) console.log(`goes on after ${progress.lives} lives`)
  const [startedMs, earlierMs] = [performance.now(), progress.ms]
  const spentMs = () => performance.now() - startedMs
  const taken = new Set(progress.above)
  const failed: Array<Pool.Task> = []
  /** By the move: how many lives that aimed at it have filled none of its cells, since one did. */
  const vain = new Map<string, number>()
  const aimed = new Set<string>()
  let [seed, begun] = [progress.below, 0]

  const next = (): Pool.Task | undefined => {
    if (begun >= lives || spentMs() >= ms) return undefined
    const { empty } = Coverage.of(progress.cells)
    const worth = ([move, { length }]: readonly [string, ReadonlyArray<string>]) =>
      (length / (1 + (vain.get(move) ?? 0))) * (aimed.has(move) ? 0.5 : 1)
    const [result] = [...empty].sort((one, other) => worth(other) - worth(one))
    if (result === undefined) return undefined
    const [move, all] = result
    // Lives on files take several times as long: what needs none is met in memory first.
    const inMemory = all.filter((fault) => !Coverage.ofFiles.has(fault))
    const missing = inMemory.length > 0 ? inMemory : all
    while (taken.has(seed)) seed += 1
    seed += 1
    begun += 1
    aimed.add(move)
    const most = Math.max(1, Math.ceil(missing.length / (1 + (vain.get(move) ?? 0))))
    const from = seed % missing.length
    const faults = [...missing.slice(from), ...missing.slice(0, from)].slice(0, most)
    const plain = inMemory.length > 0 ? "memory" : "files"
    return { seed: seed - 1, steps, aim: { move, faults }, plain }
  }

  const line = () => {
    const coverage = Coverage.of(progress.cells)
    return `${progress.lives} lives, ${Coverage.emptyCells(coverage)} cells of ${coverage.empty.size} moves left`
  }
  const telling = setInterval(() => console.log(line()), 10_000)
  await Pool.run(next, (done) => {
    const move = done.task.aim?.move ?? ""
    aimed.delete(move)
    if (done.result.problems.length > 0) {
      failed.push(done.task)
      console.log(`fails: ${Failure.keep(done.task)}: ${done.result.problems[0]}`)
      return
    }
    const left = () => Coverage.of(progress.cells).empty.get(move)?.length ?? 0
    const before = left()
    Progress.add(progress, done, sources)
    vain.set(move, left() < before ? 0 : (vain.get(move) ?? 0) + 1)
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
