/**
 * `npm run mutate -- PLACE`: changes one guard of the money path after another and runs the tests that meet it, to see whether
 * one fails. No file is changed: the sources get their mutants while vitest loads them. What was killed stays known until
 * its source changes, so that a run that was broken off goes on where it was, and later ones run what survived.
 *
 *   npm run mutate                                   the places
 *   npm run mutate -- payouts                        one place
 *   npm run mutate -- packages/flows/src/Ask.ts      one source file
 *   npm run mutate -- payouts --tests domain         only against test files whose path says so
 *   npm run mutate -- payouts --again                also what was killed before
 */
import { mkdirSync } from "node:fs"
import { parseArgs } from "node:util"
import { read } from "../../scripts/Workspace.ts"
import { isExplained } from "./Explained.ts"
import { type Mutant, mutantsOf } from "./Guards.ts"
import { folderOf, type Kept, keptOf } from "./Kept.ts"
import { type Place, placeOf, places } from "./Places.ts"
import * as Vitest from "./Vitest.ts"

/** Less is a failure. */
const enoughKilled = 0.95

interface Of extends Mutant {
  readonly file: string
  readonly kept: Kept
}

const describe = ({ column, file, line, mutated, original }: Of): string =>
  `${file}:${line}:${column}  ${original}  →  ${mutated}`

/** The mutants that live on. */
const run = async (name: string, { sources, tests: all }: Place, named: string, isAgain: boolean) => {
  const tests = all.filter((path) => path.includes(named))
  const folder = folderOf(name)
  mkdirSync(folder, { recursive: true })
  const mutants = sources.flatMap((file): ReadonlyArray<Of> => {
    const kept = keptOf(file, isAgain)
    return mutantsOf(read(file)).map((mutant) => ({ ...mutant, file, kept }))
  })
  const killed = new Set(mutants.filter((mutant) => mutant.kept.killerOf(mutant) !== undefined))
  const first = Object.fromEntries(sources.map((file) => [file, mutants.findIndex((mutant) => mutant.file === file)]))
  const startedMs = performance.now()
  const say = (what: string) => {
    const seconds = Math.round((performance.now() - startedMs) / 1000)
    console.log(`${killed.size} of ${mutants.length} killed, ${seconds} s: ${what}`)
  }
  const kill = (number: number, by: string) => {
    const mutant = mutants[number]
    if (mutant === undefined) return
    killed.add(mutant)
    mutant.kept.kill(mutant, by)
    say(describe(mutant))
  }
  /** Mutants of which it is not known yet whether the tests of the file kill them. */
  const open = (test: string): ReadonlyArray<number> =>
    mutants.flatMap((mutant, index) =>
      killed.has(mutant) || mutant.kept.survivalOf(mutant, test) !== undefined ? [] : [index]
    )
  const notMet = (test: string, met: ReadonlyArray<number>): number => {
    const numbers = new Set(met)
    const others = open(test).flatMap((number) => (numbers.has(number) ? [] : (mutants[number] ?? [])))
    for (const [kept, its] of Map.groupBy(others, ({ kept }) => kept)) kept.survive(its, test, "not met")
    return others.length
  }
  console.log(`${name}: ${mutants.length} mutants in ${sources.length} files, ${killed.size} of them killed before`)
  let doubted: ReadonlyArray<string> = []
  for (;;) {
    const left = tests.flatMap((file) => {
      const wanted = open(file)
      return wanted.length === 0 ? [] : [{ file, wanted }]
    })
    if (left.length === 0) break
    let running: number | undefined
    let isFruitful = false
    const end = await Vitest.run(folder, { first, tests: left, doubted }, (news) => {
      switch (news.tag) {
        case "broken":
          throw new Error(`fails without any mutant: ${news.test}: ${news.reason}`)
        case "looked":
          isFruitful = notMet(news.file, news.met) > 0 || isFruitful
          return say(`${news.file}, ${(news.tookMs / 1000).toFixed(1)} s, meets ${news.met.length} of the others`)
        case "running":
          running = news.mutant
          return
        case "killed":
          isFruitful = true
          return kill(news.mutant, news.by)
        case "doubted":
          isFruitful = true
          doubted = [...doubted, news.test]
          return say(`${news.test} failed without any mutant; it counts no more`)
        case "survived": {
          isFruitful = true
          const mutant = mutants[news.mutant]
          return mutant?.kept.survive([mutant], news.file, "met")
        }
      }
    })
    if (end === "hung" && running !== undefined) kill(running, "hanging")
    else if (!isFruitful) throw new Error(`vitest did nothing; see ${folder}`)
  }
  const alive = mutants.filter((mutant) => !killed.has(mutant))
  const isMet = (mutant: Of) => all.some((test) => mutant.kept.survivalOf(mutant, test) === "met")
  return { mutants, alive, unmet: new Set(alive.filter((mutant) => !isMet(mutant))) }
}

const mutate = async (name: string, place: Place, named: string, isAgain: boolean): Promise<boolean> => {
  const { alive, mutants, unmet } = await run(name, place, named, isAgain)
  const killed = mutants.length - alive.length
  for (const mutant of alive) {
    const what = isExplained(mutant.file, mutant) ? "explained" : unmet.has(mutant) ? "met by no test" : "alive"
    console.log(`${what}: ${describe(mutant)}`)
  }
  const explained = alive.filter((mutant) => isExplained(mutant.file, mutant)).length
  const share = ((100 * killed) / mutants.length).toFixed(1)
  console.log(
    "\n| place | mutants | killed | % | survived | of them met by no test | explained |\n|---|---|---|---|---|---|---|"
  )
  console.log(`| ${name} | ${mutants.length} | ${killed} | ${share} | ${alive.length} | ${unmet.size} | ${explained} |`)
  return killed >= enoughKilled * mutants.length
}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => process.exit(1))
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { again: { type: "boolean", default: false }, tests: { type: "string", default: "" } }
})
const [name] = positionals
const place = name === undefined ? undefined : placeOf(name)
if (name === undefined || place === undefined) {
  for (const [existing, { sources, tests }] of Object.entries(places)) {
    console.log(`${existing}: ${sources.length} source files, ${tests.length} test files`)
  }
  if (name !== undefined) {
    console.error(`"${name}" is no place and no source file`)
    process.exitCode = 1
  }
} else {
  if (!(await mutate(name, place, values.tests, values.again))) process.exitCode = 1
}
