/**
 * A folder in memory for what tests write and nobody needs after a power loss: there a sync costs nothing. Tests of durability, of
 * disks and of packages write to the machine's disk.
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

/** Makes the folder, which other users may pass but not read; undefined where the machine has no room for it. */
export const make = (): string | undefined => {
  if (!isRoomy()) return undefined
  const folder = mkdtempSync(`${place}/pay-test-`)
  chmodSync(folder, 0o711)
  return folder
}
