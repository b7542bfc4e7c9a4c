/**
 * A folder in memory for files of tests that need not survive a power loss: a sync of such a file costs nothing. Tests of
 * durability, disks and packages write to the machine's disk.
 */
import { accessSync, chmodSync, constants, mkdtempSync, statfsSync } from "node:fs"
import { availableMemory } from "node:process"

const place = "/dev/shm"
const leastBytes = 4 * 1024 ** 3

const isRoomy = (): boolean => {
  try {
    accessSync(place, constants.W_OK | constants.X_OK)
  } catch {
    return false
  }
  const { bavail, bsize } = statfsSync(place)
  return Math.min(bavail * bsize, availableMemory()) >= leastBytes
}

/** Makes the folder. Other users may enter it, but not list it. Returns `undefined` if memory has too little space for it. */
export const make = (): string | undefined => {
  if (!isRoomy()) return undefined
  const folder = mkdtempSync(`${place}/pay-test-`)
  chmodSync(folder, 0o711)
  return folder
}
