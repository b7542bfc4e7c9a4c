/** Builds the sandbox gateway once for all files of the project, which start it many times. */
import { execFile } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import type { TestProject } from "vitest/node"
import { root } from "../../scripts/Workspace.ts"

declare module "vitest" {
  interface ProvidedContext {
    /** The gateway's program. */
    readonly gatewayProgram: string
  }
}

const tsup = join(root, "node_modules/tsup/dist/cli-default.js")

/** The program, in a folder of its own that `remove` deletes. */
export const build = async (): Promise<{ readonly program: string; readonly remove: () => void }> => {
  const folder = mkdtempSync(join(tmpdir(), "pay-processes-"))
  const config = join(import.meta.dirname, "tsup.config.ts")
  const cwd = join(root, "apps/gateway")
  await promisify(execFile)(process.execPath, [tsup, "--config", config, "--out-dir", folder], { cwd })
  return { program: join(folder, "sandbox.js"), remove: () => rmSync(folder, { recursive: true }) }
}

export default async (project: TestProject) => {
  const { program, remove } = await build()
  project.provide("gatewayProgram", program)
  return remove
}
