/**
 * A digest of the whole database file. It is stored when the database is closed properly, and compared at the next opening:
 * SQLite has no checksums of its pages, so a bit that changes on the disk would not be detected otherwise.
 */
import "../OldNode.ts"
import { closeSync, openSync, readSync } from "node:fs"
import * as zlib from "node:zlib"

const atOnce = 1 << 20

/**
 * Returns size and checksum of the file, with the identifier of the opening that computed them. `close` gets the descriptor: closing
 * it releases all locks of this process on the file.
 */
export const of = (path: string, owner: string, close: (file: number) => void = closeSync): string => {
  const file = openSync(path, "r")
  try {
    const bytes = Buffer.allocUnsafe(atOnce)
    let crc = 0
    let size = 0
    for (let got = 1; got > 0; size += got) {
      got = readSync(file, bytes, 0, atOnce, size)
      crc = zlib.crc32(bytes.subarray(0, got), crc)
    }
    return `${openingOf(owner)}:${size}:${crc.toString(16)}`
  } finally {
    close(file)
  }
}

export const isOf = (digest: string, owner: string): boolean => digest.startsWith(`${openingOf(owner)}:`)

const openingOf = (owner: string): string => owner.slice(0, owner.indexOf(" "))
