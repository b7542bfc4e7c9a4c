/** Rows of one entity in memory: by key, by unique keys, and in the order of each index in use. */
import type * as Entity from "./Entity.ts"
import type { Range } from "./Store.ts"
import * as StoreIndex from "./StoreIndex.ts"
import * as StoreRow from "./StoreRow.ts"

type Stored = Readonly<Record<string, Entity.Value>>

export interface Table {
  readonly entity: Entity.Entity
  readonly rows: Map<string, Stored>
  /** For each unique key, by its name: from its values to the row's key. */
  readonly unique: ReadonlyMap<string, Map<string, string>>
  /** Indexes by name. An index is built when it is first used. */
  readonly indexes: Map<string, StoreIndex.StoreIndex>
}

/** Restores the table to its state before the write that returned this function. */
export type Undo = () => void

export const make = (entity: Entity.Entity): Table => ({
  entity,
  rows: new Map(),
  unique: new Map(Object.keys(entity.unique).map((name) => [name, new Map()])),
  indexes: new Map()
})

/** Converts values to text. It is injective: different values, or values of different types, never give the same text. */
const textOf = (values: ReadonlyArray<Entity.Value>): string =>
  JSON.stringify(values.map((value) => (value instanceof Uint8Array ? [Buffer.from(value).toString("hex")] : value)))

const pick = (row: Stored, columns: ReadonlyArray<string>): ReadonlyArray<Entity.Value> =>
  columns.map((column) => row[column] ?? null)

/** Copies the declared columns and their bytes, so that no caller can change a stored row. */
const copy = (entity: Entity.Entity, row: Stored): Stored => {
  const copied: Record<string, Entity.Value> = {}
  for (const column in entity.columns) {
    const value = row[column] ?? null
    copied[column] = value instanceof Uint8Array ? Uint8Array.from(value) : value
  }
  return copied
}

/** Returns the stored row itself, without a copy. Callers must only read it. */
export const peek = (table: Table, values: ReadonlyArray<Entity.Value>, unique = "key"): Stored | undefined => {
  const columns = StoreRow.uniqueColumns(table.entity, unique)
  if (columns.length !== values.length)
    throw new TypeError(`${table.entity.name}.${unique} has ${columns.length} values.`)
  const key = unique === "key" ? textOf(values) : table.unique.get(unique)?.get(textOf(values))
  return key === undefined ? undefined : table.rows.get(key)
}

export const load = <C extends Entity.Columns>(
  table: Table,
  entity: Entity.Entity<C>,
  values: ReadonlyArray<Entity.Value>,
  unique: string
): Entity.RowOf<C> | undefined => {
  const row = peek(table, values, unique)
  return row === undefined ? undefined : StoreRow.typed(entity, copy(entity, row))
}

export const find = <C extends Entity.Columns>(
  table: Table,
  entity: Entity.Entity<C>,
  name: string,
  range: Range
): ReadonlyArray<Entity.RowOf<C>> => {
  const index = table.indexes.get(name) ?? StoreIndex.make(entity, name, table.rows.values())
  table.indexes.set(name, index)
  return StoreIndex.find(index, range).map((row) => StoreRow.typed(entity, copy(entity, row)))
}

export const put = (table: Table, row: Stored): Undo => {
  const stored = copy(table.entity, StoreRow.typed(table.entity, row))
  const key = textOf(pick(stored, table.entity.key))
  const old = table.rows.get(key)
  if (old !== undefined && table.entity.appendOnly) throw new Error(`${table.entity.name} is only ever added to.`)
  for (const [name, keys] of table.unique) {
    const holder = keys.get(uniqueText(table, name, stored) ?? "")
    if (holder !== undefined && holder !== key) throw new Error(`${table.entity.name}.${name} is taken.`)
  }
  return replace(table, key, stored)
}

export const append = (table: Table, row: Stored): Undo => {
  if (table.rows.has(textOf(pick(row, table.entity.key)))) throw new Error(`${table.entity.name}.key is taken.`)
  return put(table, row)
}

export const remove = (table: Table, key: ReadonlyArray<Entity.Value>): Undo => {
  if (peek(table, key) === undefined) return () => {}
  if (table.entity.appendOnly) throw new Error(`${table.entity.name} is only ever added to.`)
  return replace(table, textOf(key), undefined)
}

/** Changes one row, its unique keys and its indexes. Every change of a row goes through this function. */
const replace = (table: Table, key: string, row: Stored | undefined): Undo => {
  const old = table.rows.get(key)
  for (const [name, keys] of table.unique) {
    const before = old && uniqueText(table, name, old)
    const after = row && uniqueText(table, name, row)
    if (before !== undefined) keys.delete(before)
    if (after !== undefined) keys.set(after, key)
  }
  for (const index of table.indexes.values()) {
    if (old !== undefined) StoreIndex.remove(index, old)
    if (row !== undefined) StoreIndex.add(index, row)
  }
  if (row === undefined) table.rows.delete(key)
  else table.rows.set(key, row)
  return () => replace(table, key, old)
}

/** Returns the text of a unique key. `undefined`: a value is null, and the row is exempt from the key. */
const uniqueText = (table: Table, unique: string, row: Stored): string | undefined => {
  const values = pick(row, StoreRow.uniqueColumns(table.entity, unique))
  return values.includes(null) ? undefined : textOf(values)
}
