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
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { read, root } from "../../scripts/Workspace.ts"
import { isExplained } from "./Explained.ts"
import { type Mutant, mutantsOf } from "./Guards.ts"
import { type Place, placeOf, places } from "./Places.ts"
import * as Vitest from "./Vitest.ts"

/** Less is a failure. */
const enoughKilled = 0.95

interface Numbered extends Mutant {
  readonly file: string
  /** Names it from one run to the next: its number in a text that is still the same. */
  readonly key: string
}

const numbered = (file: string): ReadonlyArray<Numbered> => {
  const source = read(file)
  const hash = createHash("sha256").update(source).digest("hex").slice(0, 12)
  return mutantsOf(source).map((mutant, index) => ({ ...mutant, file, key: `${hash} ${index}` }))
}

const folderOf = (name: string): string => join(root, "node_modules/.mutations", name.replaceAll("/", "-"))

/** What killed the mutants of one source file, by their keys; kept for later runs. */
const keptOf = (file: string) => {
  const path = join(folderOf(file), "killed.json")
  return {
    read: (): Readonly<Record<string, string>> => (existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {}),
    write: (killed: Readonly<Record<string, string>>) => {
      mkdirSync(folderOf(file), { recursive: true })
      writeFileSync(path, JSON.stringify(killed, undefined, 1))
    }
  }
}

const describe = ({ column, file, line, mutated, original }: Numbered): string =>
  `${file}:${line}:${column}  ${original}  →  ${mutated}`

/** The mutants that live on, and what killed the others. */
const run = async (name: string, { sources, tests }: Place, isAgain: boolean) => {
  const folder = folderOf(name)
  mkdirSync(folder, { recursive: true })
  const mutants = sources.flatMap(numbered)
  const killed = new Map<Numbered, string>()
  for (const file of isAgain ? [] : sources) {
    const before = keptOf(file).read()
    for (const mutant of mutants) {
      const by = mutant.file === file ? before[mutant.key] : undefined
      if (by !== undefined) killed.set(mutant, by)
    }
  }
  const first = Object.fromEntries(sources.map((file) => [file, mutants.findIndex((mutant) => mutant.file === file)]))
  const startedMs = performance.now()
  const say = (what: string) => {
    const seconds = Math.round((performance.now() - startedMs) / 1000)
    console.log(`${killed.size} of ${mutants.length} killed, ${seconds} s: ${what}`)
  }
  const kill = (number: number, by: string) => {
    const mutant = mutants[number]
    if (mutant === undefined) return
    killed.set(mutant, by)
    const its = [...killed].filter(([{ file }]) => file === mutant.file)
    keptOf(mutant.file).write(Object.fromEntries(its.map(([{ key }, killer]) => [key, killer])))
    say(describe(mutant))
  }
  console.log(`${name}: ${mutants.length} mutants in ${sources.length} files, ${killed.size} of them killed before`)
  let left = tests
  let doubted: ReadonlyArray<string> = []
  while (left.length > 0) {
    const wanted = mutants.flatMap((mutant, index) => (killed.has(mutant) ? [] : [index]))
    let running: number | undefined
    let isFruitful = false
    const end = await Vitest.run(folder, { first, tests: left, wanted, doubted }, (news) => {
      switch (news.tag) {
        case "broken":
          throw new Error(`fails without any mutant: ${news.test}: ${news.reason}`)
        case "looked":
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
        case "passed":
          isFruitful = true
          left = left.filter((file) => file !== news.file)
      }
    })
    if (end === "hung" && running !== undefined) kill(running, "hanging")
    else if (!isFruitful) throw new Error(`vitest did nothing; see ${folder}`)
  }
  return { mutants, alive: mutants.filter((mutant) => !killed.has(mutant)) }
}

const mutate = async (name: string, place: Place, isAgain: boolean): Promise<boolean> => {
  const { alive, mutants } = await run(name, place, isAgain)
  const killed = mutants.length - alive.length
  for (const mutant of alive) {
    console.log(`${isExplained(mutant.file, mutant) ? "explained" : "alive"}: ${describe(mutant)}`)
  }
  console.log("\n| place | mutants | killed | survived | % |\n|---|---|---|---|---|")
  const share = ((100 * killed) / mutants.length).toFixed(1)
  console.log(`| ${name} | ${mutants.length} | ${killed} | ${alive.length} | ${share} |`)
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
  for (const [known, { sources, tests }] of Object.entries(places)) {
    console.log(`${known}: ${sources.length} source files, ${tests.length} test files`)
  }
  if (name !== undefined) {
    console.error(`"${name}" is no place and no source file`)
    process.exitCode = 1
  }
} else {
  const tests = place.tests.filter((path) => path.includes(values.tests))
  if (!(await mutate(name, { ...place, tests }, values.again))) process.exitCode = 1
}
