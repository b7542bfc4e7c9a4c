/** The statements of a store on SQLite in memory that work causes: which tables it reads, how much it writes, how often it commits. */
import { Store } from "@pay/gateway/Store"
import * as Database from "@pay/sqlite/Database"
import * as SqliteStore from "@pay/storage/SqliteStore"
import { Effect, Layer } from "effect"

export interface Cost {
  /** The tables, in the order of the reads. */
  readonly reads: ReadonlyArray<string>
  /** The number of statements that write. */
  readonly writes: number
  readonly commits: number
}

const isRead = (sql: string): boolean => sql.startsWith("SELECT")
const writesOf = (statements: ReadonlyArray<string>): number => statements.filter((sql) => !isRead(sql)).length

/** A store in memory that records its statements. */
export const recorded = () => {
  let statements: Array<string> = []
  let commits = 0
  let committed = 0
  const store = Layer.effect(
    Store,
    Effect.gen(function* () {
      const { connection, ...rest } = yield* Database.open({
        path: ":memory:",
        intercept: (sql, run) => {
          const writes = writesOf(statements)
          if (sql === "COMMIT" && writes > committed) commits += 1
          committed = writes
          run()
        }
      })
      const store = yield* SqliteStore.make({ database: { connection, ...rest } })
      const prepare = connection.prepare.bind(connection)
      connection.prepare = (sql) => {
        if (!isLook.test(sql)) statements.push(sql.trim())
        return prepare(sql)
      }
      return store
    })
  ).pipe(Layer.orDie)
  const costOf = <A, E, R>(work: Effect.Effect<A, E, R>) =>
    Effect.gen(function* () {
      statements = []
      commits = committed = 0
      yield* work
      const reads = statements.filter(isRead)
      return {
        reads: reads.map((sql) => /FROM "(\w+)"/.exec(sql)?.[1] ?? sql),
        writes: writesOf(statements),
        commits
      } satisfies Cost
    })
  return { store, costOf }
}

/** The scheduler's own look for due jobs. */
const isLook = /FROM "jobs" WHERE "kind"/
