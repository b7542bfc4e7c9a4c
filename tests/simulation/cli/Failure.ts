/** The report of a run that fails: the shortest one that still does, as a log, as a file and as a test. */
import { writeFileSync } from "node:fs"
import * as Shrink from "../Shrink.ts"
import * as Pool from "./Pool.ts"

const all = (steps: number) => Array.from({ length: steps }, (_, index) => index)

/** To be put beside the seeds that once failed. */
export const asTest = (
  { maxConcurrent, seed, steps, without = [] }: Pool.Task,
  problems: ReadonlyArray<string>
): string => {
  const left = new Set(without)
  const crowd = maxConcurrent === undefined ? "" : ` maxConcurrent: ${maxConcurrent},`
  const kept = all(steps).filter((index) => !left.has(index))
  return [
    `it("seed ${seed}: ${(problems[0] ?? "").replace(/["\\\n]/g, " ").slice(0, 80)}", async () => {`,
    `  const kept = new Set([${kept.join(", ")}])`,
    `  const without = new Set(Array.from({ length: ${steps} }, (_, index) => index).filter((index) => !kept.has(index)))`,
    `  const { lines, problems } = await Simulation.run({ seed: ${seed}, steps: ${steps},${crowd} without })`,
    `  assert.deepStrictEqual(problems, [], lines.slice(-200).join("\\n"))`,
    "})"
  ].join("\n")
}

/** Writes a file that runs the run again, and answers its name. */
export const keep = ({ wantsLines: _, ...task }: Pool.Task): string => {
  const file = `simulation-${task.seed}.json`
  writeFileSync(file, `${JSON.stringify(task)}\n`)
  return file
}

/** Looks for the shortest run that still fails, and says everything that is known of it. */
export const explain = async (failed: Pool.Task): Promise<string> => {
  const { seed, steps } = failed
  console.log(`seed ${seed} fails; looking for the shortest run that still does`)
  const without = (kept: ReadonlyArray<number>) => {
    const names = new Set(kept)
    return all(steps).filter((index) => !names.has(index))
  }
  const thread = Pool.thread()
  let tries = 0
  const { kept } = await Shrink.shrink(steps, async (entries) => {
    tries += 1
    if (tries % 20 === 0) console.log(`${tries} shorter runs tried`)
    const { result } = await thread.run({ ...failed, without: without(entries) })
    return result.problems.length > 0
  })
  const task: Pool.Task = { ...failed, without: without(kept), wantsLines: true }
  const { result } = await thread.run(task)
  await thread.end()
  const file = keep(task)
  return [
    ...result.lines.slice(-400),
    "",
    ...result.problems,
    "",
    `${kept.length} steps of ${steps} are left. Once more: npm run simulate -- --replay ${file}`,
    "As a test:",
    "",
    asTest(task, result.problems)
  ].join("\n")
}
