/** A command that is to see what its worlds write to their disks and sync has to be started anew beneath the library that watches. */
import { spawnSync } from "node:child_process"
import { rmSync } from "node:fs"
import * as Compiler from "../../../scripts/Compiler.ts"
import * as WatchedDisk from "../../disk/WatchedDisk.ts"
import { fastFolder } from "../storage/Disk.ts"

/** Runs this command once more, watched, and answers how that ended; undefined: it is watched, or cannot be. */
export const watched = (): number | undefined => {
  if (WatchedDisk.watchedFolder() !== undefined) return undefined
  if (Compiler.find() === undefined) {
    console.log(`power cuts drop nothing here: ${Compiler.howToGet}`)
    return undefined
  }
  const place = WatchedDisk.make(fastFolder)
  const env = { ...process.env, ...WatchedDisk.environment(place) }
  const { status } = spawnSync(process.execPath, process.argv.slice(1), { stdio: "inherit", env })
  rmSync(place.folder, { recursive: true })
  return status ?? 1
}
