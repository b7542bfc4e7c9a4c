import { relative } from "node:path"
import { defineConfig } from "vitest/config"
import { ForksPoolWorker, type PoolOptions } from "vitest/node"
import { root } from "../../scripts/Workspace.ts"
import { withMutants } from "./Guards.ts"
import { readPlan } from "./Plan.ts"

const plan = readPlan(process.env.MUTATION_PLAN ?? "")

class MutantsWorker extends ForksPoolWorker {
  override readonly entrypoint = `${import.meta.dirname}/Worker.ts`
}

/** One process, which loads every module once with all mutants in it. */
export default defineConfig({
  root,
  plugins: [
    {
      name: "mutants",
      enforce: "pre",
      transform: (source, id) => {
        const first = plan.first[relative(root, id)]
        return first === undefined ? undefined : { code: withMutants(source, first), map: { mappings: "" } }
      }
    }
  ],
  test: {
    name: "mutation",
    include: plan.tests.map(({ file }) => file),
    pool: { name: "mutants", createPoolWorker: (options: PoolOptions) => new MutantsWorker(options) },
    isolate: false,
    // The numbers of mutants differ between runs.
    fsModuleCache: false,
    maxWorkers: 1,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    passWithNoTests: true,
    reporters: [],
    disableConsoleIntercept: true
  }
})
