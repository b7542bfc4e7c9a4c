/** Looks for card numbers in the files of a shop. */
import { glob, open, readdir, stat } from "node:fs/promises"
import { join, relative, resolve } from "node:path"
import { Effect } from "effect"
import type { Leak } from "../judgement/Finding.ts"
import type * as CardNumbers from "./CardNumbers.ts"
import { LeakSearch } from "./ShopOutput.ts"

export interface Options {
  /** From where files are named. */
  readonly folder: string
  /** Files, folders and patterns. */
  readonly files: ReadonlyArray<string>
  readonly cardData: CardNumbers.CardData
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

/** Files beside a database in which its latest rows are. */
const besides = ["", "-wal", "-journal"]
/** Folders of others' programs. */
const others = /(?:^|[\\/])(?:node_modules|\.git)(?:[\\/]|$)/

/** The paths that a name means, also of what is no file. */
const pathsOf = async (folder: string, name: string): Promise<ReadonlyArray<string>> => {
  const path = resolve(folder, name)
  const there = await stat(path).catch(() => undefined)
  if (there?.isDirectory() === true) return (await readdir(path, { recursive: true })).map((each) => join(path, each))
  if (there !== undefined) return besides.map((ending) => `${path}${ending}`)
  const paths: Array<string> = []
  for await (const each of glob(name, { cwd: folder })) if (paths.push(resolve(folder, each)) >= mostFiles) break
  return paths
}

/** What the names mean, without others' programs. */
const allPaths = async ({ files, folder }: Options): Promise<ReadonlyArray<string>> => {
  const paths = (await Promise.all(files.map((name) => pathsOf(folder, name)))).flat()
  const own = paths.filter((path) => !others.test(relative(folder, path)))
  return [...new Set(own)].sort().slice(0, mostFiles)
}

/** Reads a file in pieces, up to a number of bytes, and returns how many it read. */
const search = async (path: string, options: Options, most: number) => {
  const lines = new LeakSearch(options.cardData)
  const integers = options.cardData.numbers.flatMap(asInteger)
  let isInteger = false
  let bytes = 0
  // A folder cannot be read, and a pipe would never end.
  const isFile = (await stat(path).catch(() => undefined))?.isFile() === true
  const file = isFile ? await open(path).catch(() => undefined) : undefined
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
    for (const path of await allPaths(options)) {
      if (left <= 0) break
      const { bytes, lines } = await search(path, options, left)
      left -= bytes
      leaks.push(...lines.slice(0, mostLeaks).map((line) => ({ place: relative(options.folder, path), line })))
    }
    return leaks
  })
