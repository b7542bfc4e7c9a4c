/**
 * Effect's `SqlClient` on a SQLite file, so that the storage of Effect's cluster needs no server in tests and benchmarks. It opens
 * its own transactions, so such a database must have no `GroupCommit`.
 */
import type { SQLInputValue, StatementSync } from "node:sqlite"
import type { Database } from "@pay/sqlite/Database"
import { Effect, Layer, type Scope, Semaphore, Stream } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import { SqlClient, type SqlConnection, SqlError, Statement } from "effect/sql"

/** Makes a client of the database. It runs one transaction at a time; the others wait. */
export const make = Effect.fnUntraced(function* ({
  connection
}: Database): Effect.fn.Return<SqlClient.SqlClient, never, Scope.Scope | Reactivity.Reactivity> {
  return yield* SqlClient.make({
    ...SqlClient.makeSqliteAcquirers({
      connection: Effect.succeed(connectionOf(connection)),
      semaphore: yield* Semaphore.make(1),
      isTransaction: () => connection.inTransaction
    }),
    driver: "node:sqlite",
    compiler: Statement.makeCompilerSqlite(),
    beginTransaction: "BEGIN IMMEDIATE",
    releaseSavepoint: (name) => `RELEASE SAVEPOINT ${name}`,
    prepareTransactionControls: true,
    spanAttributes: [["db.system.name", "sqlite"]]
  })
})

export const layer = (database: Database): Layer.Layer<SqlClient.SqlClient> =>
  Layer.effect(SqlClient.SqlClient, make(database)).pipe(Layer.provide(Reactivity.layer))

type Connection = Database["connection"]
type Rows = ReadonlyArray<Record<string, unknown>>

const connectionOf = (connection: Connection): SqlConnection.Connection => {
  const run = <A>(
    sql: string,
    values: ReadonlyArray<unknown>,
    ask: (statement: StatementSync, values: Array<SQLInputValue>) => A
  ) =>
    Effect.flatMap(SqlClient.SafeIntegers, (bigints) =>
      Effect.try({
        try: () => ask(bigints ? connection.prepareBigInt(sql) : connection.prepare(sql), values.map(inputOf)),
        catch: errorOf
      })
    )
  const rows = (sql: string, values: ReadonlyArray<unknown>) =>
    run(sql, values, (statement, inputs): Rows => all(connection, sql, statement, inputs))
  const execute: SqlConnection.Connection["execute"] = (sql, values, transform) =>
    Effect.map(rows(sql, values), (result) => transform?.(result) ?? result)
  const arrays = (sql: string, values: ReadonlyArray<unknown>) =>
    run(sql, values, (statement, inputs) => {
      statement.setReturnArrays(true)
      try {
        return all(connection, sql, statement, inputs).map((row) => Object.values(row))
      } finally {
        statement.setReturnArrays(false)
      }
    })
  return {
    execute,
    executeUnprepared: execute,
    executeRaw: (sql, values) =>
      run(sql, values, (statement, inputs) =>
        statement.columns().length > 0 ? statement.all(...inputs) : connection.prepareBigInt(sql).run(...inputs)
      ),
    executeValues: arrays,
    executeValuesUnprepared: arrays,
    executeStream: (sql, values, transform) =>
      Stream.unwrap(Effect.map(execute(sql, values, transform), Stream.fromIterable))
  }
}

/**
 * Runs a statement. One without rows runs with bigints: it reports the last row id, and with numbers it would throw
 * after the write if that is above 2^53.
 */
const all = (connection: Connection, sql: string, statement: StatementSync, inputs: Array<SQLInputValue>): Rows => {
  if (statement.columns().length > 0) return statement.all(...inputs)
  connection.prepareBigInt(sql).run(...inputs)
  return []
}

const inputOf = (value: unknown): SQLInputValue => {
  switch (typeof value) {
    case "string":
    case "number":
    case "bigint":
      return value
    case "boolean":
      return value ? 1 : 0
    default:
      if (value === null || value === undefined) return null
      if (value instanceof Uint8Array) return value
      if (value instanceof Date) return value.toISOString()
      throw new TypeError("SQLite takes text, numbers, bigints, bytes and null")
  }
}

/**
 * Converts an exception. SQLite reports a repeated primary key with a separate code (1555), which is mapped to the code
 * of `UniqueViolation`.
 */
const errorOf = (cause: unknown): SqlError.SqlError => {
  const code = cause instanceof Error && "errcode" in cause ? cause.errcode : undefined
  const message = cause instanceof Error ? cause.message : String(cause)
  return new SqlError.SqlError({
    reason: SqlError.classifySqliteError(
      { cause, message, errno: code === 1555 ? 2067 : code },
      { message, operation: "execute" }
    )
  })
}
