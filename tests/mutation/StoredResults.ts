/**
 * The stored results of earlier runs for the mutants of one source file: the test that killed each, and the test files that it
 * survived. They are valid until the source changes. That a test file kills nothing is valid until that file changes.
 */
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { read, root } from "../../scripts/Workspace.ts"
import type { Mutant } from "./Guards.ts"

/** Whether the tests of the file reach the mutant. */
type Survival = "met" | "not met"

interface Results {
  /** The test that killed it, by the key of the mutant. */
  readonly killed: Record<string, string>
  /** By the key of the mutant and the key of the test file. */
  readonly survived: Record<string, Record<string, Survival>>
}

const digest = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 12)

export const folderOf = (name: string): string => join(root, "node_modules/.mutations", name.replaceAll("/", "-"))

const testKeys = new Map<string, string>()
const testKey = (test: string): string => {
  const key = testKeys.get(test) ?? `${test} ${digest(read(test))}`
  testKeys.set(test, key)
  return key
}

const keyOf = ({ column, line, mutated, original }: Mutant): string => `${line}:${column} ${original} → ${mutated}`

export interface StoredResults {
  readonly killerOf: (mutant: Mutant) => string | undefined
  readonly survivalOf: (mutant: Mutant, test: string) => Survival | undefined
  readonly addKill: (mutant: Mutant, killer: string) => void
  readonly addSurvivals: (mutants: ReadonlyArray<Mutant>, test: string, survival: Survival) => void
}

export const resultsOf = (source: string, isFresh: boolean): StoredResults => {
  const path = join(folderOf(source), `${digest(read(source))}.json`)
  const results: Results =
    !isFresh && existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : { killed: {}, survived: {} }
  const write = () => {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, JSON.stringify(results, undefined, 1))
  }
  return {
    killerOf: (mutant) => results.killed[keyOf(mutant)],
    survivalOf: (mutant, test) => results.survived[keyOf(mutant)]?.[testKey(test)],
    addKill: (mutant, killer) => {
      results.killed[keyOf(mutant)] = killer
      write()
    },
    addSurvivals: (mutants, test, survival) => {
      if (mutants.length === 0) return
      for (const mutant of mutants) {
        const survivals = results.survived[keyOf(mutant)] ?? {}
        survivals[testKey(test)] = survival
        results.survived[keyOf(mutant)] = survivals
      }
      write()
    }
  }
}
