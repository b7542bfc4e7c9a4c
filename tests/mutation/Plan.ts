/** What the command asks of the process that runs the tests, and what it hears of it: two files, so that nothing is lost with a process. */
import { appendFileSync, existsSync, readFileSync } from "node:fs"

export interface Plan {
  /** The number of the first mutant of each source file, by its path. */
  readonly first: Readonly<Record<string, number>>
  /** Test files in their order, each with the mutants that nothing has killed yet and that have not survived it before. */
  readonly tests: ReadonlyArray<{ readonly file: string; readonly wanted: ReadonlyArray<number> }>
  /** Tests that failed without any mutant after they had passed: they kill nothing. */
  readonly doubted: ReadonlyArray<string>
  /** The path of the file that receives the news, one line each. */
  readonly news: string
}

export type News =
  | { readonly tag: "started"; readonly pid: number }
  | { readonly tag: "looking"; readonly file: string }
  | { readonly tag: "looked"; readonly file: string; readonly tookMs: number; readonly met: ReadonlyArray<number> }
  | { readonly tag: "broken"; readonly test: string; readonly reason: string }
  | { readonly tag: "running"; readonly mutant: number; readonly usuallyMs: number }
  | { readonly tag: "survived"; readonly mutant: number; readonly file: string }
  | { readonly tag: "killed"; readonly mutant: number; readonly by: string }
  | { readonly tag: "doubted"; readonly test: string }

export const readPlan = (path: string): Plan => JSON.parse(readFileSync(path, "utf8"))

export const tell = (path: string, news: News): void => appendFileSync(path, `${JSON.stringify(news)}\n`)

/** The last line may be half written. */
export const listen = (path: string): ReadonlyArray<News> =>
  existsSync(path)
    ? readFileSync(path, "utf8")
        .split("\n")
        .slice(0, -1)
        .map((line) => JSON.parse(line))
    : []
