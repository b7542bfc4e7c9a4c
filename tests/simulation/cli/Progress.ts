/** What a long run has done so far, kept in a file: a run that was cut off goes on where it was. */
import { createHash } from "node:crypto"
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Coverage from "./Coverage.ts"
import type { Done, Task } from "./Pool.ts"

const root = join(import.meta.dirname, "../../..")

interface Part {
  runs: number
  payments: number
}

/** The format of the file. A file of another format is not continued. */
const format = 2

export interface Progress {
  readonly format: number
  /** How much was done with which sources, by their hash: what failed was mended, and the run went on. */
  readonly parts: Record<string, Part>
  readonly first: number
  readonly steps: number
  readonly maxConcurrent: number | undefined
  payments: number
  runs: number
  /** Time that was spent, over all runs. */
  ms: number
  /** All seeds below are done. */
  below: number
  /** Those done at or above it. */
  above: Array<number>
  counts: Record<string, number>
  cells: Coverage.Cells
}

/** A hash of everything that takes part; `beside`: folders that do not. */
export const sourcesNow = (beside: ReadonlyArray<string> = []): string => {
  const hash = createHash("sha256")
  const folders = ["tests/simulation", ...readdirSync(join(root, "packages")).map((name) => `packages/${name}/src`)]
  for (const folder of folders) {
    const entries = readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    const files = entries.filter((entry) => entry.isFile()).map(({ name, parentPath }) => join(parentPath, name))
    const parts = files.filter((file) => !beside.some((name) => file.startsWith(join(root, name, "/"))))
    for (const file of parts.sort()) hash.update(file.slice(root.length)).update(readFileSync(file))
  }
  return hash.digest("hex").slice(0, 16)
}

const isProgress = (
  value: unknown,
  like: Pick<Progress, "format" | "first" | "steps" | "maxConcurrent">
): value is Progress =>
  typeof value === "object" &&
  value !== null &&
  Object.entries(like).every(([name, wanted]) => Reflect.get(value, name) === wanted)

/**
 * Continues the run that the file holds if the format, the first seed and the number of steps are the same; otherwise starts
 * anew. Runs with other sources are counted in a part of their own.
 */
export const open = (file: string, first: number, { maxConcurrent, steps }: Omit<Task, "seed">): Progress => {
  const like = { format, first, steps, maxConcurrent }
  const kept: unknown = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined
  return isProgress(kept, like)
    ? kept
    : { ...like, parts: {}, payments: 0, runs: 0, ms: 0, below: first, above: [], counts: {}, cells: {} }
}

/** `sources`: the sources of the run. */
export const add = (progress: Progress, { result, task }: Done, sources: string): void => {
  const part = progress.parts[sources] ?? { runs: 0, payments: 0 }
  progress.parts[sources] = part
  for (const sum of [progress, part]) {
    sum.payments += result.payments
    sum.runs += 1
  }
  for (const [name, count] of Object.entries(result.counts))
    progress.counts[name] = (progress.counts[name] ?? 0) + count
  Coverage.add(progress.cells, result.transitions)
  progress.above.push(task.seed)
  progress.above.sort((one, other) => one - other)
  while (progress.above[0] === progress.below) {
    progress.above.shift()
    progress.below += 1
  }
}

/** A line for each part. */
export const partLines = ({ parts }: Progress): ReadonlyArray<string> =>
  Object.entries(parts).map(
    ([sources, { runs, payments }]) =>
      `${payments.toLocaleString("en").padStart(12)}  payments in ${runs.toLocaleString("en")} runs with sources ${sources}`
  )

/** Written beside and moved into its place: a run that is cut off leaves the one or the other. */
export const save = (file: string, progress: Progress): void => {
  writeFileSync(`${file}.new`, `${JSON.stringify(progress)}\n`)
  renameSync(`${file}.new`, file)
}

export const remove = (file: string): void => rmSync(file, { force: true })
