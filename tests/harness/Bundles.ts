/**
 * Programs that tests start, each bundled with all that it loads: a start takes less than half of the processor time of a start from sources.
 * `Build.ts` builds them before the tests of a run, in a folder of that run. Without that folder they start from their sources.
 */
import { join, relative } from "node:path"

export const programs = [
  "apps/cli/src/main.ts",
  "gateway/program/src/main.ts",
  "gateway/program/src/Production.ts",
  "apps/shop/src/main.ts",
  "tests/cluster/processes/racer.ts",
  "tests/cluster/processes/runner.ts",
  "tests/disk/processes/DurableFlows.ts",
  "tests/disk/processes/Sell.ts",
  "tests/disk/processes/Simulate.ts",
  "tests/harness/processes/gateway.ts",
  "tests/harness/processes/merchant.ts",
  "tests/move/processes/Move.ts"
]

/** The name of the setting with the folder of this run's bundles. */
export const setting = "PAY_TEST_BUNDLES"

/** What to start for a program: its bundle where there is one. Other paths and arguments stay as they are. */
export const start = (path: string, folder = process.env[setting]): string => {
  const program = relative(join(import.meta.dirname, "../.."), path)
  return folder !== undefined && programs.includes(program) ? join(folder, program.replace(/\.ts$/, ".js")) : path
}

/** The folder in which Node keeps what it has compiled of them. It is gone with theirs. */
export const compiled = (folder = process.env[setting]): string | undefined =>
  folder === undefined ? undefined : join(folder, "compiled")
