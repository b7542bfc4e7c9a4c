/** Rules about rows that all stores share: which values a column accepts, which values are equal, and their order. */
import type * as Entity from "./Entity.ts"

const fits = (column: Entity.Column<Entity.Value>, value: unknown): boolean => {
  if (value === null) return column.nullable
  switch (column.kind) {
    case "text":
      return typeof value === "string"
    case "integer":
      return Number.isSafeInteger(value)
    case "sum":
      return typeof value === "bigint" && BigInt.asIntN(64, value) === value
    case "blob":
      return value instanceof Uint8Array
  }
}

/** Whether every column of the entity is present with a value that it accepts. */
export const matches = <C extends Entity.Columns>(
  entity: Entity.Entity<C>,
  row: Readonly<Record<string, unknown>>
): row is Entity.RowOf<C> => {
  for (const name in entity.columns) {
    const column = entity.columns[name]
    if (column === undefined || !fits(column, row[name])) return false
  }
  return true
}

/** Returns the row with its entity's type. A row that does not match the entity is a defect. */
export const typed = <C extends Entity.Columns>(
  entity: Entity.Entity<C>,
  row: Readonly<Record<string, unknown>>
): Entity.RowOf<C> => {
  if (!matches(entity, row)) throw new TypeError(`This is not a row of ${entity.name}.`)
  return row
}

/** Returns a row with its entity's type, from a store that reads sums as text. */
export const ofStored = <C extends Entity.Columns>(
  entity: Entity.Entity<C>,
  row: Readonly<Record<string, unknown>>
): Entity.RowOf<C> =>
  entity.sums.length === 0
    ? typed(entity, row)
    : typed(entity, { ...row, ...Object.fromEntries(entity.sums.map((name) => [name, BigInt(String(row[name]))])) })

/** Returns the columns of `"key"` or of a unique key. Any other name is a defect. */
export const uniqueColumns = (entity: Entity.Entity, unique: string): ReadonlyArray<string> => {
  const columns = unique === "key" ? entity.key : entity.unique[unique]
  if (columns === undefined) throw new TypeError(`${entity.name} has no unique key ${unique}.`)
  return columns
}

/** Returns the columns of `"key"` or of an index. Any other name is a defect. */
export const indexColumns = (entity: Entity.Entity, index: string): ReadonlyArray<string> => {
  const columns = index === "key" ? entity.key : entity.index[index]
  if (columns === undefined) throw new TypeError(`${entity.name} has no index ${index}.`)
  return columns
}

/** Order of values: null, then numbers, then text by code point, then bytes. A sum is compared only with a sum. */
export const compare = (a: Entity.Value, b: Entity.Value): number => {
  if (typeof a === "number" && typeof b === "number") return a - b
  if (typeof a === "bigint" && typeof b === "bigint") return a < b ? -1 : a > b ? 1 : 0
  if (typeof a === "string" && typeof b === "string") return compareText(a, b)
  if (a instanceof Uint8Array && b instanceof Uint8Array) return Buffer.compare(a, b)
  return rank(a) - rank(b)
}

/** Orders text by code point. Only text with surrogates has a different order in UTF-16. */
const compareText = (a: string, b: string): number => {
  if (a === b) return 0
  return surrogate.test(a) || surrogate.test(b) ? Buffer.compare(Buffer.from(a), Buffer.from(b)) : a < b ? -1 : 1
}

const surrogate = /[\ud800-\udfff]/

const rank = (value: Entity.Value): number =>
  value === null ? 0 : typeof value === "number" ? 1 : typeof value === "string" ? 2 : 3
