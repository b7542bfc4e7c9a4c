/** Reads rows by key, unique key or range, each with one statement over connections with many statements at once. */
import type * as Entity from "@pay/gateway/Entity"
import { type Range, type Store, StoreRow, StoreUnavailable } from "@pay/gateway/Store"
import { Effect, Metric } from "effect"
import { orderOf, quote, selected } from "../Ddl.ts"
import type { Connection } from "./Connections.ts"
import { ordered, tableOf } from "./Ddl.ts"
import type * as Failure from "./Failure.ts"
import * as Numbers from "./Numbers.ts"
import type { Query, Row } from "./Session.ts"
import { rowOf, toStored } from "./Values.ts"

/** The part of a range that determines the text of its statement. */
type Shape = { readonly [K in Exclude<keyof Range, "limit">]: Range[K] | undefined }

/** The text of each form of statement, made once. */
export class Statements {
  readonly #columns = new Map<string, ReadonlyArray<string>>()
  readonly #texts = new Map<string, string>()

  columnsOf(entity: Entity.Entity): ReadonlyArray<string> {
    const existing = this.#columns.get(entity.name)
    if (existing !== undefined) return existing
    const columns = Object.keys(entity.columns)
    this.#columns.set(entity.name, columns)
    return columns
  }

  load(entity: Entity.Entity, values: ReadonlyArray<Entity.Value>, unique: string): Query {
    const name = `pay ${entity.name}.${unique}`
    const columns = StoreRow.uniqueColumns(entity, unique)
    if (columns.length !== values.length)
      throw new TypeError(`${entity.name} has no unique key ${unique} of ${values.length} columns.`)
    const where = () => columns.map((column, at) => `${quote(column)} = $${at + 1}`).join(" AND ")
    return {
      name,
      text: this.#text(name, () => `${this.#select(entity)} WHERE ${where()}`),
      values: values.map(toStored)
    }
  }

  find(entity: Entity.Entity, index: string, { descending = false, equals = [], from, limit, to }: Range): Query {
    const nulls = equals.map((value) => (value === null ? "n" : "v")).join("")
    const name = `pay ${entity.name}.${index} ${nulls}${from === undefined ? "" : ">"}${to === undefined ? "" : "<"}${descending ? "d" : ""}`
    const values = [
      ...equals.filter((value) => value !== null),
      ...[from, to].filter((value) => value !== undefined),
      limit
    ]
    return {
      name,
      text: this.#text(name, () => this.#range(entity, index, { descending, equals, from, to })),
      values: values.map(toStored)
    }
  }

  #range(entity: Entity.Entity, index: string, { descending, equals = [], from, to }: Shape): string {
    const columns = StoreRow.indexColumns(entity, index)
    const next = quote(columns[equals.length] ?? "")
    let parameter = 0
    const conditions = columns
      .slice(0, equals.length)
      .map((column, at) => (equals[at] === null ? `${quote(column)} IS NULL` : `${quote(column)} = $${++parameter}`))
    if (from !== undefined) conditions.push(`${next} >= $${++parameter}`)
    if (to !== undefined) conditions.push(`${next} <= $${++parameter}`)
    const order = orderOf(entity, columns).map((column) => ordered(entity, column, descending))
    return [
      this.#select(entity),
      ...(conditions.length === 0 ? [] : [`WHERE ${conditions.join(" AND ")}`]),
      `ORDER BY ${order.join(", ")} LIMIT $${++parameter}`
    ].join(" ")
  }

  #select(entity: Entity.Entity): string {
    return `SELECT ${selected(entity)} FROM ${tableOf(entity)}`
  }

  #text(name: string, make: () => string): string {
    const existing = this.#texts.get(name)
    if (existing !== undefined) return existing
    const text = make()
    this.#texts.set(name, text)
    return text
  }
}

const unavailable = (cause: Failure.Failure) => new StoreUnavailable({ outcomeUnknown: false, cause })

/** Makes reads over the connections by turns. A broken connection is opened again once. */
export const make = (connections: ReadonlyArray<Connection>): Pick<Store["Service"], "load" | "find"> => {
  const statements = new Statements()
  let turn = 0

  const ask = (query: Query): Effect.Effect<ReadonlyArray<Row>, Failure.Failure> => {
    const connection = connections[turn++ % connections.length]
    if (connection === undefined) return Effect.die(new TypeError("a store has connections"))
    return Effect.flatMap(connection.session, (session) =>
      Effect.tap(session.query(query), Metric.update(Numbers.reads, 1))
    )
  }

  const read = <C extends Entity.Columns>(entity: Entity.Entity<C>, query: Query) =>
    // Each connection may be broken without having noticed it yet.
    Effect.retry(ask(query), { times: connections.length, while: ({ _tag }) => _tag === "Lost" }).pipe(
      Effect.mapError(unavailable),
      Effect.map((rows) => {
        const columns = statements.columnsOf(entity)
        return rows.map((row) => StoreRow.ofStored(entity, rowOf(columns, row)))
      })
    )

  return {
    load: (entity, values, unique = "key") =>
      Effect.suspend(() => Effect.map(read(entity, statements.load(entity, values, unique)), ([row]) => row)),
    find: (entity, index, range) => Effect.suspend(() => read(entity, statements.find(entity, index, range)))
  }
}
