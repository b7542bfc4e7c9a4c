/**
 * Adds a row or replaces the row with its key. Only indexes with changed columns are written: writing an equal entry would add a page
 * for each index to the log. One statement does that for a row that changes as its entity expects. Any other row is read first.
 */
import type * as Entity from "@pay/gateway/Entity"
import type { Statements } from "@pay/sqlite/Database"
import { equal, insert, list, quote } from "./Ddl.ts"

type Stored = Readonly<Record<string, Entity.Value>>

interface Update {
  readonly sql: string
  /** The columns of the parameters: the changed columns, then the key. */
  readonly columns: ReadonlyArray<string>
}

export class Put {
  readonly #entity: Entity.Entity
  readonly #indexed: ReadonlyArray<string>
  readonly #plain: ReadonlyArray<string>
  readonly #selectStored: string
  readonly #insert: Update
  /** Changes the stored row if only the expected columns of its indexes differ. */
  readonly #expected: Update | undefined
  readonly #updates = new Map<string, Update>()

  constructor(entity: Entity.Entity) {
    const columns = Object.keys(entity.columns)
    const inIndexes = new Set([...Object.values(entity.unique), ...Object.values(entity.index)].flat())
    this.#entity = entity
    this.#indexed = columns.filter((column) => inIndexes.has(column) && !entity.key.includes(column))
    this.#plain = columns.filter((column) => !inIndexes.has(column) && !entity.key.includes(column))
    this.#selectStored = `SELECT ${list([...entity.key, ...this.#indexed])} FROM ${quote(entity.name)} WHERE ${equal(entity.key)}`
    this.#insert = { sql: insert(entity), columns }
    this.#expected = entity.changing === undefined ? undefined : this.#expecting(entity.changing)
  }

  run(statements: Statements, row: Stored): void {
    const expected = this.#expected
    if (expected !== undefined && writes(statements, expected, row)) return
    const storedRow = statements.prepare(this.#selectStored).get(...valuesOf(row, this.#entity.key))
    const statement =
      storedRow === undefined
        ? this.#insert
        : this.#update(this.#indexed.filter((column) => storedRow[column] !== row[column]))
    writes(statements, statement, row)
  }

  #expecting(changing: ReadonlyArray<string>): Update {
    const { columns, sql } = this.#update(changing)
    const others = this.#indexed.filter((column) => !changing.includes(column))
    return {
      sql: [sql, ...others.map((column) => `${quote(column)} IS ?`)].join(" AND "),
      columns: [...columns, ...others]
    }
  }

  #update(changed: ReadonlyArray<string>): Update {
    const which = changed.join(" ")
    const existing = this.#updates.get(which)
    if (existing !== undefined) return existing
    const { key, name } = this.#entity
    const set = [...this.#plain, ...changed]
    const update = {
      sql: `UPDATE ${quote(name)} SET ${(set.length === 0 ? key : set).map((column) => `${quote(column)} = ?`).join(", ")} WHERE ${equal(key)}`,
      columns: [...(set.length === 0 ? key : set), ...key]
    }
    this.#updates.set(which, update)
    return update
  }
}

/** Runs the statement. Returns whether it wrote a row. */
const writes = (statements: Statements, { columns, sql }: Update, row: Stored): boolean =>
  Number(statements.prepare(sql).run(...valuesOf(row, columns)).changes) > 0

/** Returns the values of a row as positional parameters. */
export const valuesOf = (row: Stored, columns: ReadonlyArray<string>): Array<Entity.Value> => {
  const values: Array<Entity.Value> = []
  for (const column of columns) values.push(row[column] ?? null)
  return values
}
