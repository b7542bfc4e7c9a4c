/** Looks for card numbers in the files of a shop. */
import { glob, open, stat } from "node:fs/promises"
import { join, relative, resolve } from "node:path"
import { Effect } from "effect"
import type { Leak } from "./Shop.ts"
import { LeakSearch } from "./ShopOutput.ts"

export interface Options {
  /** From where files are named. */
  readonly folder: string
  /** Files, folders and patterns. */
  readonly files: ReadonlyArray<string>
  readonly numbers: ReadonlyArray<string>
}

const mostFiles = 2000
const mostBytes = 512 * 1024 * 1024
const pieceBytes = 1024 * 1024
const mostLeaks = 20

/** A number as databases store it: eight bytes of an integer, either end first. */
const asInteger = (number: string): ReadonlyArray<Uint8Array> => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(BigInt(number))
  return [bytes, Buffer.from(bytes).reverse()]
}

/** The files that the names mean. */
const filesOf = async ({ files, folder }: Options): Promise<ReadonlyArray<string>> => {
  const paths = new Set<string>()
  for (const name of files) {
    const there = await stat(resolve(folder, name)).catch(() => undefined)
    const pattern = there?.isDirectory() === true ? join(name, "**/*") : name
    if (there?.isFile() === true) paths.add(resolve(folder, name))
    else
      for await (const entry of glob(pattern, { cwd: folder, withFileTypes: true })) {
        if (entry.isFile()) paths.add(resolve(entry.parentPath, entry.name))
        if (paths.size >= mostFiles) break
      }
  }
  return [...paths].sort()
}

/** Reads a file in pieces, up to a number of bytes, and returns how many it read. */
const search = async (path: string, options: Options, most: number) => {
  const lines = new LeakSearch(options.numbers)
  const integers = options.numbers.flatMap(asInteger)
  let isInteger = false
  let bytes = 0
  const file = await open(path).catch(() => undefined)
  if (file === undefined) return { bytes, lines: [] }
  try {
    const piece = Buffer.alloc(pieceBytes)
    for (let kept = 0; bytes < most && !lines.isFull; ) {
      const { bytesRead } = await file.read(piece, kept, pieceBytes - kept)
      if (bytesRead === 0) break
      bytes += bytesRead
      const whole = piece.subarray(0, kept + bytesRead)
      lines.add(whole.subarray(kept))
      isInteger ||= integers.some((integer) => whole.includes(integer))
      kept = Math.min(7, whole.length)
      piece.copyWithin(0, whole.length - kept, whole.length)
    }
  } finally {
    await file.close()
  }
  return { bytes, lines: [...lines.lines, ...(isInteger ? ["the card number as an integer of eight bytes"] : [])] }
}

/** Each line of a file with a card number, once and masked. Files that cannot be read are left out. */
export const make = (options: Options): Effect.Effect<ReadonlyArray<Leak>> =>
  Effect.promise(async () => {
    const leaks: Array<Leak> = []
    let left = mostBytes
    for (const path of await filesOf(options)) {
      if (left <= 0) break
      const { bytes, lines } = await search(path, options, left)
      left -= bytes
      leaks.push(...lines.slice(0, mostLeaks).map((line) => ({ place: relative(options.folder, path), line })))
    }
    return leaks
  })
