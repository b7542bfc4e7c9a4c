/**
 * What earlier runs found of the mutants of one source file: what killed each, and which test files it survived. It holds until
 * the source changes; that a test file kills nothing holds until that file changes.
 */
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { read, root } from "../../scripts/Workspace.ts"
import type { Mutant } from "./Guards.ts"

/** Whether the tests of the file meet the mutant at all. */
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

export interface Kept {
  readonly killerOf: (mutant: Mutant) => string | undefined
  readonly survivalOf: (mutant: Mutant, test: string) => Survival | undefined
  readonly kill: (mutant: Mutant, killer: string) => void
  readonly survive: (mutants: ReadonlyArray<Mutant>, test: string, survival: Survival) => void
}

export const keptOf = (source: string, isForgotten: boolean): Kept => {
  const path = join(folderOf(source), `${digest(read(source))}.json`)
  const results: Results =
    !isForgotten && existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : { killed: {}, survived: {} }
  const write = () => {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, JSON.stringify(results, undefined, 1))
  }
  return {
    killerOf: (mutant) => results.killed[keyOf(mutant)],
    survivalOf: (mutant, test) => results.survived[keyOf(mutant)]?.[testKey(test)],
    kill: (mutant, killer) => {
      results.killed[keyOf(mutant)] = killer
      write()
    },
    survive: (mutants, test, survival) => {
      if (mutants.length === 0) return
      for (const mutant of mutants) {
        const its = results.survived[keyOf(mutant)] ?? {}
        its[testKey(test)] = survival
        results.survived[keyOf(mutant)] = its
      }
      write()
    }
  }
}
