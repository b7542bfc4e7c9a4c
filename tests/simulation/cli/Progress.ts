/** The progress of a long command, stored in a file, so that an interrupted command continues. */
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
  /** The number of runs and payments with each version of the sources, by its hash. */
  readonly parts: Record<string, Part>
  readonly first: number
  readonly steps: number
  readonly maxConcurrent: number | undefined
  payments: number
  runs: number
  /** The total time. */
  ms: number
  /** All seeds below this one are finished. */
  below: number
  /** Finished seeds at or above it. */
  above: Array<number>
  counts: Record<string, number>
  cells: Coverage.Cells
}

/** Returns a hash of the sources of product and simulation. `ignoredFolders` are left out. */
export const sourcesNow = (ignoredFolders: ReadonlyArray<string> = []): string => {
  const hash = createHash("sha256")
  const packages = ["packages", "gateway"].flatMap((folder) =>
    readdirSync(join(root, folder)).map((name) => `${folder}/${name}/src`)
  )
  const folders = ["tests/simulation", ...packages.filter((folder) => existsSync(join(root, folder)))]
  for (const folder of folders) {
    const entries = readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    const files = entries.filter((entry) => entry.isFile()).map(({ name, parentPath }) => join(parentPath, name))
    const parts = files.filter((file) => !ignoredFolders.some((name) => file.startsWith(join(root, name, "/"))))
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
  const stored: unknown = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined
  return isProgress(stored, like)
    ? stored
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

/** Returns a line for each version of the sources. */
export const partLines = ({ parts }: Progress): ReadonlyArray<string> =>
  Object.entries(parts).map(
    ([sources, { runs, payments }]) =>
      `${payments.toLocaleString("en").padStart(12)}  payments in ${runs.toLocaleString("en")} runs with sources ${sources}`
  )

/** Replaces the file at once, so that an interruption leaves the old content or the new one. */
export const save = (file: string, progress: Progress): void => {
  writeFileSync(`${file}.new`, `${JSON.stringify(progress)}\n`)
  renameSync(`${file}.new`, file)
}

export const remove = (file: string): void => rmSync(file, { force: true })
