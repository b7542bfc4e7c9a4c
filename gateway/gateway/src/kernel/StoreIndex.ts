/** Rows of one entity in the order of an index, so that a binary search locates a range. */
import type * as Entity from "./Entity.ts"
import type { Range } from "./Store.ts"
import * as StoreRow from "./StoreRow.ts"

type Stored = Readonly<Record<string, Entity.Value>>

export interface StoreIndex {
  /** The index's columns, then the key's columns: no two rows are equal in all of them. */
  readonly columns: ReadonlyArray<string>
  /** Number of columns that belong to the index itself. */
  readonly width: number
  readonly rows: Array<Stored>
}

export const make = (entity: Entity.Entity, name: string, rows: Iterable<Stored>): StoreIndex => {
  const own = StoreRow.indexColumns(entity, name)
  const columns = [...own, ...entity.key.filter((column) => !own.includes(column))]
  return { columns, width: own.length, rows: [...rows].sort((a, b) => compareRows(a, b, columns)) }
}

const cell = (row: Stored, column: string): Entity.Value => row[column] ?? null

const compareRows = (a: Stored, b: Stored, columns: ReadonlyArray<string>): number => {
  for (const column of columns) {
    const order = StoreRow.compare(cell(a, column), cell(b, column))
    if (order !== 0) return order
  }
  return 0
}

/** Returns the first position whose row is not before. All rows that are before must come first. */
const firstNot = (rows: ReadonlyArray<Stored>, isBefore: (row: Stored) => boolean): number => {
  let low = 0
  let high = rows.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const row = rows[middle]
    if (row !== undefined && isBefore(row)) low = middle + 1
    else high = middle
  }
  return low
}

const placeOf = ({ columns, rows }: StoreIndex, row: Stored): number =>
  firstNot(rows, (other) => compareRows(other, row, columns) < 0)

export const add = (index: StoreIndex, row: Stored): void => {
  index.rows.splice(placeOf(index, row), 0, row)
}

/** Removes a row, which must be in the index. */
export const remove = (index: StoreIndex, row: Stored): void => {
  index.rows.splice(placeOf(index, row), 1)
}

/** Returns the rows of a range. A null is in no range that has a bound. */
export const find = (
  { columns, rows, width }: StoreIndex,
  { descending = false, equals = [], from, limit, to }: Range
): ReadonlyArray<Stored> => {
  if (from === null || to === null) return []
  const next = equals.length < width ? (columns[equals.length] ?? "") : ""
  const prefix = (row: Stored): number => {
    for (const [i, value] of equals.entries()) {
      const order = StoreRow.compare(cell(row, columns[i] ?? ""), value)
      if (order !== 0) return order
    }
    return 0
  }
  const bounded = from !== undefined || to !== undefined
  const tooLow = (value: Entity.Value): boolean =>
    bounded && (value === null || (from !== undefined && StoreRow.compare(value, from) < 0))
  const start = firstNot(rows, (row) => {
    const order = prefix(row)
    return order < 0 || (order === 0 && tooLow(cell(row, next)))
  })
  const end = firstNot(rows, (row) => {
    const order = prefix(row)
    return order < 0 || (order === 0 && (to === undefined || StoreRow.compare(cell(row, next), to) <= 0))
  })
  if (end <= start) return []
  return descending
    ? rows.slice(Math.max(start, end - limit), end).reverse()
    : rows.slice(start, Math.min(end, start + limit))
}
