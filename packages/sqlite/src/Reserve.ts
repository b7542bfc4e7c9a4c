/**
 * A file beside a database that keeps room on its disk. When a write finds no room, the file is removed, and the write succeeds:
 * work that is under way can be finished. The file is made again as soon as the disk has room for it.
 */
import { randomFillSync } from "node:crypto"
import * as fs from "node:fs"
import { type FileHandle, open } from "node:fs/promises"
import { dirname } from "node:path"
import { Effect, Schedule } from "effect"

export interface Options {
  /** The file. Its folder is on the disk of the database. */
  readonly path: string
  /** Size of the file. On a small disk it is smaller, a tenth of the disk at most. 0: there is no reserve. */
  readonly bytes: number
}

export interface Reserve {
  /** Removes the file, if it exists, and returns whether it did. Synchronous, so that the failed write can be repeated at once. */
  readonly release: () => boolean
  /** Whether the file is complete, so that the disk has at least this much room. */
  readonly isComplete: () => boolean
}

const largestShare = 0.1
const chunkBytes = 1 << 20
const everyMs = 2_000

const freeBytes = (path: string): number => {
  const { bavail, bsize } = fs.statfsSync(dirname(path))
  return bavail * bsize
}

const sizeOf = (path: string): number => {
  try {
    return fs.statSync(path).size
  } catch {
    return 0
  }
}

/** Removes the file if its disk is full: the opening of a database needs room too. */
export const makeRoom = ({ path }: Options): Effect.Effect<void> =>
  Effect.sync(() => {
    const size = sizeOf(path)
    if (size > 0 && freeBytes(path) < size) fs.rmSync(path, { force: true })
  })

/** Makes the file, now and whenever it is missing, until the scope ends. The file then remains for the next opening. */
export const make = Effect.fnUntraced(function* ({ bytes, path }: Options) {
  const { blocks, bsize } = fs.statfsSync(dirname(path))
  const size = Math.min(bytes, Math.floor(blocks * bsize * largestShare))
  /** Room that must be left beside the file, so that it does not take what a write needs. */
  const hasRoom = () => freeBytes(path) >= 2 * size
  let complete = size === 0 || sizeOf(path) === size
  /** Counts the removals, so that a file that is being written is not completed after its removal. */
  let removals = 0

  const release = (): boolean => {
    const existed = sizeOf(path) > 0
    removals += 1
    complete = size === 0
    fs.rmSync(path, { force: true })
    return existed
  }

  const fill = async (file: FileHandle, isWanted: () => boolean): Promise<boolean> => {
    // A file system that compresses would store zeros without room.
    const chunk = Buffer.alloc(Math.min(chunkBytes, size))
    for (let at = 0; at < size; at += chunk.length) {
      if (!isWanted()) return false
      await file.write(randomFillSync(chunk), 0, Math.min(chunk.length, size - at), at)
    }
    await file.sync()
    return isWanted()
  }
  const refill = Effect.promise(async () => {
    if (complete || !hasRoom()) return
    const before = removals
    const isWanted = () => removals === before
    try {
      const file = await open(path, "w", 0o600)
      const isFilled = await fill(file, isWanted).finally(() => file.close())
      if (isFilled) complete = true
      else fs.rmSync(path, { force: true })
    } catch {
      release()
    }
  })

  if (size > 0) {
    yield* refill
    yield* Effect.forkScoped(Effect.repeat(refill, Schedule.spaced(everyMs)))
  }
  return { release, isComplete: () => complete } satisfies Reserve
})
