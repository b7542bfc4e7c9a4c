/**
 * What a database's file is as a whole, said when it is closed in good order and compared when it is opened again: SQLite has no
 * checksums of its pages, so that a bit that changes on the disk meanwhile is otherwise nobody's to notice.
 */
import { closeSync, openSync, readSync } from "node:fs"
import { crc32 } from "node:zlib"

const atOnce = 1 << 20

/** Size and checksum, said by an opening of the store: another opening's does not count. */
export const of = (path: string, owner: string): string => {
  const file = openSync(path, "r")
  try {
    const bytes = Buffer.allocUnsafe(atOnce)
    let crc = 0
    let size = 0
    for (let got = 1; got > 0; size += got) {
      got = readSync(file, bytes, 0, atOnce, size)
      crc = crc32(bytes.subarray(0, got), crc)
    }
    return `${openingOf(owner)}:${size}:${crc.toString(16)}`
  } finally {
    closeSync(file)
  }
}

export const isOf = (digest: string, owner: string): boolean => digest.startsWith(`${openingOf(owner)}:`)

const openingOf = (owner: string): string => owner.slice(0, owner.indexOf(" "))
