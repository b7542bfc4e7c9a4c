/** Builds the program once for all tests of a run, in a folder of its own, away from node_modules. */
import { execFile } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import type { TestProject } from "vitest/node"

const root = join(import.meta.dirname, "../../..")

declare module "vitest" {
  interface ProvidedContext {
    /** The folder of the program as it is built. */
    readonly builtProgram: string
    /** A folder for what tests write. */
    readonly filesOfTests: string
  }
}

export default async (project: TestProject) => {
  const folder = mkdtempSync(join(tmpdir(), "pay-built-"))
  const tsup = join(root, "node_modules/tsup/dist/cli-default.js")
  await promisify(execFile)(process.execPath, [tsup, "--out-dir", folder], { cwd: join(root, "apps/cli") })
  project.provide("builtProgram", folder)
  const files = mkdtempSync(join(tmpdir(), "pay-cli-"))
  project.provide("filesOfTests", files)
  return () => {
    for (const made of [folder, files]) rmSync(made, { recursive: true })
  }
}
