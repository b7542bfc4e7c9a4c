/**
 * Values as PostgreSQL keeps them. Its text holds every character but NUL, so NUL and the character after it are written
 * as two characters each: what is read is what was written, and the order of texts stays that of their code points.
 */
import type * as Entity from "@pay/gateway/Entity"

const escapes: Readonly<Record<string, string>> = { "\0": "\u0001\u0001", "\u0001": "\u0001\u0002" }

/** A value as a parameter, or inside of JSON: bytes as the hexadecimal text that `bytea` reads. */
export const toStored = (value: Entity.Value): string | number | null => {
  if (typeof value === "string") return textToStored(value)
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

/** A value as the driver returns it. */
export const fromStored = (value: Entity.Value): Entity.Value => {
  if (typeof value === "string")
    return value.includes("\u0001")
      ? value.replaceAll("\u0001\u0001", "\0").replaceAll("\u0001\u0002", "\u0001")
      : value
  return value
}

/** A row whose values stand in the order of the entity's columns. */
export const rowOf = (
  columns: ReadonlyArray<string>,
  values: ReadonlyArray<Entity.Value>
): Readonly<Record<string, Entity.Value>> => {
  const row: Record<string, Entity.Value> = {}
  for (let i = 0; i < columns.length; i++) row[columns[i] ?? ""] = fromStored(values[i] ?? null)
  return row
}
