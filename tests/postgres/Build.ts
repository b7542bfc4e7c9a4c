/** Makes the tables of a store once for all tests of a run, which takes the server half a second of a processor. */
import { execFile } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import type { TestProject } from "vitest/node"
import { compileCache } from "../../scripts/Workspace.ts"
import * as DataTemplate from "./DataTemplate.ts"

/** The start of the folder's name. A run that another run's test starts has a folder of its own. */
const prefix = join(process.env.PAY_TEST_MEMORY ?? tmpdir(), `pay-store-${process.pid}-`)
const program = join(import.meta.dirname, "processes/template.ts")

const makeIn = async (folder: string): Promise<void> => {
  rmSync(join(folder, "data"), { recursive: true, force: true })
  const env = { ...process.env, NODE_COMPILE_CACHE: compileCache }
  await promisify(execFile)(process.execPath, [program, folder], { env })
}

export default async (project: TestProject) => {
  if (process.env[DataTemplate.setting]?.startsWith(prefix)) return undefined
  const folder = mkdtempSync(prefix)
  const remove = () => {
    delete process.env[DataTemplate.setting]
    rmSync(folder, { recursive: true })
  }
  await makeIn(folder).catch((error) => {
    remove()
    throw error
  })
  process.env[DataTemplate.setting] = folder
  project.onTestsRerun(() => makeIn(folder))
  return remove
}
