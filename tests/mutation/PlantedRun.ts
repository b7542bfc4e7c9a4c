/** Runs the tests of a place with each planted defect in one of its source files, and reports which test finds it. */
import { spawnSync } from "node:child_process"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Report } from "../../scripts/TestCount.ts"
import { root } from "../../scripts/Workspace.ts"
import type { Defect } from "../planted/Defect.ts"
import { defects } from "../planted/Defects.ts"
import { placesOf, testsOf } from "./Places.ts"
import type { Plan } from "./Plan.ts"
import { folderOf } from "./StoredResults.ts"

const config = join(import.meta.dirname, "vitest.config.ts")
const vitest = join(root, "node_modules/vitest/vitest.mjs")

/** Returns the title of a test that fails with the defect; undefined if all tests pass. */
const find = ({ patch }: Defect): string | undefined => {
  const folder = folderOf("planted")
  mkdirSync(folder, { recursive: true })
  const planFile = join(folder, "plan.json")
  const tests = testsOf(patch.file).map((file) => ({ file, mutants: [] }))
  const plan: Plan = { patch, first: {}, tests, unreliable: [], eventsFile: join(folder, "report.json") }
  writeFileSync(planFile, JSON.stringify(plan))
  const { status } = spawnSync(process.execPath, [vitest, "run", "--config", config], {
    cwd: root,
    env: { ...process.env, MUTATION_PLAN: planFile },
    stdio: "ignore"
  })
  if (status === 0) return undefined
  const report: Report = JSON.parse(readFileSync(plan.eventsFile, "utf8"))
  const failed = report.testResults.flatMap(({ assertionResults }) =>
    assertionResults.filter((test) => test.status === "failed")
  )
  return failed.map(({ ancestorTitles, title }) => [...ancestorTitles, title].join(": "))[0] ?? "a file does not load"
}

/** Prints a line for each defect whose source file is in a place. Returns whether the tests found each that they must find. */
export const all = (part: string): boolean => {
  const wanted = defects.filter(({ name, patch }) => name.includes(part) && placesOf(patch.file).length > 0)
  const missed = wanted.filter((defect) => {
    const title = find(defect)
    const otherwise = defect.inTests.is ? "NOT FOUND" : "not visible"
    console.log(`${title === undefined ? otherwise : `found by "${title}"`}  ${defect.name}`)
    return title === undefined && defect.inTests.is
  })
  console.log(`${wanted.length - missed.length} of ${wanted.length} as expected`)
  return missed.length === 0
}
