/** The plan of the process that runs the tests, and the events that it reports. Both are files, so that a crash loses nothing. */
import { appendFileSync, existsSync, readFileSync } from "node:fs"
import type { Patch } from "../planted/Defect.ts"

export interface Plan {
  /** The planted defect of the run. A run with a defect has no mutants. */
  readonly patch?: Patch
  /** The number of the first mutant of each source file, by its path. */
  readonly first: Readonly<Record<string, number>>
  /** Test files in their order, each with the mutants that are not killed and that have not survived it before. */
  readonly tests: ReadonlyArray<{ readonly file: string; readonly mutants: ReadonlyArray<number> }>
  /** Tests that failed without a mutant after they had passed. They kill nothing. */
  readonly unreliable: ReadonlyArray<string>
  /** The path of the file that receives the events, one line each. */
  readonly eventsFile: string
}

export type WorkerEvent =
  | { readonly tag: "started"; readonly pid: number }
  | { readonly tag: "scanning"; readonly file: string }
  | { readonly tag: "scanned"; readonly file: string; readonly tookMs: number; readonly reached: ReadonlyArray<number> }
  | { readonly tag: "broken"; readonly test: string; readonly reason: string }
  | { readonly tag: "running"; readonly mutant: number; readonly usuallyMs: number }
  | { readonly tag: "survived"; readonly mutant: number; readonly file: string }
  | { readonly tag: "killed"; readonly mutant: number; readonly by: string }
  | { readonly tag: "unreliable"; readonly test: string }

export const readPlan = (path: string): Plan => JSON.parse(readFileSync(path, "utf8"))

export const report = (path: string, event: WorkerEvent): void => appendFileSync(path, `${JSON.stringify(event)}\n`)

/** Reads the events. The last line may be incomplete and is left out. */
export const readEvents = (path: string): ReadonlyArray<WorkerEvent> =>
  existsSync(path)
    ? readFileSync(path, "utf8")
        .split("\n")
        .slice(0, -1)
        .map((line) => JSON.parse(line))
    : []
