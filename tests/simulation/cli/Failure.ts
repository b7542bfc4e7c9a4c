/** Reports a failed run: the shortest run that still fails, as a log, as a file and as a test. */
import { writeFileSync } from "node:fs"
import * as Shrink from "../Shrink.ts"
import * as Pool from "./Pool.ts"

const all = (steps: number) => Array.from({ length: steps }, (_, index) => index)

/** Returns a test that runs the failure again. */
const asTest = ({ maxConcurrent, seed, steps, without = [] }: Pool.Task, problems: ReadonlyArray<string>): string => {
  const excluded = new Set(without)
  const concurrency = maxConcurrent === undefined ? "" : ` maxConcurrent: ${maxConcurrent},`
  const kept = all(steps).filter((index) => !excluded.has(index))
  return [
    `it("seed ${seed}: ${(problems[0] ?? "").replace(/["\\\n]/g, " ").slice(0, 80)}", async () => {`,
    `  const kept = new Set([${kept.join(", ")}])`,
    `  const without = new Set(Array.from({ length: ${steps} }, (_, index) => index).filter((index) => !kept.has(index)))`,
    `  const { lines, problems } = await Simulation.run({ seed: ${seed}, steps: ${steps},${concurrency} without })`,
    `  assert.deepStrictEqual(problems, [], lines.slice(-200).join("\\n"))`,
    "})"
  ].join("\n")
}

/** Writes a file that `--replay` runs again, and returns its name. */
export const saveReplay = ({ wantsLines: _, ...task }: Pool.Task): string => {
  const file = `simulation-${task.seed}.json`
  writeFileSync(file, `${JSON.stringify(task)}\n`)
  return file
}

/** Searches for the shortest run that still fails, and returns a description of it. */
export const explain = async (failed: Pool.Task): Promise<string> => {
  const { seed, steps } = failed
  console.log(`seed ${seed} fails; searching for the shortest run that still fails`)
  const without = (kept: ReadonlyArray<number>) => {
    const names = new Set(kept)
    return all(steps).filter((index) => !names.has(index))
  }
  const thread = Pool.thread()
  let tries = 0
  const { steps: remaining } = await Shrink.shrink(steps, async (entries) => {
    tries += 1
    if (tries % 20 === 0) console.log(`${tries} shorter runs tried`)
    const { result } = await thread.run({ ...failed, without: without(entries) })
    return result.problems.length > 0
  })
  const task: Pool.Task = { ...failed, without: without(remaining), wantsLines: true }
  const { result } = await thread.run(task)
  await thread.end()
  const file = saveReplay(task)
  return [
    ...result.lines.slice(-400),
    "",
    ...result.problems,
    "",
    `${remaining.length} of ${steps} steps remain. Run it again: npm run simulate -- --replay ${file}`,
    "As a test:",
    "",
    asTest(task, result.problems)
  ].join("\n")
}
