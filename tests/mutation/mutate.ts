/**
 * `npm run mutate -- PLACE`: changes one guard of the money path at a time and runs the tests that reach it, to see whether one
 * fails. No file is changed: vitest puts the mutants into the sources while it loads them. Results are stored until the source
 * changes, so that an interrupted run continues, and later runs repeat only what survived.
 */
import { mkdirSync } from "node:fs"
import * as Arguments from "../../scripts/Arguments.ts"
import { read } from "../../scripts/Workspace.ts"
import { isExplained } from "./Explained.ts"
import { type Mutant, mutantsOf } from "./Guards.ts"
import { type Place, placeOf, places } from "./Places.ts"
import * as PlantedRun from "./PlantedRun.ts"
import { folderOf, resultsOf, type StoredResults } from "./StoredResults.ts"
import * as Vitest from "./Vitest.ts"

const usage = `npm run mutate                                   lists the places
npm run mutate -- payouts                        one place
npm run mutate -- packages/flows/src/requests/Ask.ts      one source file
npm run mutate -- payouts --tests domain         only with test files whose path contains "domain"
npm run mutate -- payouts --again                also mutants that were killed before
npm run mutate -- --planted [NAME]               plants each defect of tests/planted instead of mutants`

/** The command fails if a smaller share is killed. */
const requiredShare = 0.95

interface MutantOfFile extends Mutant {
  readonly file: string
  readonly results: StoredResults
}

const describe = ({ column, file, line, mutated, original }: MutantOfFile): string =>
  `${file}:${line}:${column}  ${original}  →  ${mutated}`

/** Runs the mutants of a place, and returns those that survive. */
const run = async (name: string, { sources, tests: all }: Place, pathPart: string, isAgain: boolean) => {
  const tests = all.filter((path) => path.includes(pathPart))
  const folder = folderOf(name)
  mkdirSync(folder, { recursive: true })
  const mutants = sources.flatMap((file): ReadonlyArray<MutantOfFile> => {
    const results = resultsOf(file, isAgain)
    return mutantsOf(read(file)).map((mutant) => ({ ...mutant, file, results }))
  })
  const killed = new Set(mutants.filter((mutant) => mutant.results.killerOf(mutant) !== undefined))
  const first = Object.fromEntries(sources.map((file) => [file, mutants.findIndex((mutant) => mutant.file === file)]))
  const startedMs = performance.now()
  const log = (what: string) => {
    const seconds = Math.round((performance.now() - startedMs) / 1000)
    console.log(`${killed.size} of ${mutants.length} killed, ${seconds} s: ${what}`)
  }
  const kill = (number: number, by: string) => {
    const mutant = mutants[number]
    if (mutant === undefined) return
    killed.add(mutant)
    mutant.results.addKill(mutant, by)
    log(describe(mutant))
  }
  /** Returns the mutants for which the result of the test file is not known yet. */
  const open = (test: string): ReadonlyArray<number> =>
    mutants.flatMap((mutant, index) =>
      killed.has(mutant) || mutant.results.survivalOf(mutant, test) !== undefined ? [] : [index]
    )
  const addUnreached = (test: string, reached: ReadonlyArray<number>): number => {
    const numbers = new Set(reached)
    const others = open(test).flatMap((number) => (numbers.has(number) ? [] : (mutants[number] ?? [])))
    for (const [results, group] of Map.groupBy(others, ({ results }) => results))
      results.addSurvivals(group, test, "not met")
    return others.length
  }
  console.log(`${name}: ${mutants.length} mutants in ${sources.length} files, ${killed.size} of them killed before`)
  let unreliable: ReadonlyArray<string> = []
  for (;;) {
    const left = tests.flatMap((file) => {
      const openMutants = open(file)
      return openMutants.length === 0 ? [] : [{ file, mutants: openMutants }]
    })
    if (left.length === 0) break
    let running: number | undefined
    let isFruitful = false
    const end = await Vitest.run(folder, { first, tests: left, unreliable }, (event) => {
      switch (event.tag) {
        case "broken":
          throw new Error(`fails without any mutant: ${event.test}: ${event.reason}`)
        case "scanned":
          isFruitful = addUnreached(event.file, event.reached) > 0 || isFruitful
          return log(
            `${event.file}, ${(event.tookMs / 1000).toFixed(1)} s, reaches ${event.reached.length} of the open mutants`
          )
        case "running":
          running = event.mutant
          return
        case "killed":
          isFruitful = true
          return kill(event.mutant, event.by)
        case "unreliable":
          isFruitful = true
          unreliable = [...unreliable, event.test]
          return log(`${event.test} failed without any mutant; its failures are ignored`)
        case "survived": {
          isFruitful = true
          const mutant = mutants[event.mutant]
          return mutant?.results.addSurvivals([mutant], event.file, "met")
        }
      }
    })
    if (end === "hung" && running !== undefined) kill(running, "hanging")
    else if (!isFruitful) throw new Error(`vitest did nothing; see ${folder}`)
  }
  const survivors = mutants.filter((mutant) => !killed.has(mutant))
  const isReached = (mutant: MutantOfFile) => all.some((test) => mutant.results.survivalOf(mutant, test) === "met")
  return { mutants, survivors, unreached: new Set(survivors.filter((mutant) => !isReached(mutant))) }
}

const mutate = async (name: string, place: Place, pathPart: string, isAgain: boolean): Promise<boolean> => {
  const { survivors, mutants, unreached } = await run(name, place, pathPart, isAgain)
  const killed = mutants.length - survivors.length
  for (const mutant of survivors) {
    const what = isExplained(mutant.file, mutant)
      ? "explained"
      : unreached.has(mutant)
        ? "reached by no test"
        : "survived"
    console.log(`${what}: ${describe(mutant)}`)
  }
  const explained = survivors.filter((mutant) => isExplained(mutant.file, mutant)).length
  const share = ((100 * killed) / mutants.length).toFixed(1)
  console.log(
    "\n| place | mutants | killed | % | survived | of them reached by no test | explained |\n|---|---|---|---|---|---|---|"
  )
  console.log(
    `| ${name} | ${mutants.length} | ${killed} | ${share} | ${survivors.length} | ${unreached.size} | ${explained} |`
  )
  return killed >= requiredShare * mutants.length
}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => process.exit(1))
const config = {
  allowPositionals: true,
  options: {
    again: { type: "boolean", default: false },
    planted: { type: "boolean", default: false },
    tests: { type: "string", default: "" }
  }
} as const
const { positionals, values } = Arguments.parse(config, usage)
const [name] = positionals
const place = name === undefined ? undefined : placeOf(name)
if (values.planted) {
  if (!PlantedRun.all(name ?? "")) process.exitCode = 1
} else if (name === undefined || place === undefined) {
  for (const [existing, { sources, tests }] of Object.entries(places)) {
    console.log(`${existing}: ${sources.length} source files, ${tests.length} test files`)
  }
  if (name !== undefined) {
    console.error(`"${name}" is neither a place nor a source file`)
    process.exitCode = 1
  }
} else {
  if (!(await mutate(name, place, values.tests, values.again))) process.exitCode = 1
}
