/**
 * Makes the tables of a store once for all tests of a run, which takes the server half a second of a processor, and starts the server on
 * which tests make databases that need no server of their own.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import type { TestProject } from "vitest/node"
import { compileCache } from "../../scripts/Workspace.ts"
import * as DataTemplate from "./DataTemplate.ts"

/** The start of the folder's name. A run that another run's test starts has a folder of its own. */
const prefix = join(process.env.PAY_TEST_MEMORY ?? tmpdir(), `pay-store-${process.pid}-`)
const program = join(import.meta.dirname, "processes/template.ts")

/** Starts the server. Completes when the template is in the folder and the server accepts connections. */
const start = async (folder: string): Promise<ChildProcess> => {
  rmSync(join(folder, "data"), { recursive: true, force: true })
  const env = { ...process.env, NODE_COMPILE_CACHE: compileCache }
  const child = spawn(process.execPath, [program, folder], { env, stdio: ["pipe", "pipe", "inherit"] })
  const ended = once(child, "exit").then(([code]) => Promise.reject(new Error(`${program} ended with ${code}`)))
  const [url] = await Promise.race([once(createInterface(child.stdout), "line"), ended])
  ended.catch(() => undefined)
  process.env[DataTemplate.setting] = folder
  process.env[DataTemplate.serverSetting] = String(url)
  return child
}

/** Ends the server, which then removes its files. */
const stop = async (child: ChildProcess): Promise<void> => {
  const ended = once(child, "exit")
  child.stdin?.end()
  await ended
}

export default async (project: TestProject) => {
  if (process.env[DataTemplate.setting]?.startsWith(prefix)) return undefined
  const folder = mkdtempSync(prefix)
  const remove = () => {
    delete process.env[DataTemplate.setting]
    delete process.env[DataTemplate.serverSetting]
    rmSync(folder, { recursive: true })
  }
  let server = await start(folder).catch((error) => {
    remove()
    throw error
  })
  project.onTestsRerun(async () => {
    await stop(server)
    server = await start(folder)
  })
  return async () => {
    await stop(server)
    remove()
  }
}
