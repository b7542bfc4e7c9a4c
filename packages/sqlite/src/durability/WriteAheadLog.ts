/**
 * Reads a write-ahead log before SQLite opens it. SQLite takes the first frame with a wrong checksum as the end of the
 * log, and drops everything after it without an error (https://sqlite.org/fileformat2.html#the_write_ahead_log).
 */
import { closeSync, openSync, readSync } from "node:fs"
import type { StoreMark } from "./Mark.ts"
import * as StoreMarkPage from "./StoreMarkPage.ts"

export interface Log {
  /** The state of the file. `damaged`: it has no valid header, so that SQLite ignores all of it. */
  readonly state: "absent" | "empty" | "damaged" | "read"
  /** The first and the last row of the store in the part that SQLite applies. */
  readonly first: StoreMark | undefined
  readonly last: StoreMark | undefined
  /** The row with the highest number of commits in the part that SQLite does not apply. */
  readonly beyond: StoreMark | undefined
  /** Number of complete transactions in the part that SQLite does not apply. */
  readonly commitsBeyond: number
}

const logHeaderBytes = 32
const frameHeaderBytes = 24
const littleEndian = 0x377f0682
const bigEndian = 0x377f0683
const framesAtOnce = 64

const without = (state: "absent" | "empty" | "damaged"): Log => ({
  state,
  first: undefined,
  last: undefined,
  beyond: undefined,
  commitsBeyond: 0
})

/** Reads a log. `standingPage`: number of the page with the store's own row; undefined if there is none. */
export const read = (path: string, standingPage: number | undefined): Log => {
  let file: number
  try {
    file = openSync(path, "r")
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return without("absent")
    throw cause
  }
  try {
    return walk(file, standingPage)
  } finally {
    closeSync(file)
  }
}

const walk = (file: number, standingPage: number | undefined): Log => {
  const header = Buffer.alloc(logHeaderBytes)
  const got = readSync(file, header, 0, logHeaderBytes, 0)
  if (got === 0) return without("empty")
  const magic = header.readUInt32BE(0)
  const checksum = new Checksum(magic !== bigEndian)
  checksum.add(header, 0, 24)
  if (got < logHeaderBytes || (magic !== littleEndian && magic !== bigEndian) || !checksum.is(header, 24))
    return without("damaged")
  const pageBytes = header.readUInt32BE(8)
  const frameBytes = frameHeaderBytes + pageBytes
  const frames = Buffer.alloc(frameBytes * framesAtOnce)
  let first: StoreMark | undefined
  let last: StoreMark | undefined
  let beyond: StoreMark | undefined
  let pending: StoreMark | undefined
  let commitsBeyond = 0
  let whole = true
  for (let at = logHeaderBytes; ; at += frames.length) {
    const bytes = readSync(file, frames, 0, frames.length, at)
    for (let start = 0; start + frameBytes <= bytes; start += frameBytes) {
      // Frames from an earlier use of the log file have other salts. They mark its end.
      const isOfThisLife = header.compare(frames, start + 8, start + 16, 16, 24) === 0
      // The checksum of each frame continues that of the frame before. It is set from the file, so that an intact frame
      // after a torn one is still recognised.
      checksum.add(frames, start, 8)
      checksum.add(frames, start + frameHeaderBytes, pageBytes)
      const isIntact = isOfThisLife && checksum.is(frames, start + 16)
      checksum.set(frames, start + 16)
      whole &&= isIntact
      if (!isIntact) continue
      const storeMark =
        frames.readUInt32BE(start) === standingPage
          ? StoreMarkPage.decode(frames.subarray(start + frameHeaderBytes, start + frameBytes))
          : undefined
      const isCommit = frames.readUInt32BE(start + 4) !== 0
      if (whole) {
        pending = storeMark ?? pending
        if (!isCommit || pending === undefined) continue
        first ??= pending
        last = pending
      } else {
        beyond = further(beyond, storeMark)
        if (isCommit) commitsBeyond++
      }
    }
    if (bytes < frames.length) break
  }
  return { state: "read", first, last, beyond: further(beyond, pending === last ? undefined : pending), commitsBeyond }
}

const further = (one: StoreMark | undefined, other: StoreMark | undefined): StoreMark | undefined =>
  one === undefined || (other !== undefined && other.sequence > one.sequence) ? other : one

/** The checksum of the log: two sums over words, each of which includes the other. */
class Checksum {
  readonly #little: boolean
  #one = 0
  #two = 0

  constructor(little: boolean) {
    this.#little = little
  }

  add(buffer: Buffer, start: number, bytes: number): void {
    const view = new DataView(buffer.buffer, buffer.byteOffset + start, bytes)
    let one = this.#one
    let two = this.#two
    for (let at = 0; at < bytes; at += 8) {
      one = (one + view.getUint32(at, this.#little) + two) | 0
      two = (two + view.getUint32(at + 4, this.#little) + one) | 0
    }
    this.#one = one
    this.#two = two
  }

  /** Continues from the checksum at this offset, even if it is wrong. */
  set(buffer: Buffer, at: number): void {
    this.#one = buffer.readInt32BE(at)
    this.#two = buffer.readInt32BE(at + 4)
  }

  /** Whether the checksum at this offset is the current one. */
  is(buffer: Buffer, at: number): boolean {
    return buffer.readInt32BE(at) === this.#one && buffer.readInt32BE(at + 4) === this.#two
  }
}
