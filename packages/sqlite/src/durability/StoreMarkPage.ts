/**
 * Reads the store's own row from a page of the log, before SQLite has decided which pages are valid. The row is the
 * single cell of a table leaf (https://sqlite.org/fileformat2.html#record_format).
 */
import { type StoreMark, storeMarkOf } from "./Mark.ts"

const leafOfTable = 0x0d
const headerBytes = 8
const columns = ["one", "storeId", "state", "owner", "sequence", "committedAtMs", "createdAtMs"]
const integerBytes = [0, 1, 2, 3, 4, 6, 8]

/** Returns the row; undefined if the page contains no such row. */
export const decode = (page: Buffer): StoreMark | undefined => {
  if (page[0] !== leafOfTable || page.readUInt16BE(3) !== 1) return undefined
  try {
    return storeMarkOf(record(page, page.readUInt16BE(headerBytes)))
  } catch {
    // In a damaged page the offsets can lead outside of the page.
    return undefined
  }
}

const record = (page: Buffer, cell: number): Readonly<Record<string, unknown>> => {
  const [, afterSize] = varint(page, cell)
  const [, start] = varint(page, afterSize)
  const [length, types] = varint(page, start)
  let at = types
  let value = start + length
  const row: Record<string, unknown> = {}
  for (const column of columns) {
    if (at >= start + length) break
    const [type, next] = varint(page, at)
    const bytes = type >= 12 ? Math.floor((type - 12) / 2) : (integerBytes[type] ?? 0)
    row[column] = type >= 12 ? page.toString("utf8", value, value + bytes) : integer(page, type, value, bytes)
    at = next
    value += bytes
  }
  return row
}

const integer = (page: Buffer, type: number, at: number, bytes: number): number | null => {
  if (type === 0) return null
  if (type === 8 || type === 9) return type - 8
  return bytes === 8 ? Number(page.readBigInt64BE(at)) : page.readIntBE(at, bytes)
}

/** Reads a number of variable length. Returns it and the offset after it. */
const varint = (page: Buffer, at: number): readonly [value: number, next: number] => {
  let value = 0
  for (let n = at; n < at + 8; n++) {
    const byte = page.readUInt8(n)
    value = value * 128 + (byte & 0x7f)
    if (byte < 0x80) return [value, n + 1]
  }
  return [value * 256 + page.readUInt8(at + 8), at + 9]
}
