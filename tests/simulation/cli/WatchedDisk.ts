/** Restarts a command with the library that observes writes and syncs, which power cuts need. */
import { spawnSync } from "node:child_process"
import { rmSync } from "node:fs"
import * as Compiler from "../../../scripts/Compiler.ts"
import * as WatchedDisk from "../../disk/WatchedDisk.ts"
import { fastFolder } from "../storage/Disk.ts"

/** Restarts this command observed, and returns its exit code; undefined if it is observed already, or cannot be. */
export const restartWatched = (): number | undefined => {
  if (WatchedDisk.watchedFolder() !== undefined) return undefined
  if (Compiler.find() === undefined) {
    console.log(
      `Without a C compiler, power cuts lose no data in this run. For power cuts that do, ${Compiler.howToGet}`
    )
    return undefined
  }
  const place = WatchedDisk.make(fastFolder)
  const env = { ...process.env, ...WatchedDisk.environment(place) }
  const { status } = spawnSync(process.execPath, process.argv.slice(1), { stdio: "inherit", env })
  rmSync(place.folder, { recursive: true })
  return status ?? 1
}
