/** One entity's table: each thing a store does with a row, as one prepared statement with positional parameters. */
import type * as Entity from "@pay/gateway/Entity"
import type { Range } from "@pay/gateway/Store"
import * as StoreRow from "@pay/gateway/StoreRow"
import type { Statements } from "@pay/sqlite/Database"
import { list, orderOf, quote } from "./Ddl.ts"

type Values = ReadonlyArray<Entity.Value>
type Stored = Readonly<Record<string, Entity.Value>>

interface Lookup {
  readonly row: string
  readonly exists: string
}

export class Table {
  readonly #entity: Entity.Entity
  readonly #columns: ReadonlyArray<string>
  readonly #insert: string
  readonly #upsert: string
  readonly #remove: string
  readonly #version: string
  readonly #lookups: ReadonlyMap<string, Lookup>
  readonly #finds = new Map<string, string>()

  constructor(entity: Entity.Entity) {
    const columns = Object.keys(entity.columns)
    const others = columns.filter((column) => !entity.key.includes(column))
    const table = quote(entity.name)
    const key = equal(entity.key)
    this.#entity = entity
    this.#columns = columns
    this.#insert = `INSERT INTO ${table} (${list(columns)}) VALUES (${columns.map(() => "?").join(", ")})`
    this.#upsert = `${this.#insert} ON CONFLICT (${list(entity.key)}) DO UPDATE SET ${others.map((column) => `${quote(column)} = excluded.${quote(column)}`).join(", ")}`
    this.#remove = `DELETE FROM ${table} WHERE ${key}`
    this.#version = `SELECT 1 FROM ${table} WHERE ${key} AND "version" = ?`
    this.#lookups = new Map(
      Object.entries({ key: entity.key, ...entity.unique }).map(([unique, columns]) => [
        unique,
        {
          row: `SELECT ${list(this.#columns)} FROM ${table} WHERE ${equal(columns)}`,
          exists: `SELECT 1 FROM ${table} WHERE ${equal(columns)}`
        }
      ])
    )
  }

  load(statements: Statements, values: Values, unique: string) {
    return statements.prepare(this.#lookup(unique, values).row).get(...values)
  }

  exists(statements: Statements, values: Values, unique: string): boolean {
    return statements.prepare(this.#lookup(unique, values).exists).get(...values) !== undefined
  }

  hasVersion(statements: Statements, key: Values, version: number): boolean {
    return statements.prepare(this.#version).get(...key, version) !== undefined
  }

  find(statements: Statements, index: string, range: Range) {
    const { equals = [], from, limit, to } = range
    const values = [...equals]
    if (from !== undefined) values.push(from)
    if (to !== undefined) values.push(to)
    return statements.prepare(this.#find(index, range)).all(...values, limit)
  }

  append(statements: Statements, row: Stored): void {
    statements.prepare(this.#insert).run(...this.#values(row))
  }

  put(statements: Statements, row: Stored): void {
    statements.prepare(this.#upsert).run(...this.#values(row))
  }

  remove(statements: Statements, key: Values): void {
    statements.prepare(this.#remove).run(...key)
  }

  #values(row: Stored): Array<Entity.Value> {
    return this.#columns.map((column) => row[column] ?? null)
  }

  #lookup(unique: string, values: Values): Lookup {
    const lookup = this.#lookups.get(unique)
    if (lookup === undefined || values.length !== StoreRow.uniqueColumns(this.#entity, unique).length) {
      throw new TypeError(`${this.#entity.name} has no unique key ${unique} of ${values.length} columns.`)
    }
    return lookup
  }

  #find(index: string, range: Range): string {
    const { descending = false, equals = [], from, to } = range
    const shape = `${index} ${equals.length} ${from !== undefined} ${to !== undefined} ${descending}`
    const known = this.#finds.get(shape)
    if (known !== undefined) return known
    const columns = StoreRow.indexColumns(this.#entity, index)
    const next = quote(columns[equals.length] ?? "")
    const conditions = columns.slice(0, equals.length).map((column) => `${quote(column)} IS ?`)
    if (from !== undefined) conditions.push(`${next} >= ?`)
    if (to !== undefined) conditions.push(`${next} <= ?`)
    const order = orderOf(this.#entity, columns).map((column) => `${quote(column)}${descending ? " DESC" : ""}`)
    const sql = [
      `SELECT ${list(this.#columns)} FROM ${quote(this.#entity.name)}`,
      ...(conditions.length === 0 ? [] : [`WHERE ${conditions.join(" AND ")}`]),
      `ORDER BY ${order.join(", ")} LIMIT ?`
    ].join(" ")
    this.#finds.set(shape, sql)
    return sql
  }
}

/** The table of an entity; asking for an entity that is none of the store's is a defect. */
export type Tables = (entity: Entity.Entity) => Table

export const tables = (entities: ReadonlyArray<Entity.Entity>): Tables => {
  const all = new Map(entities.map((entity) => [entity.name, new Table(entity)]))
  return (entity) => {
    const table = all.get(entity.name)
    if (table === undefined) throw new TypeError(`${entity.name} is not an entity of this store.`)
    return table
  }
}

const equal = (columns: ReadonlyArray<string>): string => columns.map((column) => `${quote(column)} = ?`).join(" AND ")
