/** Finds rows in a range of an index, with one statement for each form of range. */
import type * as Entity from "@pay/gateway/Entity"
import { type Range, StoreRow } from "@pay/gateway/Store"
import type { Statements } from "@pay/sqlite/Database"
import { orderOf, quote, selected } from "./Ddl.ts"

/** A statement with the values of its parameters. */
export interface Query {
  readonly text: string
  readonly values: ReadonlyArray<Entity.Value>
}

export class Find {
  readonly #entity: Entity.Entity
  readonly #texts = new Map<string, string>()

  constructor(entity: Entity.Entity) {
    this.#entity = entity
  }

  run(statements: Statements, index: string, range: Range) {
    const { text, values } = this.query(index, range)
    return statements.prepare(text).all(...values)
  }

  query(index: string, range: Range): Query {
    const { equals = [], from, limit, to } = range
    const values = [...equals, ...[from, to].filter((value) => value !== undefined), limit]
    return { text: this.text(index, range), values }
  }

  text(index: string, range: Range): string {
    const { descending = false, equals = [], from, to } = range
    const shape = `${index} ${equals.length} ${from !== undefined} ${to !== undefined} ${descending}`
    const existing = this.#texts.get(shape)
    if (existing !== undefined) return existing
    const columns = StoreRow.indexColumns(this.#entity, index)
    const next = quote(columns[equals.length] ?? "")
    const conditions = columns.slice(0, equals.length).map((column) => `${quote(column)} IS ?`)
    if (from !== undefined) conditions.push(`${next} >= ?`)
    if (to !== undefined) conditions.push(`${next} <= ?`)
    const order = orderOf(this.#entity, columns).map((column) => `${quote(column)}${descending ? " DESC" : ""}`)
    const text = [
      `SELECT ${selected(this.#entity)} FROM ${quote(this.#entity.name)}`,
      // The index is named, because SQLite might choose a shorter one and read rows that it does not return.
      ...(index === "key" ? [] : [`INDEXED BY ${quote(`${this.#entity.name}.${index}`)}`]),
      ...(conditions.length === 0 ? [] : [`WHERE ${conditions.join(" AND ")}`]),
      `ORDER BY ${order.join(", ")} LIMIT ?`
    ].join(" ")
    this.#texts.set(shape, text)
    return text
  }
}
