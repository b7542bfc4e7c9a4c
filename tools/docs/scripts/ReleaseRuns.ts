/** The files of a release, which `npm run release:dry` makes, installs in clean projects and runs there. */
import { spawn } from "node:child_process"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { root } from "../../../scripts/Workspace.ts"
import * as Progress from "./Progress.ts"
import type { ShopRun } from "./ShopRuns.ts"

const shop = "the files of a release, each installed in a clean project"

/** Reads what the command has printed: a line for each promise, and after a failure its reason on the other output. */
export const runsOf = (printed: string, reason: string, exitCode: number | null): ReadonlyArray<ShopRun> => {
  const runs = [...printed.matchAll(/^ok +(.*)$/gm)].map(([, promise = ""]) => ({ shop, promise, problem: undefined }))
  const isWhole = exitCode === 0 && runs.length > 0
  return isWhole ? runs : [...runs, { shop, promise: "run to their end", problem: reason.trim().slice(-300) }]
}

export const run = async (print: Progress.Print): Promise<ReadonlyArray<ShopRun>> => {
  print(Progress.begins("npm run release:dry"))
  const child = spawn(process.execPath, [join(root, "scripts/release.ts")], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"]
  })
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve))
  const [printed, reason, exitCode] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  const runs = runsOf(printed, reason, exitCode)
  for (const { problem, promise } of runs) print(Progress.ended(`${shop}: ${promise}`, problem))
  return runs
}
