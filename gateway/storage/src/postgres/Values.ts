/**
 * Encodes values for PostgreSQL. Its text cannot contain NUL, so NUL and U+0001 are written as two characters each. The order of
 * texts by code point stays the same.
 */
import type * as Entity from "@pay/gateway/Entity"

const escapes: Readonly<Record<string, string>> = { "\0": "\u0001\u0001", "\u0001": "\u0001\u0002" }

/** Encodes a value as a parameter or for JSON. Bytes become the hexadecimal text of `bytea`. */
export const toStored = (value: Entity.Value): string | number | null => {
  if (typeof value === "string") return textToStored(value)
  // JSON has no integers of 64 bits.
  if (typeof value === "bigint") return String(value)
  return value instanceof Uint8Array
    ? `\\x${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("hex")}`
    : value
}

const textToStored = (text: string): string => {
  const wellFormed = text.isWellFormed() ? text : text.toWellFormed()
  return wellFormed.includes("\0") || wellFormed.includes("\u0001")
    ? wellFormed.replaceAll("\u0001", escapes["\u0001"] ?? "").replaceAll("\0", escapes["\0"] ?? "")
    : wellFormed
}

/** Decodes a value from the driver. */
const fromStored = (value: Entity.Value): Entity.Value => {
  if (typeof value === "string")
    return value.includes("\u0001")
      ? value.replaceAll("\u0001\u0001", "\0").replaceAll("\u0001\u0002", "\u0001")
      : value
  return value
}

/** Makes a row from values in the order of the entity's columns. */
export const rowOf = (
  columns: ReadonlyArray<string>,
  values: ReadonlyArray<Entity.Value>
): Readonly<Record<string, Entity.Value>> => {
  const row: Record<string, Entity.Value> = {}
  for (let i = 0; i < columns.length; i++) row[columns[i] ?? ""] = fromStored(values[i] ?? null)
  return row
}
