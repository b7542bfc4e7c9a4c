/** Bundles the programs that tests start, once for all projects of a run, and again where sources changed under a run that watches. */
import { execFile } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import type { TestProject } from "vitest/node"
import { root } from "../../scripts/Workspace.ts"
import * as Bundles from "./Bundles.ts"

/** The start of the folder's name. A run that another run's test starts has bundles of its own. */
const prefix = join(process.env.PAY_TEST_MEMORY ?? tmpdir(), `pay-bundles-${process.pid}-`)
const tsup = join(root, "node_modules/tsup/dist/cli-default.js")

const buildInto = async (folder: string): Promise<void> => {
  const args = [tsup, "--config", join(import.meta.dirname, "tsup.config.ts"), "--out-dir", folder]
  await promisify(execFile)(process.execPath, args, { cwd: root, env: { ...process.env, GOGC: "400" } })
}

/** From now on, this process and those that it starts start programs from bundles, until `remove` deletes them. */
export const build = async () => {
  const folder = mkdtempSync(prefix)
  process.env[Bundles.setting] = folder
  const remove = () => {
    delete process.env[Bundles.setting]
    rmSync(folder, { recursive: true })
  }
  await buildInto(folder).catch((error) => {
    remove()
    throw error
  })
  return { folder, remove }
}

export default async (project: TestProject) => {
  if (process.env[Bundles.setting]?.startsWith(prefix)) return undefined
  const { folder, remove } = await build()
  project.onTestsRerun(() => buildInto(folder))
  return remove
}
