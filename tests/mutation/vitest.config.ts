import { relative } from "node:path"
import { defineConfig } from "vitest/config"
import { ForksPoolWorker, type PoolOptions } from "vitest/node"
import { root } from "../../scripts/Workspace.ts"
import * as Plant from "../planted/Plant.ts"
import { withMutants } from "./Guards.ts"
import { readPlan } from "./Plan.ts"

const plan = readPlan(process.env.MUTATION_PLAN ?? "")

class MutantsWorker extends ForksPoolWorker {
  override readonly entrypoint = `${import.meta.dirname}/Worker.ts`
}

const { patch } = plan

/** Returns the source with the planted defect, or with all its mutants. */
const changed = (source: string, id: string): string | undefined => {
  if (patch !== undefined) return Plant.source(patch, id)
  const first = plan.first[relative(root, id)]
  return first === undefined ? undefined : withMutants(source, first)
}

const mutantsPool = { name: "mutants", createPoolWorker: (options: PoolOptions) => new MutantsWorker(options) }

/** One process, which loads every module once. */
export default defineConfig({
  root,
  plugins: [
    {
      name: "mutants",
      enforce: "pre",
      transform: (source, id) => {
        const code = changed(source, id)
        return code === undefined ? undefined : { code, map: { mappings: "" } }
      }
    }
  ],
  test: {
    name: "mutation",
    include: plan.tests.map(({ file }) => file),
    ...(patch === undefined ? { pool: mutantsPool } : { bail: 1, outputFile: plan.eventsFile }),
    isolate: false,
    // The numbers of mutants differ between runs.
    fsModuleCache: false,
    maxWorkers: 1,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    passWithNoTests: true,
    reporters: patch === undefined ? [] : ["json"],
    disableConsoleIntercept: true
  }
})
