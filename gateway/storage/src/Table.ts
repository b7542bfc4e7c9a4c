/** The table of one entity: the operations of a store on a row, as prepared statements with positional parameters. */
import type * as Entity from "@pay/gateway/Entity"
import { type Range, StoreRow } from "@pay/gateway/Store"
import type { Statements } from "@pay/sqlite/Database"
import { equal, insert, quote, selected } from "./Ddl.ts"
import { Find, type Query } from "./Find.ts"
import { Put, valuesOf } from "./Put.ts"

type Values = ReadonlyArray<Entity.Value>
type Stored = Readonly<Record<string, Entity.Value>>

interface Lookup {
  readonly columns: ReadonlyArray<string>
  readonly row: string
  readonly exists: string
}

export class Table {
  readonly #entity: Entity.Entity
  readonly #columns: ReadonlyArray<string>
  readonly #insert: string
  readonly #remove: string
  readonly #version: string
  readonly #lookups = new Map<string, Lookup>()
  readonly #put: Put
  readonly #find: Find

  constructor(entity: Entity.Entity) {
    const table = quote(entity.name)
    this.#entity = entity
    this.#columns = Object.keys(entity.columns)
    this.#insert = insert(entity)
    this.#remove = `DELETE FROM ${table} WHERE ${equal(entity.key)}`
    this.#version = `SELECT 1 FROM ${table} WHERE ${equal(entity.key)} AND "version" = ?`
    this.#put = new Put(entity)
    this.#find = new Find(entity)
    for (const unique of ["key", ...Object.keys(entity.unique)]) {
      const columns = StoreRow.uniqueColumns(entity, unique)
      const clause = `FROM ${table} WHERE ${equal(columns)}`
      this.#lookups.set(unique, {
        columns,
        row: `SELECT ${selected(entity)} ${clause}`,
        exists: `SELECT 1 ${clause}`
      })
    }
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
    return this.#find.run(statements, index, range)
  }

  /** Returns the statement of {@link load}, for another connection. */
  loadQuery(values: Values, unique: string): Query {
    return { text: this.#lookup(unique, values).row, values }
  }

  /** Returns the statement of {@link find}, for another connection. */
  findQuery(index: string, range: Range): Query {
    return this.#find.query(index, range)
  }

  append(statements: Statements, row: Stored): void {
    statements.prepare(this.#insert).run(...valuesOf(row, this.#columns))
  }

  put(statements: Statements, row: Stored): void {
    this.#put.run(statements, row)
  }

  remove(statements: Statements, key: Values): void {
    statements.prepare(this.#remove).run(...key)
  }

  #lookup(unique: string, values: Values): Lookup {
    const lookup = this.#lookups.get(unique)
    if (lookup === undefined || lookup.columns.length !== values.length) {
      throw new TypeError(`${this.#entity.name} has no unique key ${unique} of ${values.length} columns.`)
    }
    return lookup
  }
}

/** Returns the table of an entity. An entity that the store does not have is a defect. */
export type Tables = (entity: Entity.Entity) => Table

export const tables = (entities: ReadonlyArray<Entity.Entity>): Tables => {
  const all = new Map(entities.map((entity) => [entity.name, new Table(entity)]))
  return (entity) => {
    const table = all.get(entity.name)
    if (table === undefined) throw new TypeError(`${entity.name} is not an entity of this store.`)
    return table
  }
}
